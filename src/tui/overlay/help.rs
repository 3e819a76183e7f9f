//! The sections of the key help: a first page with the keys of the pane in focus and those that matter everywhere; then the
//! commands that work here and now, those of other panes and windows, and those that do nothing now, with the reason.

use std::collections::HashSet;

use crate::tui::command::{CommandSpec, Context, commands};
use crate::tui::keymap::{Bound, Listed, shown};
use crate::tui::model::Model;

/// The keys of one command in one context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyLine {
    /// The key; empty for a command without one.
    pub keys: String,
    /// Further keys, which are found and not listed.
    pub aliases: String,
    pub bound: Bound,
    /// The reason why the command does nothing now.
    pub reason: Option<&'static str>,
}

/// The keys below one heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    pub title: String,
    pub lines: Vec<KeyLine>,
}

/// The keys that matter, by the names of their commands.
const FIRST: [&str; 14] = [
    "task.edit",
    "task.new",
    "go.open",
    "go.previous",
    "go.editor",
    "copy.location",
    "feedback.up",
    "feedback.undo",
    "pane.why",
    "go.users",
    "trail.keep",
    "list.filter",
    "task.changes",
    "app.quit",
];

/// Limit of the keys of the pane in focus on the first page.
const MAX_OWN: usize = 12;

/// Returns the first page: what works where the help was opened, then, outside of windows, the keys that matter everywhere
/// and do something now.
pub fn first_page(model: &Model, here: &[Context]) -> Vec<Section> {
    let is_own = |context: &&Context| !matches!(context, Context::Normal | Context::Field | Context::Global);
    let mut known = HashSet::new();
    let own = here.iter().filter(is_own).flat_map(|context| lines(model, *context, &mut known));
    let mut own: Vec<KeyLine> = own.filter(|line| line.reason.is_none()).collect();
    own.truncate(MAX_OWN);
    let named = here.iter().filter(is_own).find(|context| **context != Context::Empty);
    let title = named.map_or(String::new(), |context| heading(*context, true));
    if here.contains(&Context::Overlay) {
        return vec![Section { title, lines: own }];
    }
    // In another pane its keys do something else.
    let is_pane = |context: &Context| matches!(context, Context::Pane(_));
    let is_usable = |context: &Context| !is_pane(context) || here.contains(context) || !here.iter().any(is_pane);
    let contexts: Vec<Context> = Context::all().into_iter().filter(is_usable).collect();
    let is_new =
        |line: &KeyLine| own.iter().all(|known| known.bound.command != line.bound.command && known.keys != line.keys);
    let line = |name: &&str| {
        let command = commands().find(|spec| spec.name == *name)?.command;
        let keys = contexts.iter().flat_map(|context| model.keymap.keys_of(*context, command)).next()?;
        let bound = Bound { command, argument: String::new() };
        let line = KeyLine { keys, aliases: String::new(), bound, reason: None };
        command.disabled_reason(model).is_none().then_some(line)
    };
    let everywhere = FIRST.iter().filter_map(line).filter(is_new).collect();
    let mut page = vec![Section { title: heading(Context::Normal, true), lines: everywhere }];
    if !own.is_empty() {
        page.insert(0, Section { title, lines: own });
    }
    page
}

/// Returns the sections whose lines match `filter` by their text, or by their whole key; after an `@` by a part of it.
/// `here` are the contexts of the keys where the help was opened, nearest first.
pub fn sections(model: &Model, here: &[Context], filter: &str) -> Vec<Section> {
    let mut known = HashSet::new();
    let mut sections: Vec<Section> = Vec::new();
    let mut later: Vec<KeyLine> = Vec::new();
    for context in here {
        let (lines, disabled) = lines(model, *context, &mut known).into_iter().partition(|line| line.reason.is_none());
        later.extend::<Vec<KeyLine>>(disabled);
        sections.push(Section { title: heading(*context, true), lines });
    }
    for context in Context::all().into_iter().filter(|context| !here.contains(context)) {
        let lines = lines(model, context, &mut HashSet::new());
        sections.push(Section { title: heading(context, false), lines });
    }
    sections.push(Section { title: "not now".to_owned(), lines: later });
    let has_key = |entry: &CommandSpec| {
        sections.iter().flat_map(|section| &section.lines).any(|line| line.bound.command == entry.command)
    };
    let keyless = commands().filter(|entry| entry.is_listed() && !has_key(entry)).map(|entry| {
        let bound = Bound { command: entry.command, argument: String::new() };
        KeyLine { keys: String::new(), aliases: String::new(), bound, reason: (entry.disabled)(model) }
    });
    let keyless = keyless.collect();
    sections.push(Section { title: "commands without a key (:)".to_owned(), lines: keyless });
    for section in &mut sections {
        section.lines.retain(|line| matches(line, filter.trim()));
    }
    sections.retain(|section| !section.lines.is_empty());
    sections
}

