"""Name resolution and typing: from the syntax trees of a variant's layers to its program."""
