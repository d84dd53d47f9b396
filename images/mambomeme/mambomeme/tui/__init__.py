"""The terminal UI of interface `list-80x24-v1`: raw ANSI, one write a frame, a client of protocol `search-v1`."""
