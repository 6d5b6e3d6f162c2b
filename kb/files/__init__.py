"""Access to the disk: names from data cannot lead out of their folder, reads are limited in size, and files are
replaced as a whole.
"""
