//! The bindings of one name in one scope as a use sees them: best first, found one at a time.
//!
//! A scope can bind a name any number of times (generated files, overloads, reassigned variables), and each use needs
//! only the best binding. So bindings are found lazily, and those after the use are skipped all at once.

use std::cell::Cell;
use std::rc::Rc;

use super::names::{AS_TYPE, ResolvedBinding};
use crate::facts::{Binding, BindingKind, Outline};
use crate::model::SymbolKind;
use crate::resolve::input::FileIndex;

/// Maximum length of a run of bindings that is searched without its [`Tail`].
pub(super) const MAX_SHORT: usize = 16;

/// The tails of a run of bindings that need not be examined one by one, by the index at which each begins.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tail {
    /// From here on, all bindings are visible by position: values and definitions.
    positional: usize,
    /// From here on, all bindings are definitions that are not modules.
    definitions: usize,
    /// From here on, no binding is a definition.
    values: usize,
}

impl Tail {
    /// Returns the tail of a run that is short enough to be searched as a whole.
    pub(super) fn of_short(run: &[Binding]) -> Tail {
        Tail { positional: run.len(), definitions: run.len(), values: run.len() }
    }

    /// Returns the tail of a run.
    pub(super) fn new(run: &[Binding], outline: &Outline) -> Tail {
        let end = |is_other: &dyn Fn(&Binding) -> bool| run.iter().rposition(is_other).map_or(0, |last| last + 1);
        let is_definition = |binding: &Binding| matches!(binding.kind, BindingKind::Definition(_));
        let is_value = |binding: &Binding| matches!(binding.kind, BindingKind::Local { .. } | BindingKind::Alias(_));
        Tail {
            positional: end(&|binding| !is_value(binding) && !is_definition(binding)),
            definitions: end(&|binding| !is_plain_definition(binding, outline)),
            values: end(&is_definition),
        }
    }
}

fn is_plain_definition(binding: &Binding, outline: &Outline) -> bool {
    match binding.kind {
        BindingKind::Definition(definition) => outline.definitions[definition.index()].kind != SymbolKind::Package,
        _ => false,
    }
}

/// The view of a use on the bindings of a scope.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    /// Position of the use.
    pub(super) at: u32,
    /// Whether more than type parameters is visible.
    pub(super) sees_all: bool,
    /// Whether types are visible besides these.
    pub(super) sees_types: bool,
    /// Whether fields are a last resort.
    pub(super) hides_fields: bool,
}

/// The order in which [`Visible`] returns bindings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Those that hold at the use, the last one first.
    Holding,
    /// Definitions after the use, the last one first.
    Later,
    /// Those that do not hold, in source order.
    Others,
}

/// An iterator over the visible bindings of a name, best first.
#[derive(Debug, Clone)]
pub struct Visible<'w> {
    file: FileIndex,
    outline: Option<&'w Outline>,
    run: &'w [Binding],
    /// A binding of another file, instead of a run.
    one: Option<ResolvedBinding>,
    tail: Tail,
    view: View,
    stage: Stage,
    /// Number of bindings of the run that the stage has left, or has passed for [`Stage::Others`].
    index: usize,
    /// Whether a definition that is no module was returned. Further ones can't change what the name means.
    is_decided: bool,
    steps: Steps,
}

/// A counter of steps, shared by an evaluator and its iterators.
pub(super) type Steps = Rc<Cell<u64>>;

impl<'w> Visible<'w> {
    /// Returns no bindings.
    pub(super) fn none(steps: &Steps) -> Self {
        Visible {
            file: FileIndex::from_index(0),
            outline: None,
            run: &[],
            one: None,
            tail: Tail::default(),
            view: View { at: AS_TYPE, sees_all: true, sees_types: true, hides_fields: false },
            stage: Stage::Others,
            index: 0,
            is_decided: false,
            steps: Rc::clone(steps),
        }
    }

