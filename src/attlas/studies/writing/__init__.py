"""What heads write into the residual stream, and what of it reaches the logits."""
