"""Chooses the parameters of the bundled systems on development data, and keeps a record of how."""
