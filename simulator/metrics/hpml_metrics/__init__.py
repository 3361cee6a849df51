"""metrics.json (schema gpusim/metrics/v1) for whoever reads it: the document as typed views, and the table of its counters."""
