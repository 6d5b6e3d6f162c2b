"""Access to the disk: names from data stay inside their folder, reads are limited in size, and files are replaced as a
whole.
"""
