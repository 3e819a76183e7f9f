//! A report as a list of blocks, which every format renders.

/// A part of a report.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// A heading of level 2 or 3.
    Heading(u8, String),
    Paragraph(String),
    List(Vec<String>),
    Table(Table),
    Figure(Figure),
}

/// A table. Texts are plain; formats escape them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    pub caption: String,
    /// The first column has names, the others have numbers unless they begin with a letter.
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// Whether the rows are too many to be shown unless the reader asks.
    pub is_folded: bool,
}

/// A plot.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// File name without an extension.
    pub name: String,
    pub caption: String,
    /// The image, for a page with the style sheet of [`super::svg`].
    pub image: String,
}

/// Blocks in reading order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    pub title: String,
    pub blocks: Vec<Block>,
}

impl Document {
    /// Adds a heading of level 2.
    pub fn section(&mut self, title: &str) {
        self.blocks.push(Block::Heading(2, title.to_owned()));
    }

    /// Adds a heading of level 3.
    pub fn subsection(&mut self, title: &str) {
        self.blocks.push(Block::Heading(3, title.to_owned()));
    }

    /// Adds a paragraph.
    pub fn paragraph(&mut self, text: impl Into<String>) {
        self.blocks.push(Block::Paragraph(text.into()));
    }

    /// Adds a list, unless it is empty.
    pub fn list(&mut self, items: Vec<String>) {
        if !items.is_empty() {
            self.blocks.push(Block::List(items));
        }
    }

    /// Adds a table, unless it has no rows.
    pub fn table(&mut self, table: Table) {
        if !table.rows.is_empty() {
            self.blocks.push(Block::Table(table));
        }
    }

    /// Adds a plot.
    pub fn figure(&mut self, name: &str, caption: &str, image: String) {
        let (name, caption) = (name.to_owned(), caption.to_owned());
        self.blocks.push(Block::Figure(Figure { name, caption, image }));
    }

    /// Returns the plots.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        self.blocks.iter().filter_map(|block| match block {
            Block::Figure(figure) => Some(figure),
            _ => None,
        })
    }
}

impl Table {
    /// Creates an empty table.
    pub fn new(caption: &str, columns: &[&str]) -> Table {
        let columns = columns.iter().map(|column| (*column).to_owned()).collect();
        Table { caption: caption.to_owned(), columns, rows: Vec::new(), is_folded: false }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// Returns whether the cells of a column are numbers, signs or intervals, or empty.
    pub fn is_numeric(&self, column: usize) -> bool {
        let cells = self.rows.iter().filter_map(|row| row.get(column));
        column > 0 && cells.into_iter().all(|cell| !cell.starts_with(char::is_alphabetic))
    }
}
