"""Reports: results of tournaments, comparisons and simulations as text, CSV, JSON and HTML."""
