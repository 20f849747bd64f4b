"""A second engine for SWL 0.1, written from the text of docs/spec alone."""
