"""Definitions: what is refused (EXE-prepare), what it is called (DEF-identity), and the form that the engine reads."""
