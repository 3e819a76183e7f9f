//! The table of the commands that belong to no pane: name, title, word of the hint bar, keys by context; the function that
//! returns why the command would do nothing now, whether it is a jump, and whether it changes data.
//!
//! The rows are in two groups because the order of the commands is that of the hint bar, and panes come between.

use super::{CommandSpec, Context};
use crate::tui::model::Model;
use crate::tui::panes::PaneId;
use crate::tui::panes::pack::Stage;
use crate::tui::update::navigation;

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
        [$($context:ident: $($key:literal)+),*] $(, unless($reason:ident))? $($flag:ident)*;)*) => {
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
        [$($context:ident: $($key:literal)+),*] $(, unless($reason:ident))? $($flag:ident)*;)*) => {
        /// Rows of the table.
        pub static $table: &[CommandSpec] = &[$(
            CommandSpec::new(Command::$variant, $name, $title, $hint, &[$($((Context::$context, $key)),+),*])
                $(.unless($reason))? $(.$flag())*
        ),*];
    };
}

commands! {
    BEFORE_PANES {
        // The task line and other text fields.
        Submit "task.run" "rank the task now" "run" [Task: "Enter"], unless(without_task);
        LeaveTask "task.leave" "go to the list" "list" [Task: "Esc"];
        EditTask "task.edit" "edit the task" "task" [Normal: "i" "1"];
        NewTask "task.new" "write another task; H leads back to this one" "new task" [Normal: "I"];
        History "task.history" "history of rankings and tasks" "" [Task: "C-r", Normal: "g h"];
        CompareLast "history.compare" "what changed since the last ranking" "" [Normal: "d"], unless(without_comparison);
        Compose "task.compose" "edit the task in your editor" "" [Task: "C-o"];
        PickFiles "task.files" "pick files to rank for" "" [Normal: "g p"];
        PickBase "task.changes" "rank what changed since a branch" "" [Normal: "g b"];
        TrailSave "trail.save" "save the task with its trail under a name" "" [];
        TrailOpen "trail.open" "the trails of other tasks" "" [];
        TrailDelete "trail.delete" "delete a trail" "" [];
        SessionClear "session.clear" "start over: no task, trail, drops or mutes" "" [];
        PickMore "task.pick" "pick this file too" "" [Picker: "Tab"];
        NewLine "task.newline" "insert a line break" "" [Task: "A-Enter"];
        ClearBefore "edit.clear" "delete to the start of the line" "clear" [Field: "C-u"] changes;
        DeleteWord "edit.word" "delete the previous word" "" [Field: "C-w" "A-Backspace"];
        DeleteRest "edit.rest" "delete to the end of the line" "" [Field: "C-k"];
        DeleteBefore "edit.backspace" "delete the previous character" "" [Field: "Backspace"];
        DeleteAfter "edit.delete" "delete the next character" "" [Field: "Delete" "C-d"];
        UndoTyping "task.undo" "undo typing" "" [Task: "C-_"] changes;
        RedoTyping "task.redo" "redo typing" "" [Task: "A-_"] changes;
        LineStart "edit.start" "start of the line" "" [Field: "C-a" "Home"];
        LineEnd "edit.end" "end of the line" "" [Field: "C-e" "End"];
        WordLeft "edit.word-left" "previous word" "" [Field: "A-b"];
        WordRight "edit.word-right" "next word" "" [Field: "A-f"];
        LetterLeft "edit.left" "previous character" "" [Field: "Left"];
        LetterRight "edit.right" "next character" "" [Field: "Right"];

        // Feedback.
        VoteUp "feedback.up" "vote useful, or clear the vote" "useful" [Normal: "+" "=", Concepts: "+" "="],
            unless(without_definition) changes;
        VoteDown "feedback.down" "vote not useful, or clear the vote" "" [Normal: "-", Concepts: "-"],
            unless(without_definition) changes;
        Pin "trail.keep" "keep for this task and its agents, or not" "keep" [Normal: "Space"],
            unless(without_definition) changes;
        TrailNote "trail.note" "keep with a note" "note" [Normal: "a", Trail: "a"], unless(without_definition);
        Trail "trail.show" "reading trail of this task" "" [Normal: "t", Trail: "t"];
        TrailTurn "trail.turn" "trails of other tasks, or of this one" "others" [Trail: "Tab"];
        TrailRemove "trail.remove" "remove from the trail" "remove" [Trail: "x" "Delete" "Space"];
        TrailUp "trail.up" "move the step up" "order" [Trail: "K"];
        TrailDown "trail.down" "move the step down" "order" [Trail: "J"];
        TrailCopy "trail.copy" "copy the trail as Markdown" "copy" [Normal: "y t", Trail: "y"],
            unless(without_trail);
        Drop "pack.drop" "leave out of what agents get, or bring back" "" [Normal: "x"], unless(without_definition) changes;
        SteerBranch "agents.branch" "what is kept for agents: for this task or the branch" "" [Normal: "P"] changes;
        Undo "feedback.undo" "undo the last vote, keep, drop, mute, copy or new task" "undo" [Normal: "u", Concepts: "u"],
            unless(nothing_done) changes;
        Redo "feedback.redo" "redo" "" [Normal: "C-r", Concepts: "C-r"], unless(nothing_undone) changes;
        Votes "feedback.show" "votes and learned terms" "" [Normal: "g v"];
        LearnToggle "feedback.use" "learn from edits, copies and exports: on or off" "" [] changes;
        VotesTurn "feedback.turn" "switch between votes and learned terms" "terms" [Votes: "Tab"];
        VotesUndo "feedback.undo-entry" "undo this entry, or redo it" "undo" [Votes: "x" "Delete" "Space"];

        // Moving within a pane.
        Down "move.down" "next row or line" "" [Normal: "j" "Down", Task: "Down" "C-n"];
        Up "move.up" "previous row or line" "" [Normal: "k" "Up", Task: "Up" "C-p"];
        Top "move.top" "first row or line" "" [Normal: "g g" "Home"] jumps;
        Bottom "move.bottom" "last row or line" "" [Normal: "G" "End"] jumps;
        HalfDown "move.half-down" "half a page down" "" [Normal: "C-d"];
        HalfUp "move.half-up" "half a page up" "" [Normal: "C-u"];
        PageDown "move.page-down" "page down" "" [Normal: "C-f" "PageDown", Task: "PageDown"];
        PageUp "move.page-up" "page up" "" [Normal: "C-b" "PageUp", Task: "PageUp"];

        // The ranking.
        BudgetLess "budget.less" "fewer tokens for agents" "" [Normal: "<"];
        BudgetMore "budget.more" "more tokens for agents" "" [Normal: ">"];
        BudgetSet "budget.set" "set how many tokens agents get" "" [Normal: "b"];
        Refresh "pack.refresh" "update the index and rank again" "" [Normal: "r"];
        FindSymbol "go.symbol" "go to any symbol by name" "" [Normal: "g o", Task: "C-t"];
    }
    AFTER_PANES {
        // All panes.
        Filter "list.filter" "filter the list" "filter" [Normal: "/", Concepts: "/", Votes: "/"];
        Fold "pane.fold" "unfold what also changes, a node" "" [Normal: "z a"];
        NextPane "pane.next" "next pane" "" [Normal: "Tab" "C-w w", Task: "Tab"];
        PreviousPane "pane.previous" "previous pane" "" [Normal: "S-Tab" "C-w p", Task: "S-Tab"];
        GoBack "go.previous" "back to the place or the task before" "" [Normal: "H" "C-o"], unless(nothing_before);
        GoForward "go.next" "forward again" "" [Normal: "L"];
        Zoom "pane.zoom" "zoom this pane" "" [Normal: "Z"];
        Back "go.back" "clear marks or filter, else to the list" "" [Normal: "Esc"], unless(nothing_to_leave);

        // Concepts.
        Concepts "concepts.show" "concepts that the task matches" "" [Normal: "*"], unless(without_task);
        NextMatch "concepts.next-match" "next symbol of the concept" "match" [Normal: "n", Concepts: "n" "j"],
            unless(without_match) jumps;
        PreviousMatch "concepts.previous-match" "previous symbol of the concept" "match" [Normal: "N", Concepts: "N" "k"],
            unless(without_match) jumps;
        NextConcept "concepts.next" "next concept" "concept" [Concepts: "Tab"];
        PreviousConcept "concepts.previous" "previous concept" "concept" [Concepts: "S-Tab"];
        MuteConcept "concepts.mute" "mute the concept, or unmute" "mute" [Concepts: "M"],
            unless(without_concept) changes;

        // Copy and export.
        CopySymbol "copy.symbol" "copy signature and path:line" "" [Normal: "y y"], unless(without_symbol);
        CopyLocation "copy.location" "copy path:line" "" [Normal: "y l"], unless(without_symbol);
        CopySource "copy.source" "copy the source of this symbol" "" [Normal: "y s"], unless(without_symbol);
        CopyExplanation "copy.explanation" "copy why as a Markdown table" "" [Normal: "y x"],
            unless(without_definition);
        CopyMatches "copy.matches" "copy the symbols of the concept" "" [Normal: "y n", Concepts: "y"],
            unless(without_concept);
        CopyPack "copy.pack" "copy the list for an agent" "" [Normal: "y p" "y g"], unless(without_task);
        CopyJson "copy.json" "copy the list as JSON" "" [Normal: "y j"], unless(without_task);
        CopyMarkdown "copy.markdown" "copy the list as Markdown" "" [Normal: "y m"], unless(without_task);
        Send "agents.send" "hand to the next agent that asks" "" [Normal: "y a"] changes;
        CopyXml "copy.xml" "copy the list as XML" "" [], unless(without_task);
        CopyCommand "copy.command" "copy the equivalent command line" "" [Normal: "y c"], unless(without_task);
        Export "export.dialog" "choose format, parts and target" "" [Normal: "y e"], unless(without_task);
        ExportFile "export.file" "write the list to a file" "" [Normal: "y w", Export: "w"],
            unless(without_task) changes;
        PrintPack "export.stdout" "quit and print the list" "" [Normal: "y o" "Q"],
            unless(without_task) changes;
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
        Help "app.keys" "all keys" "keys" [Normal: "?", Empty: "?", Concepts: "?", Votes: "?", Trail: "?", Export: "?", Global: "F1"];
        Palette "app.commands" "all commands" "" [Normal: ":", Global: "F2"];
        Complete "window.complete" "complete the name or argument" "" [Overlay: "Tab"];
        CopyBinding "window.binding" "copy the line as a key binding for config.toml" "" [Overlay: "C-y"];
        Mouse "app.mouse" "mouse: on or off" "" [];
        SetTheme "app.theme" "set the theme" "" [];
        SetGlyphs "app.glyphs" "draw with Unicode or plain ASCII" "" [];
        Reload "app.reload" "reload the settings" "" [];
        Messages "app.messages" "messages of this session" "" [Normal: "g m"];
        Repositories "app.repositories" "repositories and their indexes" "" [Normal: "g R"];
        Quit "app.quit" "quit" "quit" [Normal: "q"] changes;
        Cancel "app.cancel" "cancel the ranking, else quit" "quit" [Global: "C-c"] changes;
        Suspend "app.suspend" "suspend" "" [Global: "C-z"];
        Redraw "app.redraw" "redraw the screen" "" [Global: "C-l"];

        // Of use only without a task.
        ExampleOne "task.example-1" "rank the first example task" "" [Task: "A-1", Normal: "A-1"],
            unless(without_example) changes;
        ExampleTwo "task.example-2" "rank the second example task" "" [Task: "A-2", Normal: "A-2"],
            unless(without_example) changes;
        ExampleThree "task.example-3" "rank the third example task" "" [Task: "A-3", Normal: "A-3"],
            unless(without_example) changes;
    }
}

/// Returns the reason of a command that needs a symbol while there is none.
pub fn without_symbol(model: &Model) -> Option<&'static str> {
    navigation::targets(model).is_err().then_some("no symbol is selected")
}

/// Returns the reason of a command that needs a symbol of the code.
pub fn without_definition(model: &Model) -> Option<&'static str> {
    without_symbol(model).or_else(|| navigation::definitions(model).is_err().then_some(navigation::IS_SECTION))
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
    model.jump_list.is_at_oldest().then_some("there is no place before")
}

fn nothing_to_leave(model: &Model) -> Option<&'static str> {
    (!model.zoomed && model.panes.pack.stage == Stage::Empty).then_some("there is nothing to go back to")
}
