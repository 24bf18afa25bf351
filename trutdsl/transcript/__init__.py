"""Transcripts: a match as events, one JSON object a line; written, read, played again."""
