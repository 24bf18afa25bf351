"""Every command as one Python call: runs on disk, analyses of games, scenarios."""
