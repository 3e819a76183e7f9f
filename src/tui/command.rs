//! The one registry of commands: keymap, hint bar and key help are all computed from it.

/// Where a key has its meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Context {
    /// Everywhere, unless a nearer context says otherwise.
    Global,
    /// While the task line has the focus.
    Typing,
    /// While a pane has the focus.
    Normal,
    /// While the key help lies on top.
    Keys,
}

impl Context {
    /// Every context, nearest last.
    pub const ALL: [Context; 4] = [Context::Global, Context::Typing, Context::Normal, Context::Keys];

    /// The word shown in the key help.
    pub fn name(self) -> &'static str {
        match self {
            Context::Global => "everywhere",
            Context::Typing => "typing",
            Context::Normal => "panes",
            Context::Keys => "this list",
        }
    }
}

macro_rules! commands {
    ($($variant:ident $name:literal $title:literal $hint:literal [$($context:ident: $($key:literal)+),+];)*) => {
        /// Everything a key can do.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Command { $($variant),* }

        /// All commands in the order of the key help.
        pub const COMMANDS: &[Entry] = &[$(Entry {
            command: Command::$variant,
            name: $name,
            title: $title,
            hint: $hint,
            bindings: &[$(Binding { context: Context::$context, keys: &[$($key),+] }),+],
        }),*];
    };
}

/// One command as the user meets it.
#[derive(Debug)]
pub struct Entry {
    pub command: Command,
    /// Its stable name, such as `budget.less`.
    pub name: &'static str,
    /// What it does, in a few words.
    pub title: &'static str,
    /// Its word in the hint bar; empty keeps it out.
    pub hint: &'static str,
    pub bindings: &'static [Binding],
}

/// Keys of one command in one context; a sequence is written with spaces.
#[derive(Debug)]
pub struct Binding {
    pub context: Context,
    pub keys: &'static [&'static str],
}

commands! {
    Submit "task.run" "rank the task now" "run" [Typing: "Enter"];
    LeaveTask "task.leave" "go to the list" "list" [Typing: "Esc"];
    EditTask "task.edit" "edit the task" "task" [Normal: "i" "1"];
    Refresh "task.refresh" "update the index and rank again" "" [Normal: "r"];
    ClearBefore "edit.clear" "delete to the start of the line" "" [Typing: "C-u"];
    DeleteWord "edit.word" "delete the word before" "" [Typing: "C-w" "A-Backspace"];
    DeleteRest "edit.rest" "delete to the end of the line" "" [Typing: "C-k"];
    DeleteBefore "edit.backspace" "delete the letter before" "" [Typing: "Backspace"];
    DeleteAfter "edit.delete" "delete the letter after" "" [Typing: "Delete" "C-d"];
    LineStart "edit.start" "start of the line" "" [Typing: "C-a" "Home"];
    LineEnd "edit.end" "end of the line" "" [Typing: "C-e" "End"];
    WordLeft "edit.word-left" "one word left" "" [Typing: "A-b"];
    WordRight "edit.word-right" "one word right" "" [Typing: "A-f"];
    LetterLeft "edit.left" "one letter left" "" [Typing: "Left"];
    LetterRight "edit.right" "one letter right" "" [Typing: "Right"];
    NewLine "edit.newline" "a new line in the task" "" [Typing: "A-Enter"];
    Down "move.down" "next row or line" "" [Normal: "j" "Down", Typing: "Down" "C-n"];
    Up "move.up" "previous row or line" "" [Normal: "k" "Up", Typing: "Up" "C-p"];
    Top "move.top" "first row or line" "" [Normal: "g g" "Home"];
    Bottom "move.bottom" "last row or line" "" [Normal: "G" "End"];
    HalfDown "move.half-down" "half a page down" "" [Normal: "C-d"];
    HalfUp "move.half-up" "half a page up" "" [Normal: "C-u"];
    PageDown "move.page-down" "a page down" "" [Normal: "C-f" "PageDown", Typing: "PageDown"];
    PageUp "move.page-up" "a page up" "" [Normal: "C-b" "PageUp", Typing: "PageUp"];
    SourceDown "source.down" "scroll the source down" "" [Normal: "C-e"];
    SourceUp "source.up" "scroll the source up" "" [Normal: "C-y"];
    Centre "source.centre" "bring the definition back into view" "" [Normal: "z z"];
    GoCut "go.cut" "go to the cut line" "" [Normal: "g c"];
    Open "go.open" "go to the source" "source" [Normal: "Enter"];
    Editor "go.editor" "open the editor at this line" "editor" [Normal: "e" "v"];
    PanePack "pane.pack" "the pack" "" [Normal: "2"];
    PaneSource "pane.source" "the source" "" [Normal: "3"];
    PaneWhy "pane.why" "why this symbol" "why" [Normal: "K" "4"];
    NextPane "pane.next" "next pane" "" [Normal: "Tab", Typing: "Tab"];
    PreviousPane "pane.previous" "previous pane" "" [Normal: "S-Tab", Typing: "S-Tab"];
    Zoom "pane.zoom" "zoom this pane" "" [Normal: "Z"];
    Back "go.back" "back to the list" "" [Normal: "Esc"];
    BudgetMore "budget.more" "larger token budget" "" [Normal: ">"];
    BudgetLess "budget.less" "smaller token budget" "budget" [Normal: "<"];
    Help "app.keys" "all keys" "keys" [Normal: "?", Global: "F1"];
    KeysRun "keys.run" "run the selected command" "run" [Keys: "Enter"];
    KeysClose "keys.close" "close" "close" [Keys: "Esc" "F1"];
    KeysDown "keys.down" "next" "" [Keys: "Down" "C-n"];
    KeysUp "keys.up" "previous" "" [Keys: "Up" "C-p"];
    KeysErase "keys.erase" "delete the letter before" "" [Keys: "Backspace"];
    Quit "app.quit" "quit" "quit" [Normal: "q"];
    Cancel "app.cancel" "stop the running rank, else quit" "" [Global: "C-c"];
    Suspend "app.suspend" "suspend" "" [Global: "C-z"];
    Redraw "app.redraw" "draw everything again" "" [Global: "C-l"];
}

impl Command {
    /// Its entry in the registry.
    pub fn entry(self) -> &'static Entry {
        &COMMANDS[self as usize]
    }
}

impl Entry {
    /// The first key bound in `context`, as it is shown.
    pub fn key_in(&self, context: Context) -> Option<String> {
        let binding = self.bindings.iter().find(|binding| binding.context == context)?;
        binding.keys.first().map(|key| key.replace(' ', ""))
    }
}
