"""What can be set, checked, and worked out once for a configuration: synthesis tree, structures, presets, tables."""
