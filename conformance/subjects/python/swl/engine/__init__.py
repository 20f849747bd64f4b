"""The sequential core (docs/spec/execution.md, docs/spec/execution-data.md)."""
