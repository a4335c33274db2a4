"""What an experiment's runs say: samples, intervals, tests, effects, families, trends, survival, rankings, power."""
