//! The table of the commands that belong to no pane: name, title, word of the hint bar, keys by context; the function that
//! returns why the command would do nothing now, whether it is a jump, whether it changes data, and what it does. A row
//! without the last is a command of the window on top alone.
//!
//! The rows are in two groups because the order of the commands is that of the hint bar, and panes come between.

use tui_input::InputRequest;

use super::{CommandSpec, Context};
use crate::engine::Vote;
use crate::tui::effect::Effect;
use crate::tui::model::feedback::PinState;
use crate::tui::model::{Focus, Model};
use crate::tui::overlay;
use crate::tui::overlay::finder::{self, Purpose};
use crate::tui::overlay::palette::{self, ask_argument};
use crate::tui::overlay::picker::{self, Kind};
use crate::tui::panes::PaneId;
use crate::tui::panes::pack::Stage;
use crate::tui::update::navigation::Step;
use crate::tui::update::{concepts, export, feedback, navigation, ranking, settings, task, trail};

macro_rules! commands {
    (
        $before:ident { $($row:tt)* }
        $after:ident { $($other:tt)* }
    ) => {
        commands! { @enum $($row)* $($other)* }
        commands! { @table $before $($row)* }
        commands! { @table $after $($other)* }
    };
    (@enum $($variant:ident $name:literal $title:literal $hint:literal
        [$($context:ident: $($key:literal)+),*] $(, unless($reason:ident))? $($flag:ident)* $(=> $run:expr)?;)*) => {
        /// Everything that a key or a line of the palette can run.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Command {
            $(#[doc = $title] $variant,)*
            /// Moves the focus to a pane.
            FocusPane(PaneId),
            /// A command that a pane declares, by its name.
            Pane(&'static str),
        }
    };
    (@table $table:ident $($variant:ident $name:literal $title:literal $hint:literal
        [$($context:ident: $($key:literal)+),*] $(, unless($reason:ident))? $($flag:ident)* $(=> $run:expr)?;)*) => {
        /// Rows of the table.
        pub static $table: &[CommandSpec] = &[$(
            CommandSpec::new(Command::$variant, $name, $title, $hint, &[$($((Context::$context, $key)),+),*])
                $(.unless($reason))? $(.$flag())* $(.does($run))?
        ),*];
    };
}

/// Returns the function that edits the text field in use.
macro_rules! edit {
    ($($request:tt)*) => {
        |model, now, effects| task::edit(model, InputRequest::$($request)*, now, effects)
    };
}

commands! {
    BEFORE_PANES {
        // The task line and other text fields.
        Submit "task.run" "rank the task now" "run" [Task: "Enter"], unless(without_task) => task::submit;
        LeaveTask "task.leave" "go to the list" "list" [Task: "Esc"] => task::leave;
        EditTask "task.edit" "edit the task" "task" [Normal: "i" "1"] => |model, _, _| model.focus = Focus::Task;
        NewTask "task.new" "write a new task; H returns to this one" "new task" [Normal: "I"] => task::new_task;
        History "task.history" "history of rankings and tasks" "" [Task: "C-r", Normal: "g h"]
            => |model, _, effects| overlay::history::open(model, effects);
        CompareLast "history.compare" "what changed since the last ranking" "" [Normal: "d"], unless(without_comparison)
            => |model, _, effects| overlay::history::compare_last(model, effects);
        Compose "task.compose" "edit the task in your editor" "" [Task: "C-o"]
            => |model, _, effects| effects.push(Effect::Compose(model.task.input.value().to_owned()));
        PickFiles "task.files" "pick files to rank for" "" [Normal: "g p"]
            => |model, _, effects| picker::open(model, Kind::Files, effects);
        PickBase "task.changes" "rank what changed since a revision" "" [Normal: "g b"]
            => |model, _, effects| picker::open(model, Kind::Base, effects);
        TrailSave "trail.save" "save the task with its trail under a name" "" []
            => |model, _, _| ask_argument(model, Command::TrailSave);
        TrailOpen "trail.open" "the trails of other tasks" "" [] => |model, _, _| overlay::trail::open(model, true);
        TrailDelete "trail.delete" "delete a trail" "" [] => |model, _, _| ask_argument(model, Command::TrailDelete);
        SessionClear "session.clear" "start over: no task, trail, drops or mutes" "" [] => settings::start_over;
        PickMore "task.pick" "pick this file too" "" [Picker: "Tab"];
        NewLine "task.newline" "insert a line break" "" [Task: "A-Enter"] => edit!(InsertChar('\n'));
        ClearBefore "edit.clear" "delete to the start of the line" "clear" [Field: "C-u"] changes => edit!(DeleteFromStart);
        DeleteWord "edit.word" "delete the previous word" "" [Field: "C-w" "A-Backspace"] => edit!(DeletePrevWord);
        DeleteRest "edit.rest" "delete to the end of the line" "" [Field: "C-k"] => edit!(DeleteTillEnd);
        DeleteBefore "edit.backspace" "delete the previous character" "" [Field: "Backspace"] => edit!(DeletePrevChar);
        DeleteAfter "edit.delete" "delete the next character" "" [Field: "Delete" "C-d"] => edit!(DeleteNextChar);
        UndoTyping "task.undo" "undo typing" "" [Task: "C-_"] changes
            => |model, now, effects| task::undo(model, true, now, effects);
        RedoTyping "task.redo" "redo typing" "" [Task: "A-_"] changes
            => |model, now, effects| task::undo(model, false, now, effects);
        LineStart "edit.start" "start of the line" "" [Field: "C-a" "Home"] => edit!(GoToStart);
        LineEnd "edit.end" "end of the line" "" [Field: "C-e" "End"] => edit!(GoToEnd);
        WordLeft "edit.word-left" "previous word" "" [Field: "A-b"] => edit!(GoToPrevWord);
        WordRight "edit.word-right" "next word" "" [Field: "A-f"] => edit!(GoToNextWord);
        LetterLeft "edit.left" "previous character" "" [Field: "Left"] => edit!(GoToPrevChar);
        LetterRight "edit.right" "next character" "" [Field: "Right"] => edit!(GoToNextChar);

        // Feedback.
        VoteUp "feedback.up" "vote useful, or clear the vote" "useful" [Normal: "+" "=", Concepts: "+" "="],
            unless(without_definition) changes => |model, now, effects| feedback::vote(model, Vote::Useful, now, effects);
        VoteDown "feedback.down" "vote not useful, or clear the vote" "" [Normal: "-", Concepts: "-"],
            unless(without_definition) changes => |model, now, effects| feedback::vote(model, Vote::NotUseful, now, effects);
        Pin "trail.keep" "keep for this task, or stop keeping" "keep" [Normal: "Space"],
            unless(without_definition) changes
            => |model, now, effects| feedback::set_pin_state(model, PinState::Pinned, now, effects);
        TrailNote "trail.note" "keep with a note" "note" [Normal: "a", Trail: "a"], unless(without_definition)
            => |model, _, _| trail::add_note(model);
        Trail "trail.show" "reading trail of this task" "" [Normal: "t", Trail: "t"]
            => |model, _, _| overlay::trail::open(model, false);
        TrailTurn "trail.turn" "trails of other tasks, or of this one" "others" [Trail: "Tab"];
        TrailRemove "trail.remove" "remove from the trail" "remove" [Trail: "x" "Delete" "Space"];
        TrailUp "trail.up" "move the step up" "order" [Trail: "K"];
        TrailDown "trail.down" "move the step down" "order" [Trail: "J"];
        TrailCopy "trail.copy" "copy the trail as Markdown" "copy" [Normal: "y t", Trail: "y"],
            unless(without_trail) => |model, _, effects| trail::copy(model, effects);
        Drop "pack.drop" "drop from what agents get, or restore" "" [Normal: "x"], unless(without_definition) changes
            => |model, now, effects| feedback::set_pin_state(model, PinState::Dropped, now, effects);
        SteerBranch "agents.branch" "keep and drop for this task, or for the branch" "" [Normal: "P"] changes
            => |model, _, effects| feedback::steer_branch(model, effects);
        Undo "feedback.undo" "undo the last vote, keep, drop, mute, copy or new task" "undo" [Normal: "u", Concepts: "u", Trail: "u"],
            unless(nothing_done) changes => feedback::undo;
        Redo "feedback.redo" "redo" "" [Normal: "C-r", Concepts: "C-r", Trail: "C-r"], unless(nothing_undone) changes => feedback::redo;
        Votes "feedback.show" "votes and learned terms" "" [Normal: "g v"]
            => |model, _, effects| overlay::votes::open(model, effects);
        LearnToggle "feedback.use" "learn from edits, copies and exports: on or off" "" [] changes
            => |model, _, _| feedback::toggle_learning(model);
        VotesTurn "feedback.turn" "switch between votes and learned terms" "terms" [Votes: "Tab"];
        VotesUndo "feedback.undo-entry" "undo this entry, or redo it" "undo" [Votes: "x" "Delete" "Space"];

        // Moving within a pane.
        Down "move.down" "next row or line" "" [Normal: "j" "Down", Task: "Down" "C-n"]
            => |model, _, _| navigation::move_by(model, Step::Rows(1));
        Up "move.up" "previous row or line" "" [Normal: "k" "Up", Task: "Up" "C-p"]
            => |model, _, _| navigation::move_by(model, Step::Rows(-1));
        Top "move.top" "first row or line" "" [Normal: "g g" "Home"] jumps
            => |model, _, _| navigation::move_by(model, Step::Rows(isize::MIN / 2));
        Bottom "move.bottom" "last row or line" "" [Normal: "G" "End"] jumps
            => |model, _, _| navigation::move_by(model, Step::Rows(isize::MAX / 2));
        HalfDown "move.half-down" "half a page down" "" [Normal: "C-d"]
            => |model, _, _| navigation::move_by(model, Step::HalfPages(1));
        HalfUp "move.half-up" "half a page up" "" [Normal: "C-u"]
            => |model, _, _| navigation::move_by(model, Step::HalfPages(-1));
        PageDown "move.page-down" "page down" "" [Normal: "C-f" "PageDown", Task: "PageDown"]
            => |model, _, _| navigation::move_by(model, Step::Pages(1));
        PageUp "move.page-up" "page up" "" [Normal: "C-b" "PageUp", Task: "PageUp"]
            => |model, _, _| navigation::move_by(model, Step::Pages(-1));

        // The ranking.
        BudgetLess "budget.less" "fewer tokens for agents" "" [Normal: "<"]
            => |model, now, effects| ranking::step_budget(model, false, now, effects);
        BudgetMore "budget.more" "more tokens for agents" "" [Normal: ">"]
            => |model, now, effects| ranking::step_budget(model, true, now, effects);
        BudgetSet "budget.set" "set how many tokens agents get" "" [Normal: "b"] => |model, _, _| settings::ask_budget(model);
        Refresh "pack.refresh" "update the index and rank again" "" [Normal: "r"] => ranking::refresh;
        FindSymbol "go.symbol" "go to any symbol by name" "" [Normal: "g o", Task: "C-t"]
            => |model, _, _| finder::open(model, Purpose::Visit);
    }
    AFTER_PANES {
        // All panes.
        Filter "list.filter" "filter the list" "filter" [Normal: "/", Concepts: "/", Votes: "/"],
            unless(nothing_to_filter) => |model, _, _| overlay::filter::open(model);
        Fold "pane.fold" "fold or unfold" "" [Normal: "z a"]
            => |model, _, effects| navigation::fold(model, effects);
        NextPane "pane.next" "next pane" "" [Normal: "Tab" "C-w w", Task: "Tab"]
            => |model, _, _| navigation::set_focus(model, model.focus.cycled(1));
        PreviousPane "pane.previous" "previous pane" "" [Normal: "S-Tab" "C-w p", Task: "S-Tab"]
            => |model, _, _| navigation::set_focus(model, model.focus.cycled(-1));
        GoBack "go.previous" "back to the place or the task before" "" [Normal: "H" "C-o"], unless(nothing_before)
            => |model, now, effects| navigation::walk_jump_list(model, false, now, effects);
        GoForward "go.next" "forward again" "" [Normal: "L"]
            => |model, now, effects| navigation::walk_jump_list(model, true, now, effects);
        Zoom "pane.zoom" "zoom this pane" "" [Normal: "Z"] => |model, _, _| model.zoomed = !model.zoomed;
        Back "go.back" "clear marks or filter, or go to the list" "" [Normal: "Esc"], unless(nothing_to_leave)
            => |model, _, _| navigation::back(model);

        // Concepts.
        Concepts "concepts.show" "concepts that the task matches" "" [Normal: "*"], unless(without_task)
            => |model, _, _| concepts::open(model);
        NextMatch "concepts.next-match" "next symbol of the concept" "match" [Normal: "n", Concepts: "n" "j"],
            unless(without_match) jumps => |model, _, _| concepts::step(model, 1);
        PreviousMatch "concepts.previous-match" "previous symbol of the concept" "match" [Normal: "N", Concepts: "N" "k"],
            unless(without_match) jumps => |model, _, _| concepts::step(model, -1);
        NextConcept "concepts.next" "next concept" "concept" [Concepts: "Tab"] => |model, _, _| concepts::cycle(model, 1);
        PreviousConcept "concepts.previous" "previous concept" "concept" [Concepts: "S-Tab"]
            => |model, _, _| concepts::cycle(model, -1);
        MuteConcept "concepts.mute" "mute the concept, or unmute" "mute" [Concepts: "M"],
            unless(without_concept) changes => concepts::mute;

        // Copy and export.
        CopySymbol "copy.symbol" "copy signature and path:line" "" [Normal: "y y"], unless(without_symbol)
            => |model, _, effects| export::copy_signature(model, effects);
        CopyLocation "copy.location" "copy path:line" "" [Normal: "y l"], unless(without_symbol)
            => |model, _, effects| export::copy_location(model, effects);
        CopySource "copy.source" "copy the source of this symbol" "" [Normal: "y s"], unless(without_symbol)
            => |model, _, effects| export::copy_source(model, effects);
        CopyExplanation "copy.explanation" "copy the explanation as a Markdown table" "" [Normal: "y x"],
            unless(without_definition) => |model, _, effects| export::copy_explanation(model, effects);
        CopyMatches "copy.matches" "copy the symbols of the concept" "" [Normal: "y n", Concepts: "y"],
            unless(without_concept) => |model, _, effects| export::copy_matches(model, effects);
        CopyPack "copy.pack" "copy the list for an agent" "" [Normal: "y p" "y g"], unless(without_task)
            => |model, _, effects| export::copy_pack(model, "gcf", effects);
        CopyJson "copy.json" "copy the list as JSON" "" [Normal: "y j"], unless(without_task)
            => |model, _, effects| export::copy_pack(model, "json", effects);
        CopyMarkdown "copy.markdown" "copy the list as Markdown" "" [Normal: "y m"], unless(without_task)
            => |model, _, effects| export::copy_pack(model, "markdown", effects);
        Send "agents.send" "send to the next agent that asks" "" [Normal: "y a"] changes => feedback::send;
        CopyXml "copy.xml" "copy the list as XML" "" [], unless(without_task)
            => |model, _, effects| export::copy_pack(model, "xml", effects);
        CopyCommand "copy.command" "copy the equivalent command line" "" [Normal: "y c"], unless(without_task)
            => |model, _, effects| export::copy_command(model, effects);
        Export "export.dialog" "choose format, contents and target" "" [Normal: "y e"], unless(without_task)
            => |model, _, effects| overlay::export::open(model, effects);
        ExportFile "export.file" "write the list to a file" "" [Normal: "y w", Export: "w"],
            unless(without_task) changes => |model, _, _| ask_argument(model, Command::ExportFile);
        PrintPack "export.stdout" "quit and print the list" "" [Normal: "y o" "Q"],
            unless(without_task) changes => |model, _, effects| export::print(model, effects);
        ExportFormat "export.format" "next format" "format" [Export: "f"];
        ExportBodies "export.bodies" "with or without bodies" "bodies" [Export: "b"];
        ExportEdges "export.edges" "with or without edges" "edges" [Export: "e"];
        ExportTo "export.to" "clipboard, file or standard output" "to" [Export: "t"];

        // Windows on top of the panes.
        OverlayRun "window.run" "accept the selected line" "run" [Overlay: "Enter"] jumps;
        OverlayClose "window.close" "close" "close" [Overlay: "Esc"];
        OverlayDown "window.down" "next line" "" [Overlay: "Down" "C-n", Trail: "j"];
        OverlayPageDown "window.page-down" "page down" "" [Overlay: "PageDown"];
        OverlayPageUp "window.page-up" "page up" "" [Overlay: "PageUp"];
        OverlayUp "window.up" "previous line" "" [Overlay: "Up" "C-p", Trail: "k"];
        OverlayTop "window.top" "first line" "" [Overlay: "Home"];
        OverlayBottom "window.bottom" "last line" "" [Overlay: "End"];

        // The program.
        Help "app.keys" "all keys" "keys" [Normal: "?", Empty: "?", Concepts: "?", Votes: "?", Trail: "?", Export: "?", Global: "F1"]
            => |model, _, _| overlay::keys::open(model);
        Palette "app.commands" "all commands" "" [Normal: ":", Global: "F2"] => |model, _, _| palette::toggle(model, "");
        Complete "window.complete" "complete the name or argument" "" [Overlay: "Tab"];
        CopyBinding "window.binding" "copy the line as a key binding for config.toml" "" [Overlay: "C-y"];
        Mouse "app.mouse" "mouse: on or off" "" []
            => |model, _, effects| settings::set_mouse(model, !model.settings.mouse, effects);
        SetTheme "app.theme" "set the theme" "" [] => |model, _, _| ask_argument(model, Command::SetTheme);
        SetGlyphs "app.glyphs" "draw with Unicode or plain ASCII" "" []
            => |model, _, _| ask_argument(model, Command::SetGlyphs);
        Reload "app.reload" "reload the settings" "" [] => |_, _, effects| effects.push(Effect::Reload);
        Messages "app.messages" "messages of this session" "" [Normal: "g m"] => |model, _, _| overlay::messages::open(model);
        Repositories "app.repositories" "repositories and their indexes" "" [Normal: "g R"]
            => |model, _, effects| overlay::repositories::open(model, effects);
        Quit "app.quit" "quit" "quit" [Normal: "q"] changes => |_, _, effects| effects.push(Effect::Quit);
        Cancel "app.cancel" "cancel the ranking, or quit" "quit" [Global: "C-c"] changes
            => |model, _, effects| settings::cancel(model, effects);
        Suspend "app.suspend" "suspend" "" [Global: "C-z"] => |_, _, effects| effects.push(Effect::Suspend);
        Redraw "app.redraw" "redraw the screen" "" [Global: "C-l"] => |_, _, effects| effects.push(Effect::Redraw);

        // Of use only without a task.
        ExampleOne "task.example-1" "rank the first example task" "" [Task: "A-1", Normal: "A-1"],
            unless(without_example) changes => |model, now, effects| task::take_example(model, 0, now, effects);
        ExampleTwo "task.example-2" "rank the second example task" "" [Task: "A-2", Normal: "A-2"],
            unless(without_example) changes => |model, now, effects| task::take_example(model, 1, now, effects);
        ExampleThree "task.example-3" "rank the third example task" "" [Task: "A-3", Normal: "A-3"],
            unless(without_example) changes => |model, now, effects| task::take_example(model, 2, now, effects);
    }
}

impl Command {
    /// Returns whether the command, given in the task line, moves in the list.
    pub fn scrolls_list(self) -> bool {
        matches!(self, Command::Down | Command::Up | Command::PageDown | Command::PageUp)
    }
}

/// Returns the reason of a command that needs a symbol while there is none.
pub fn without_symbol(model: &Model) -> Option<&'static str> {
    navigation::targets(model).is_err().then_some("no symbol is selected")
}

