"""An experiment's answer as people read it: tables as CSV, figures as SVG, and one page that opens from disk."""
