//! The standard library and the most common crates: names, types, and the results of functions and methods.
//!
//! Smart pointers (`Box`, `Rc`, `Arc`, `Cow`, `Pin`) are transparent: a value of type `Box<T>` is a value of type `T`,
//! because members are looked up on `T` anyway. The module does not depend on syntax or Cargo.

pub mod element_types;
pub mod functions;
pub mod iterator_methods;
pub mod methods;
pub mod names;
pub mod types;

/// Returns the last segment of a dotted name.
pub fn last_segment(name: &str) -> &str {
    name.rsplit('.').next().unwrap_or(name)
}
