//! The local names in sight, as a stack in which any of them is found at once.

use std::collections::HashMap;

use crate::facts::{Atom, ExprId};

/// A local variable and what is known of it.
pub struct Local {
    pub name: Atom,
    pub value: ExprId,
    /// The collection was made empty, so its elements are only known from what is put into it.
    pub is_open: bool,
    /// For a map of which only a key is known yet: the map as it was made, and the key.
    pub key: Option<(ExprId, ExprId)>,
}

/// Locals, innermost last.
#[derive(Default)]
pub struct Locals {
    stack: Vec<Local>,
    /// Where in the stack each name stands, innermost last.
    places: HashMap<Atom, Vec<usize>>,
}

impl Locals {
    /// How many there are; what [`Locals::truncate`] goes back to.
    pub fn len(&self) -> usize {
        self.stack.len()
    }

    /// Adds the innermost one.
    pub fn push(&mut self, name: Atom, value: ExprId) {
        self.places.entry(name).or_default().push(self.stack.len());
        self.stack.push(Local { name, value, is_open: false, key: None });
    }

    /// Forgets all but the first `length`.
    pub fn truncate(&mut self, length: usize) {
        for local in self.stack.drain(length.min(self.stack.len())..) {
            if let Some(places) = self.places.get_mut(&local.name) {
                places.pop();
            }
        }
    }

    /// The innermost one.
    pub fn last_mut(&mut self) -> Option<&mut Local> {
        self.stack.last_mut()
    }

    /// The innermost one of a name, those below `floor` left out.
    pub fn get(&self, name: Atom, floor: usize) -> Option<&Local> {
        let place = *self.places.get(&name)?.last()?;
        if place >= floor { self.stack.get(place) } else { None }
    }

    /// The same, to learn more about it.
    pub fn get_mut(&mut self, name: Atom, floor: usize) -> Option<&mut Local> {
        let place = *self.places.get(&name)?.last()?;
        if place >= floor { self.stack.get_mut(place) } else { None }
    }
}
