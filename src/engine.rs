//! The façade: open, index, retrieve, explain, record.
