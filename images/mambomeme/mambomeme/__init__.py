"""The bundled search system: an index of the corpus, an engine that answers from it, a terminal UI that asks."""
