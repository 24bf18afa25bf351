"""Every node of a program in every place with every type that it can have there: a table."""
