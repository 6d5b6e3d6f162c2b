"""How kb touches the disk: names from data stay inside their folder, what is read is bounded, what is written is swapped in whole."""
