"""Speed beside others: what a peer plays in a process of its own, by turns with ours in one run."""
