"""What computer players are called at a table."""

TRADERS = ("Leila", "Karim", "Amina", "Omar", "Zineb", "Hamid", "Salma", "Idriss")