/// Returns the heading of a context.
fn heading(context: Context, is_here: bool) -> String {
    match (context, is_here) {
        (Context::Pane(_), false) => format!("in {}", context.name()),
        (Context::Normal, _) => "every pane".to_owned(),
        (Context::Global | Context::Field | Context::Empty, _) | (_, false) => context.name().to_owned(),
        (Context::Overlay, true) => "this window".to_owned(),
        (_, true) => format!("{}, here", context.name()),
    }
}

/// Returns the lines of a context in the order of the registry, a line for each command, without the `known` keys,
/// which a nearer context binds; adds the context's own keys to them.
fn lines(model: &Model, context: Context, known: &mut HashSet<String>) -> Vec<KeyLine> {
    let mut lines: Vec<KeyLine> = Vec::new();
    let free = |listed: &Listed| !known.contains(&shown(&listed.keys));
    for listed in model.keymap.bindings(context).into_iter().filter(free) {
        let keys = shown(&listed.keys);
        match lines.iter_mut().find(|line| line.bound == listed.bound) {
            Some(line) => line.aliases = format!("{} {keys}", line.aliases),
            None => {
                let reason = listed.bound.command.disabled_reason(model);
                lines.push(KeyLine { keys, aliases: String::new(), bound: listed.bound, reason });
            }
        }
    }
    known.extend(model.keymap.bindings(context).iter().map(|listed| shown(&listed.keys)));
    lines.sort_by_key(|line| line.bound.command.position());
    lines
}

