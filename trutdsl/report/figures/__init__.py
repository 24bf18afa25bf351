"""Figures of results, drawn by Matplotlib without a screen, as SVG in the page's colours."""