/// Returns the reason of a command that needs a symbol of the code.
pub fn without_definition(model: &Model) -> Option<&'static str> {
    without_symbol(model).or_else(|| navigation::without_definition(model))
}

fn without_task(model: &Model) -> Option<&'static str> {
    model.task.is_empty().then_some("there is no task yet")
}

fn without_trail(model: &Model) -> Option<&'static str> {
    model.task.trail.steps.is_empty().then_some("nothing is kept for this task yet")
}

fn without_comparison(model: &Model) -> Option<&'static str> {
    model.runs.last_two().is_none().then_some("there is one ranking so far; the next one can be compared with it")
}

fn without_concept(model: &Model) -> Option<&'static str> {
    model.concepts.current().is_none().then_some("the task matches no concept")
}

fn without_match(model: &Model) -> Option<&'static str> {
    let is_empty = model.concepts.concepts().iter().all(|concept| concept.symbols.is_empty());
    is_empty.then_some("no concept of the task has a symbol here")
}

fn without_example(model: &Model) -> Option<&'static str> {
    model.examples.tasks.is_empty().then_some("there is no example")
}

fn nothing_done(model: &Model) -> Option<&'static str> {
    model.feedback.done.is_empty().then_some("there is nothing to undo")
}

fn nothing_undone(model: &Model) -> Option<&'static str> {
    model.feedback.undone.is_empty().then_some("there is nothing to redo")
}

fn nothing_before(model: &Model) -> Option<&'static str> {
    model.jump_list.is_at_oldest().then_some("there is no previous location")
}

fn nothing_to_filter(model: &Model) -> Option<&'static str> {
    let are_votes = model.overlays.iter().any(|window| matches!(window, overlay::Overlay::Votes(_)));
    (!are_votes && model.panes.pack.symbols.is_empty()).then_some("the list is empty")
}

fn nothing_to_leave(model: &Model) -> Option<&'static str> {
    (!model.zoomed && model.panes.pack.stage == Stage::Empty).then_some("there is nothing to go back to")
}
