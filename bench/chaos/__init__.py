"""Attack servers under play, and compare every acknowledgement with what is stored."""
