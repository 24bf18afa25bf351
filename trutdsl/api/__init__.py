"""Whatever a command does, as one call: runs on disk, analyses of games, scenarios."""
