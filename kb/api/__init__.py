"""What kb does for its user, below every window: `import kb`, the command line, the HTTP service and assistants call this."""
