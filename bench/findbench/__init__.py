"""The parts of bench/find: programs, trees, rows, measuring, the table."""
