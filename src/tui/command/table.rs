//! The table of commands: name, title, word of the hint bar, keys by context.

macro_rules! commands {
    ($($variant:ident $name:literal $title:literal $hint:literal [$($context:ident: $($key:literal)+),*];)*) => {
        /// Everything a key can do.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Command { $($variant),* }

        /// All commands in the order of the key help.
        pub const COMMANDS: &[super::Entry] = &[$(super::Entry {
            command: Command::$variant,
            name: $name,
            title: $title,
            hint: $hint,
            bindings: &[$(super::Binding { context: super::Context::$context, keys: &[$($key),+] }),*],
        }),*];
    };
}

commands! {
    // The task line and other text fields.
    Submit "task.run" "rank the task now" "run" [Task: "Enter"];
    LeaveTask "task.leave" "go to the list" "list" [Task: "Esc"];
    EditTask "task.edit" "edit the task" "task" [Normal: "i" "1"];
    History "task.history" "tasks of before" "" [Task: "C-r"];
    Compose "task.compose" "write the task in your editor" "" [Task: "C-o"];
    ExampleOne "task.example-1" "take the first example task" "" [Task: "A-1"];
    ExampleTwo "task.example-2" "take the second example task" "" [Task: "A-2"];
    ExampleThree "task.example-3" "take the third example task" "" [Task: "A-3"];
    PickFiles "task.files" "rank for changed files" "" [Normal: "g p"];
    PickBase "task.changes" "rank for what changed since a branch" "" [Normal: "g b"];
    PickMore "task.pick" "pick this file too" "pick" [Picker: "Tab"];
    NewLine "task.newline" "a new line in the task" "" [Task: "A-Enter"];
    ClearBefore "edit.clear" "delete to the start of the line" "" [Field: "C-u"];
    DeleteWord "edit.word" "delete the word before" "" [Field: "C-w" "A-Backspace"];
    DeleteRest "edit.rest" "delete to the end of the line" "" [Field: "C-k"];
    DeleteBefore "edit.backspace" "delete the letter before" "" [Field: "Backspace"];
    DeleteAfter "edit.delete" "delete the letter after" "" [Field: "Delete" "C-d"];
    UndoTyping "task.undo" "undo the last word of typing" "" [Task: "C-_"];
    RedoTyping "task.redo" "type it again" "" [Task: "A-_"];
    LineStart "edit.start" "start of the line" "" [Field: "C-a" "Home"];
    LineEnd "edit.end" "end of the line" "" [Field: "C-e" "End"];
    WordLeft "edit.word-left" "one word left" "" [Field: "A-b"];
    WordRight "edit.word-right" "one word right" "" [Field: "A-f"];
    LetterLeft "edit.left" "one letter left" "" [Field: "Left"];
    LetterRight "edit.right" "one letter right" "" [Field: "Right"];

    // Judging.
    VoteUp "feedback.up" "vote useful, or take the vote back" "useful" [Normal: "+" "=", Classes: "+" "="];
    VoteDown "feedback.down" "vote not useful, or take the vote back" "not" [Normal: "-", Classes: "-"];
    Pin "pack.pin" "keep in the pack, or set free" "pin" [Normal: "Space"];
    Drop "pack.drop" "keep out of the pack, or set free" "drop" [Normal: "x"];
    Undo "feedback.undo" "undo the last vote, pin, drop or mute" "undo" [Normal: "u", Classes: "u"];
    Redo "feedback.redo" "do it again" "" [Normal: "C-r", Classes: "C-r"];
    Votes "feedback.show" "votes and learned words" "" [Normal: "g v"];
    LearnToggle "feedback.use" "learn from opening, editing and copying, or not" "" [];
    VotesTurn "feedback.turn" "between votes and learned words" "words" [Votes: "Tab"];
    VotesTakeBack "feedback.take-back" "take it back, or let it count again" "take back" [Votes: "x" "Delete" "Space"];

    // Moving within a pane.
    Down "move.down" "next row or line" "" [Normal: "j" "Down", Task: "Down" "C-n"];
    Up "move.up" "previous row or line" "" [Normal: "k" "Up", Task: "Up" "C-p"];
    ScrollRight "move.right" "to the source, or further right in it" "" [Normal: "l" "Right"];
    ScrollLeft "move.left" "further left in the source, or back to the list" "" [Normal: "h" "Left"];
    Top "move.top" "first row or line" "" [Normal: "g g" "Home"];
    Bottom "move.bottom" "last row or line" "" [Normal: "G" "End"];
    HalfDown "move.half-down" "half a page down" "" [Normal: "C-d"];
    HalfUp "move.half-up" "half a page up" "" [Normal: "C-u"];
    PageDown "move.page-down" "a page down" "" [Normal: "C-f" "PageDown", Task: "PageDown"];
    PageUp "move.page-up" "a page up" "" [Normal: "C-b" "PageUp", Task: "PageUp"];

    // The pack.
    GoCut "pack.cut" "go to the cut line" "" [Normal: "g c"];
    BudgetMore "budget.more" "larger token budget" "" [Normal: ">"];
    BudgetLess "budget.less" "smaller token budget" "budget" [Normal: "<"];
    BudgetSet "budget.set" "set the token budget" "" [Normal: "b"];
    Refresh "pack.refresh" "update the index and rank again" "" [Normal: "r"];

    // The source.
    SourceDown "source.down" "scroll the source down" "" [Normal: "C-e"];
    SourceUp "source.up" "scroll the source up" "" [Normal: "C-y"];
    Center "source.center" "bring the definition back into view" "" [Normal: "z z"];
    Open "go.open" "go to the source" "source" [Pack: "Enter"];
    GoUses "go.uses" "what this symbol uses" "" [Normal: "g d"];
    GoUsers "go.users" "what uses this symbol" "users" [Normal: "g r"];
    NextDefinition "source.next" "next definition in this file" "" [Normal: "}"];
    PreviousDefinition "source.previous" "previous definition in this file" "" [Normal: "{"];
    Editor "go.editor" "open the editor at this line" "editor" [Normal: "e" "v"];

    // Why.
    WhyCompare "why.compare" "compare this symbol with another" "compare" [Why: "c"];
    WhyNot "why.not" "explain a symbol that is not in the pack" "why not" [Why: "w"];
    FindSymbol "go.symbol" "go to any symbol by its name" "" [Normal: "g o", Task: "C-t"];
    GraphFind "graph.find" "the neighborhood of any symbol" "find" [Graph: "o"];

    // The neighborhood.
    PaneGraph "pane.graph" "the neighborhood" "graph" [Normal: "5"];
    Fold "pane.fold" "fold what is selected, or open it" "" [Normal: "z a"];
    GraphOpen "graph.open" "open this node" "open" [Graph: "l" "Right"];
    GraphFold "graph.fold" "fold this node, or go to its parent" "fold" [Graph: "h" "Left"];
    GraphRoot "graph.root" "put this symbol in the middle" "root" [Graph: "Enter"];
    GraphBack "graph.back" "back to the root before" "back" [Graph: "H"];
    GraphForward "graph.forward" "forward to the next root" "" [Graph: "L"];
    GraphMore "graph.more" "one hop more" "hops" [Graph: ")"];
    GraphLess "graph.less" "one hop less" "" [Graph: "("];
    GraphCanvas "graph.canvas" "tree or canvas" "canvas" [Graph: "t"];

    // Runs and costs.
    PaneRuns "pane.runs" "the rankings of this session" "" [Normal: "6" "g s"];
    PaneCost "pane.cost" "tokens by file" "" [Normal: "7"];
    RunMark "runs.mark" "mark a run with a letter" "mark" [Normal: "m"];
    RunRestore "runs.restore" "ask again what the marked run asked" "" [Normal: "'"];
    RunDiffLast "runs.diff-last" "compare the pack with the one before" "diff" [Normal: "d"];
    RunDiff "runs.diff" "compare the pack with any before" "" [Normal: "D"];
    RunBack "runs.again" "ask again what this run asked" "again" [Runs: "Enter"];
    CostGo "cost.go" "go to the best symbol of this file" "go" [Cost: "Enter"];
    // What is listed, and how.
    Filter "list.filter" "filter what is listed" "filter" [Normal: "/", Classes: "/", Votes: "/"];
    FacetFunctions "list.functions" "functions only" "" [Normal: "f f"];
    FacetTypes "list.types" "types only" "" [Normal: "f t"];
    FacetModules "list.modules" "modules only" "" [Normal: "f m"];
    FacetTests "list.tests" "tests only" "" [Normal: "f x"];
    FacetClear "list.everything" "list everything again" "" [Normal: "f c"];
    SortNext "list.sort" "sort by rank, name, place, tokens" "" [Normal: "s"];
    SortReverse "list.reverse" "reverse the order" "" [Normal: "S"];
    OnlyPacked "list.packed" "packed symbols only, or all" "" [Normal: "a"];

    // Classes.
    Classes "classes.show" "classes fired by the task" "class" [Normal: "*"];
    NextMatch "classes.next-match" "next symbol of the class" "next" [Normal: "n", Classes: "n" "j"];
    PreviousMatch "classes.previous-match" "previous symbol of the class" "" [Normal: "N", Classes: "N" "k"];
    NextClass "classes.next" "next class" "class" [Classes: "Tab"];
    PreviousClass "classes.previous" "previous class" "" [Classes: "S-Tab"];
    MuteClass "classes.mute" "mute the class, or hear it again" "mute" [Classes: "M"];

    // Panes.
    PanePack "pane.pack" "the pack" "" [Normal: "2"];
    PaneSource "pane.source" "the source" "" [Normal: "3"];
    PaneWhy "pane.why" "why this symbol" "why" [Normal: "K" "4"];
    NextPane "pane.next" "next pane" "" [Normal: "Tab", Task: "Tab"];
    PreviousPane "pane.previous" "previous pane" "" [Normal: "S-Tab", Task: "S-Tab"];
    GoBack "go.previous" "back to where you were" "" [Normal: "H"];
    GoForward "go.next" "forward again" "" [Normal: "L"];
    Zoom "pane.zoom" "zoom this pane" "" [Normal: "Z"];
    Back "go.back" "back to the list" "" [Normal: "Esc"];

    // Giving things out.
    CopySymbol "copy.symbol" "copy signature and path:line" "" [Normal: "y y"];
    CopyPlace "copy.place" "copy path:line" "" [Normal: "y l"];
    CopySource "copy.source" "copy the source of this symbol" "" [Normal: "y s"];
    CopyReasons "copy.reasons" "copy the explanation as a Markdown table" "" [Normal: "y x"];
    CopyMatches "copy.matches" "copy what the class leads to" "" [Normal: "y n", Classes: "y"];
    CopyPack "copy.pack" "copy the pack" "copy" [Normal: "y p"];
    CopyGcf "copy.gcf" "copy the pack as GCF" "" [Normal: "y g"];
    CopyJson "copy.json" "copy the pack as JSON" "" [Normal: "y j"];
    CopyMarkdown "copy.markdown" "copy the pack as Markdown" "" [Normal: "y m"];
    CopyXml "copy.xml" "copy the pack as XML" "" [];
    CopyCommand "copy.command" "copy the equivalent command line" "" [Normal: "y c"];
    Export "export.dialog" "choose format, contents and place" "" [Normal: "y e"];
    ExportFile "export.file" "write the pack to a file" "" [Normal: "y w", Export: "w"];
    PrintPack "export.stdout" "quit and print the pack to standard output" "" [Normal: "y o" "Q"];
    ExportFormat "export.format" "next format" "format" [Export: "f"];
    ExportBodies "export.bodies" "with or without bodies" "bodies" [Export: "b"];
    ExportEdges "export.edges" "with or without edges" "edges" [Export: "e"];
    ExportTo "export.to" "clipboard, file or standard output" "to" [Export: "t"];

    // Windows on top of the panes.
    OverlayRun "window.run" "take the selected line" "run" [Overlay: "Enter"];
    OverlayClose "window.close" "close" "close" [Overlay: "Esc"];
    OverlayDown "window.down" "next line" "" [Overlay: "Down" "C-n"];
    OverlayPageDown "window.page-down" "ten lines down" "" [Overlay: "PageDown"];
    OverlayPageUp "window.page-up" "ten lines up" "" [Overlay: "PageUp"];
    OverlayUp "window.up" "previous line" "" [Overlay: "Up" "C-p"];
    OverlayTop "window.top" "first line" "" [Overlay: "Home"];
    OverlayBottom "window.bottom" "last line" "" [Overlay: "End"];

    // The program.
    Help "app.keys" "all keys" "keys" [Normal: "?", Global: "F1"];
    Palette "app.commands" "every command by name" "commands" [Normal: ":", Global: "F2"];
    Complete "window.complete" "complete the name or argument" "" [Overlay: "Tab"];
    CopyBinding "window.binding" "copy the line as a key binding for config.toml" "" [Overlay: "C-y"];
    Mouse "app.mouse" "let the mouse select and scroll, or leave it to the terminal" "" [];
    SetTheme "app.theme" "change the colors" "" [];
    SetGlyphs "app.glyphs" "draw with Unicode or plain ASCII" "" [];
    Reload "app.reload" "read the settings again" "" [];
    Quit "app.quit" "quit" "quit" [Normal: "q"];
    Cancel "app.cancel" "stop the running rank, else quit" "" [Global: "C-c"];
    Suspend "app.suspend" "suspend" "" [Global: "C-z"];
    Redraw "app.redraw" "draw everything again" "" [Global: "C-l"];
}
