"""The names that computer players have at a table."""

COMPUTER_NAMES = ("Leila", "Karim", "Amina", "Omar", "Zineb", "Hamid", "Salma", "Idriss")
