"""What computer players are called at a table: people of the market."""

TRADERS = ("Leila", "Karim", "Amina", "Omar", "Zineb", "Hamid", "Salma", "Idriss")
