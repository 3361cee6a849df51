"""metrics.json (schema gpusim/metrics/v1) for whoever reads it: the document, and the table of its counters."""
