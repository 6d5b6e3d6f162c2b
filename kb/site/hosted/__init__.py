"""What a site offers when it stands on a server: to be installed, to be read without a network, to be taken along whole."""
