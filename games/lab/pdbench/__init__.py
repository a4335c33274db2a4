"""The prisoner's dilemma by its source's own files: experiments and tournaments, translated into scenarios and run."""
