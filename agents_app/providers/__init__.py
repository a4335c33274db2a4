"""Who completes a prompt: every vendor through one library, or a mock that needs neither key nor network."""
