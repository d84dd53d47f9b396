"""The reference of the lexical route: rank-bm25 itself."""
