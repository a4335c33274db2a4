"""Every write that is not a step: runs, decisions, operators, the demo. Keyword-only functions, named object_verb."""
