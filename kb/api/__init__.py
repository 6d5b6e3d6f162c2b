"""kb's functions, independent of the user interface: `import kb`, the command line, the HTTP service and the MCP
server call them.
"""
