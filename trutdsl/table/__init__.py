"""The parts that all engines share: tables, questions, chance and sights.

A `Setting` is fixed for a match. A `Match` is in play in some engine and waits for a `Question`.
`Chance` decides random events.
"""
