"""How numbers, names and tables are put into words. No model library is loaded here."""
