"""Results as one HTML file: what a page shows, in blocks, and templates that lay it out."""
