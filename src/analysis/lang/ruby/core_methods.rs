//! Methods of Ruby's core that say nothing about their receiver.

use crate::lang::common::word_list::word_list;

/// Returns whether every object or every class has a method of this name, so that it needs no receiver.
pub fn is_of_every_object(name: &str) -> bool {
    OF_EVERY_OBJECT.binary_search(&name).is_ok()
}

/// Returns whether a method name is so common in the core that it says nothing about the receiver's type.
pub fn is_ubiquitous(name: &str) -> bool {
    is_of_every_object(name)
        || UBIQUITOUS.binary_search(&name).is_ok()
        || OF_RECORDS_AND_CONTROLLERS.binary_search(&name).is_ok()
        || OF_TESTS_AND_EXTENSIONS.binary_search(&name).is_ok()
        || ["must_", "wont_"].iter().any(|start| name.starts_with(start))
}

/// Methods of every record, relation and controller, from the API documentation of Rails.
const OF_RECORDS_AND_CONTROLLERS: &[&str] = word_list!("rails_methods.txt");

/// Methods of RSpec, Minitest and Mocha, and what Active Support and Active Record add to all values.
const OF_TESTS_AND_EXTENSIONS: &[&str] = word_list!("test_methods.txt");

/// Methods of `Kernel`, `Object`, `Module` and `Class`.
const OF_EVERY_OBJECT: &[&str] = word_list!("object_methods.txt");

/// Further methods of strings, numbers, collections and files.
const UBIQUITOUS: &[&str] = word_list!("ubiquitous.txt");
