"""The class report: numbers from records, drawings and one HTML file from the numbers."""
