"""The parts of bench/search: questions, catalogs, measuring, the tables."""