fn matches(line: &KeyLine, filter: &str) -> bool {
    let mut keys = [&*line.keys].into_iter().chain(line.aliases.split_whitespace());
    if let Some(part) = filter.strip_prefix('@') {
        return keys.any(|keys| keys.contains(part));
    }
    let label = format!("{} {}", line.bound.spec().name, line.bound.label()).to_lowercase();
    filter.to_lowercase().split_whitespace().all(|part| label.contains(part)) || keys.any(|keys| keys == filter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::action;
    use crate::tui::fixture;
    use crate::tui::model::{Focus, IndexState, Phases};
    use crate::tui::panes::{graph, pack, source};

    fn model() -> Model {
        let mut model = fixture::model(120, 40);
        model.panes.pack.set_pack(fixture::pack(), std::time::Duration::ZERO);
        model.focus = Focus::Pane(pack::ID);
        model
    }

    fn all(filter: &str) -> Vec<KeyLine> {
        let model = model();
        let here = action::contexts(&model);
        sections(&model, &here, filter).into_iter().flat_map(|section| section.lines).collect()
    }

    #[test]
    fn filter_matches_text_and_keys() {
        assert_eq!(all("more tokens").len(), 1);
        assert!(all("@C-z").iter().all(|line| line.bound.spec().name == "app.suspend"));
        assert!(all("").len() >= commands().count());
        assert!(all("no such thing").is_empty());
        let named = |filter: &str, name: &str| all(filter).iter().any(|line| line.bound.spec().name == name);
        assert!(named("gb", "task.changes") && named("C-d", "move.half-down") && named("Down", "move.down"));
        assert_eq!(all("app.mouse")[0].keys, "");
    }

    #[test]
    fn a_command_is_listed_with_one_key_and_found_by_each() {
        let lines = all("move.down");
        assert_eq!((lines[0].keys.as_str(), lines[0].aliases.trim()), ("j", "Down"));
        assert!(all("@Down").iter().any(|line| line.bound.spec().name == "move.down"));
    }

    #[test]
    fn the_first_page_begins_with_the_pane_in_focus() {
        let mut model = model();
        for (focus, title, first) in [
            (Focus::Pane(pack::ID), "list, here", "go.open"),
            (Focus::Pane(source::ID), "source, here", "source.definition"),
            (Focus::Pane(graph::ID), "graph, here", "graph.find"),
            (Focus::Task, "task, here", "task.run"),
        ] {
            model.focus = focus;
            model.task.input = "a task".into();
            let page = first_page(&model, &action::contexts(&model));
            assert_eq!((page.len(), page[0].title.as_str()), (2, title));
            assert_eq!(page[0].lines[0].bound.spec().name, first);
            let names: Vec<&str> =
                page.iter().flat_map(|section| &section.lines).map(|line| line.bound.spec().name).collect();
            assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len(), "each command once");
            assert!(page[1].lines.iter().any(|line| line.bound.spec().name == "app.quit"));
        }
    }

    #[test]
    fn the_first_page_has_no_key_that_does_nothing() {
        for index in [IndexState::Ready, IndexState::Building(Phases::default())] {
            for focus in Focus::all() {
                let mut model = fixture::model(120, 40);
                (model.index, model.focus) = (index.clone(), focus);
                let page = first_page(&model, &action::contexts(&model));
                let keys: Vec<&str> =
                    page.iter().flat_map(|section| &section.lines).map(|line| line.keys.as_str()).collect();
                for key in ["Enter", "e", "y l", "+", "K", "g r", "Space", "/"] {
                    assert!(!keys.contains(&key), "{key} of {focus:?} without a symbol: {keys:?}");
                }
                assert!(keys.contains(&"q"), "{keys:?}");
            }
        }
    }

    #[test]
    fn in_a_window_the_first_page_has_the_keys_of_the_window() {
        for (context, title, name) in [
            (Context::Trail, "trail, here", "trail.up"),
            (Context::Votes, "votes, here", "feedback.turn"),
            (Context::Export, "export, here", "export.format"),
            (Context::Concepts, "concepts, here", "concepts.next"),
        ] {
            let page = first_page(&model(), &[context, Context::Overlay, Context::Global]);
            let [Section { title: shown, lines }] = &page[..] else { panic!("{page:?}") };
            assert_eq!(shown, title);
            assert!(lines.iter().any(|line| line.bound.spec().name == name), "{lines:?}");
            assert!(lines.iter().any(|line| line.bound.spec().name == "window.close"), "{lines:?}");
        }
    }

    #[test]
    fn the_first_page_has_no_key_twice() {
        for focus in Focus::all() {
            let mut model = model();
            model.focus = focus;
            let page = first_page(&model, &action::contexts(&model));
            let keys: Vec<&str> = page.iter().flat_map(|section| &section.lines).map(|line| &*line.keys).collect();
            assert_eq!(keys.iter().collect::<HashSet<_>>().len(), keys.len(), "{focus:?}: {keys:?}");
        }
    }

    #[test]
    fn commands_that_work_now_are_first() {
        let model = model();
        let here = action::contexts(&model);
        let sections = sections(&model, &here, "");
        let titles: Vec<&str> = sections.iter().map(|section| section.title.as_str()).collect();
        assert_eq!(titles[..3], ["list, here", "every pane", "everywhere"]);
        assert!(sections[..3].iter().flat_map(|section| &section.lines).all(|line| line.reason.is_none()));
        let not_now = sections.iter().find(|section| section.title == "not now").unwrap();
        assert!(not_now.lines.iter().any(|line| line.bound.spec().name == "feedback.undo"), "{not_now:?}");
        let every = &sections[1];
        let place = |name: &str| commands().position(|entry| entry.name == name).unwrap();
        assert!(place("task.example-1") > place("app.redraw"), "of use only without a task");
        assert!(every.lines.iter().any(|line| line.bound.spec().name == "feedback.up"));
        assert!(!every.lines.iter().any(|line| line.keys.split(' ').any(|keys| keys == "Tab")), "the pack binds Tab");
    }
}
