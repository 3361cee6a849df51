"""What happens around grading: batches, records for each audience and platform, class report, release, regrade."""
