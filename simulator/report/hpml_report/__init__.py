"""Reports of what ran on the simulated GPU: pure functions of metrics.json (schema gpusim/metrics/v1)."""
