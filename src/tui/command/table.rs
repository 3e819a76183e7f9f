//! The table of the commands that belong to no pane: name, title, word of the hint bar, keys by context.
//!
//! The rows are in two groups because the order of the commands is that of the hint bar, and panes come between.

use super::{CommandSpec, Context};
use crate::tui::panes::PaneId;

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
        [$($context:ident: $($key:literal)+),*];)*) => {
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
        [$($context:ident: $($key:literal)+),*];)*) => {
        /// Rows of the table.
        pub static $table: &[CommandSpec] = &[$(CommandSpec {
            command: Command::$variant,
            name: $name,
            title: $title,
            hint: $hint,
            bindings: &[$($((Context::$context, $key)),+),*],
        }),*];
    };
}

commands! {
    BEFORE_PANES {
        // The task line and other text fields.
        Submit "task.run" "rank the task now" "run" [Task: "Enter"];
        LeaveTask "task.leave" "go to the list" "list" [Task: "Esc"];
        EditTask "task.edit" "edit the task" "task" [Normal: "i" "1"];
        History "task.history" "task history" "" [Task: "C-r"];
        Compose "task.compose" "edit the task in your editor" "" [Task: "C-o"];
        PickFiles "task.files" "pick files to rank for" "" [Normal: "g p"];
        PickBase "task.changes" "rank what changed since a branch" "" [Normal: "g b"];
        PackSave "pack.save" "save the task with its pins under a name" "" [];
        PackOpen "pack.open" "open a named pack" "" [];
        PackDelete "pack.delete" "delete a named pack" "" [];
        SessionClear "session.clear" "start anew: no task, pins, drops or mutes" "" [];
        PickMore "task.pick" "pick this file too" "pick" [Picker: "Tab"];
        NewLine "task.newline" "insert a line break" "" [Task: "A-Enter"];
        ClearBefore "edit.clear" "delete to the start of the line" "" [Field: "C-u"];
        DeleteWord "edit.word" "delete the previous word" "" [Field: "C-w" "A-Backspace"];
        DeleteRest "edit.rest" "delete to the end of the line" "" [Field: "C-k"];
        DeleteBefore "edit.backspace" "delete the previous character" "" [Field: "Backspace"];
        DeleteAfter "edit.delete" "delete the next character" "" [Field: "Delete" "C-d"];
        UndoTyping "task.undo" "undo typing" "" [Task: "C-_"];
        RedoTyping "task.redo" "redo typing" "" [Task: "A-_"];
        LineStart "edit.start" "start of the line" "" [Field: "C-a" "Home"];
        LineEnd "edit.end" "end of the line" "" [Field: "C-e" "End"];
        WordLeft "edit.word-left" "previous word" "" [Field: "A-b"];
        WordRight "edit.word-right" "next word" "" [Field: "A-f"];
        LetterLeft "edit.left" "previous character" "" [Field: "Left"];
        LetterRight "edit.right" "next character" "" [Field: "Right"];

        // Feedback.
        VoteUp "feedback.up" "vote useful, or clear the vote" "vote" [Normal: "+" "=", Concepts: "+" "="];
        VoteDown "feedback.down" "vote not useful, or clear the vote" "vote" [Normal: "-", Concepts: "-"];
        Pin "pack.pin" "pin to the pack, or unpin" "pin" [Normal: "Space"];
        Drop "pack.drop" "drop from the pack, or restore" "drop" [Normal: "x"];
        SteerBranch "agents.branch" "agents' pins: task or branch" "" [Normal: "P"];
        Undo "feedback.undo" "undo the last vote, pin, drop, mute or sending" "undo" [Normal: "u", Concepts: "u"];
        Redo "feedback.redo" "redo" "" [Normal: "C-r", Concepts: "C-r"];
        Votes "feedback.show" "votes and learned terms" "" [Normal: "g v"];
        LearnToggle "feedback.use" "learn from edits, copies and exports: on or off" "" [];
        VotesTurn "feedback.turn" "switch between votes and learned terms" "terms" [Votes: "Tab"];
        VotesUndo "feedback.undo-entry" "undo this entry, or redo it" "undo" [Votes: "x" "Delete" "Space"];

        // Moving within a pane.
        Down "move.down" "next row or line" "" [Normal: "j" "Down", Task: "Down" "C-n"];
        Up "move.up" "previous row or line" "" [Normal: "k" "Up", Task: "Up" "C-p"];
        Top "move.top" "first row or line" "" [Normal: "g g" "Home"];
        Bottom "move.bottom" "last row or line" "" [Normal: "G" "End"];
        HalfDown "move.half-down" "half a page down" "" [Normal: "C-d"];
        HalfUp "move.half-up" "half a page up" "" [Normal: "C-u"];
        PageDown "move.page-down" "page down" "" [Normal: "C-f" "PageDown", Task: "PageDown"];
        PageUp "move.page-up" "page up" "" [Normal: "C-b" "PageUp", Task: "PageUp"];

        // The ranking.
        BudgetLess "budget.less" "smaller token budget" "budget" [Normal: "<"];
        BudgetMore "budget.more" "larger token budget" "budget" [Normal: ">"];
        BudgetSet "budget.set" "set the token budget" "" [Normal: "b"];
        Refresh "pack.refresh" "update the index and rank again" "" [Normal: "r"];
        FindSymbol "go.symbol" "go to any symbol by name" "" [Normal: "g o", Task: "C-t"];
    }
    AFTER_PANES {
        // All panes.
        Filter "list.filter" "filter the list" "filter" [Normal: "/", Concepts: "/", Votes: "/"];
        Fold "pane.fold" "fold or unfold the selected row" "" [Normal: "z a"];
        NextPane "pane.next" "next pane" "" [Normal: "Tab" "C-w w", Task: "Tab"];
        PreviousPane "pane.previous" "previous pane" "" [Normal: "S-Tab" "C-w p", Task: "S-Tab"];
        GoBack "go.previous" "back in the jump list" "" [Normal: "H"];
        GoForward "go.next" "forward in the jump list" "" [Normal: "L"];
        Zoom "pane.zoom" "zoom this pane" "" [Normal: "Z"];
        Back "go.back" "clear marks or filter, else to the list" "" [Normal: "Esc"];

        // Concepts.
        Concepts "concepts.show" "concepts that the task matches" "concepts" [Normal: "*"];
        NextMatch "concepts.next-match" "next symbol of the concept" "match" [Normal: "n", Concepts: "n" "j"];
        PreviousMatch "concepts.previous-match" "previous symbol of the concept" "match" [Normal: "N", Concepts: "N" "k"];
        NextConcept "concepts.next" "next concept" "concept" [Concepts: "Tab"];
        PreviousConcept "concepts.previous" "previous concept" "concept" [Concepts: "S-Tab"];
        MuteConcept "concepts.mute" "mute the concept, or unmute" "mute" [Concepts: "M"];

        // Copy and export.
        CopySymbol "copy.symbol" "copy signature and path:line" "" [Normal: "y y"];
        CopyLocation "copy.location" "copy path:line" "" [Normal: "y l"];
        CopySource "copy.source" "copy the source of this symbol" "" [Normal: "y s"];
        CopyExplanation "copy.explanation" "copy the explanation as a Markdown table" "" [Normal: "y x"];
        CopyMatches "copy.matches" "copy the symbols of the concept" "" [Normal: "y n", Concepts: "y"];
        CopyPack "copy.pack" "copy the pack" "copy" [Normal: "y p"];
        CopyGcf "copy.gcf" "copy the pack as GCF" "" [Normal: "y g"];
        CopyJson "copy.json" "copy the pack as JSON" "" [Normal: "y j"];
        CopyMarkdown "copy.markdown" "copy the pack as Markdown" "" [Normal: "y m"];
        Send "agents.send" "send to the next agent" "" [Normal: "y a"];
        CopyXml "copy.xml" "copy the pack as XML" "" [];
        CopyCommand "copy.command" "copy the equivalent command line" "" [Normal: "y c"];
        Export "export.dialog" "choose format, contents and destination" "" [Normal: "y e"];
        ExportFile "export.file" "write the pack to a file" "" [Normal: "y w", Export: "w"];
        PrintPack "export.stdout" "quit and print the pack to standard output" "" [Normal: "y o" "Q"];
        ExportFormat "export.format" "next format" "format" [Export: "f"];
        ExportBodies "export.bodies" "with or without bodies" "bodies" [Export: "b"];
        ExportEdges "export.edges" "with or without edges" "edges" [Export: "e"];
        ExportTo "export.to" "clipboard, file or standard output" "to" [Export: "t"];

        // Windows on top of the panes.
        OverlayRun "window.run" "accept the selected line" "run" [Overlay: "Enter"];
        OverlayClose "window.close" "close" "close" [Overlay: "Esc"];
        OverlayDown "window.down" "next line" "" [Overlay: "Down" "C-n"];
        OverlayPageDown "window.page-down" "page down" "" [Overlay: "PageDown"];
        OverlayPageUp "window.page-up" "page up" "" [Overlay: "PageUp"];
        OverlayUp "window.up" "previous line" "" [Overlay: "Up" "C-p"];
        OverlayTop "window.top" "first line" "" [Overlay: "Home"];
        OverlayBottom "window.bottom" "last line" "" [Overlay: "End"];

        // The program.
        Help "app.keys" "all keys" "keys" [Normal: "?", Concepts: "?", Votes: "?", Export: "?", Global: "F1"];
        Palette "app.commands" "all commands" "commands" [Normal: ":", Global: "F2"];
        Complete "window.complete" "complete the name or argument" "" [Overlay: "Tab"];
        CopyBinding "window.binding" "copy the line as a key binding for config.toml" "" [Overlay: "C-y"];
        Mouse "app.mouse" "mouse: on or off" "" [];
        SetTheme "app.theme" "set the theme" "" [];
        SetGlyphs "app.glyphs" "draw with Unicode or plain ASCII" "" [];
        Reload "app.reload" "reload the settings" "" [];
        Messages "app.messages" "messages of this session" "" [Normal: "g m"];
        Repositories "app.repositories" "repositories: indexes, shares of the answer" "" [Normal: "g R"];
        Quit "app.quit" "quit" "quit" [Normal: "q"];
        Cancel "app.cancel" "cancel the ranking, else quit" "" [Global: "C-c"];
        Suspend "app.suspend" "suspend" "" [Global: "C-z"];
        Redraw "app.redraw" "redraw the screen" "" [Global: "C-l"];

        // Of use only without a task.
        ExampleOne "task.example-1" "rank the first example task" "" [Task: "A-1", Normal: "A-1"];
        ExampleTwo "task.example-2" "rank the second example task" "" [Task: "A-2", Normal: "A-2"];
        ExampleThree "task.example-3" "rank the third example task" "" [Task: "A-3", Normal: "A-3"];
    }
}