    /// Returns the bindings of a run, which is sorted by position.
    pub(super) fn new(
        (file, outline): (FileIndex, &'w Outline),
        run: &'w [Binding],
        tail: Tail,
        view: View,
        steps: &Steps,
    ) -> Self {
        let mut visible = Visible { file, outline: Some(outline), run, tail, view, ..Visible::none(steps) };
        visible.stage = Stage::Holding;
        // Type parameters, the only bindings that are visible regardless, hold everywhere.
        visible.index =
            if view.sees_all || view.sees_types { visible.before_use().max(tail.positional) } else { tail.positional };
        visible
    }

    /// Returns a single binding.
    pub(super) fn one(binding: ResolvedBinding, steps: &Steps) -> Self {
        Visible { one: Some(binding), ..Visible::none(steps) }
    }

    /// Returns whether a binding holds, or is a definition after the use.
    pub(super) fn resolves(&self) -> bool {
        let mut first = self.clone();
        first.next().is_some() && first.stage != Stage::Others
    }

    /// Returns whether no binding is left.
    pub fn is_empty(&self) -> bool {
        self.clone().next().is_none()
    }

    /// Returns the number of bindings at or before the position of the use.
    fn before_use(&self) -> usize {
        self.run.partition_point(|binding| binding.position <= self.view.at)
    }

    fn is_visible(&self, binding: &Binding) -> bool {
        let is_parameter = matches!(binding.kind, BindingKind::TypeParameter(..) | BindingKind::ExtensionParameter(..));
        let is_type = || match binding.kind {
            BindingKind::Definition(definition) => {
                self.outline.is_some_and(|outline| outline.definitions[definition.index()].kind.is_type())
            }
            _ => false,
        };
        self.view.sees_all || is_parameter || self.view.sees_types && is_type()
    }

    fn holds(&self, binding: &Binding) -> bool {
        let at = self.view.at;
        match binding.kind {
            BindingKind::Local { .. } => at != AS_TYPE && binding.position < at,
            BindingKind::Parameter { .. } => at != AS_TYPE,
            BindingKind::Alias(_) => binding.position < at,
            BindingKind::Definition(definition) if self.view.hides_fields => {
                self.outline.is_none_or(|outline| outline.definitions[definition.index()].kind != SymbolKind::Field)
            }
            _ => true,
        }
    }

    fn is_later(&self, binding: &Binding) -> bool {
        matches!(binding.kind, BindingKind::Definition(_)) && binding.position > self.view.at
    }

    /// Returns the next binding of the run in the order of the stages.
    fn step(&mut self) -> Option<&'w Binding> {
        loop {
            self.steps.set(self.steps.get() + 1);
            if self.stage == Stage::Others {
                let end = if self.view.hides_fields { self.run.len() } else { self.tail.definitions };
                let binding = self.run[..end].get(self.index)?;
                self.index += 1;
                if !self.holds(binding) {
                    return Some(binding);
                }
                continue;
            }
            if self.is_decided {
                self.index = self.index.min(self.tail.definitions);
            }
            let end = if self.stage == Stage::Later { self.before_use() } else { 0 };
            if self.index <= end {
                self.enter_next_stage();
                continue;
            }
            self.index -= 1;
            let binding = &self.run[self.index];
            if self.holds(binding) && self.is_later(binding) == (self.stage == Stage::Later) {
                return Some(binding);
            }
        }
    }

    fn enter_next_stage(&mut self) {
        let View { at, sees_all, sees_types, .. } = self.view;
        (self.stage, self.index) = match self.stage {
            Stage::Holding if sees_all || sees_types => (Stage::Later, self.tail.values),
            Stage::Later if at == AS_TYPE => (Stage::Others, 0),
            Stage::Later => (Stage::Others, self.run.partition_point(|binding| binding.position < at)),
            _ => (Stage::Others, self.run.len()),
        };
    }
}

impl Iterator for Visible<'_> {
    type Item = ResolvedBinding;

    fn next(&mut self) -> Option<ResolvedBinding> {
        if let Some(one) = self.one.take() {
            return Some(one);
        }
        loop {
            let binding = self.step()?;
            if !self.is_visible(binding) {
                continue;
            }
            let is_plain = self.outline.is_some_and(|outline| is_plain_definition(binding, outline));
            if is_plain && std::mem::replace(&mut self.is_decided, true) {
                continue;
            }
            return Some(ResolvedBinding { file: self.file, binding: *binding });
        }
    }
}
