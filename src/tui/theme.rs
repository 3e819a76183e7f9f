//! Themes: a style for each meaning of text.

use std::io;

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;
use thiserror::Error;

use super::color::{self, ColorDepth};

macro_rules! slots {
    ($($variant:ident $name:literal),* $(,)?) => {
        /// The meaning of a piece of text, which a theme maps to a style.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Slot { $($variant),* }

        impl Slot {
            /// All slots; a theme must define each.
            pub const ALL: &'static [Slot] = &[$(Slot::$variant),*];

            /// Returns the name of the slot in theme files.
            pub fn name(self) -> &'static str {
                match self { $(Slot::$variant => $name),* }
            }
        }
    };
}

slots! {
    Text "text", Dim "dim", Heading "heading", Border "border", BorderFocused "border_focused",
    Prompt "prompt", Selection "selection", SelectionUnfocused "selection_unfocused", Stale "stale",
    Rank "rank", Score "score", Bar "bar", Name "name", Container "container", Location "location", Tokens "tokens",
    Cut "cut", MeterFull "meter_full", MeterEmpty "meter_empty", Positive "positive", Negative "negative",
    Mode "mode", Info "info", Error "error", HintKey "hint_key", HintText "hint_text",
    LineNumber "line_number", Definition "definition",
    Comment "comment", String "string", Number "number", Keyword "keyword", Function "function", Type "type",
    Constant "constant", Operator "operator", Variable "variable",
}

/// An error of loading a theme.
#[derive(Debug, Error)]
pub enum ThemeError {
    #[error("unknown theme \"{name}\"; the built-in themes are {}", BUILT_IN_THEMES.map(|(name, _)| name).join(", "))]
    Unknown { name: String },
    #[error("theme {0}: {1}")]
    Read(String, io::Error),
    #[error("theme {0}: {1}")]
    Invalid(String, String),
}

/// A text that is not a color.
#[derive(Debug, Error)]
#[error("\"{0}\" is not a color")]
struct InvalidColor(String);

/// A style for every slot.
#[derive(Debug, Clone, PartialEq)]
pub struct Theme {
    pub name: String,
    styles: Vec<Style>,
}

/// The built-in themes; the first one is the default.
pub const BUILT_IN_THEMES: [(&str, &str); 7] = [
    ("ansi", include_str!("../../themes/ansi.toml")),
    ("dark", include_str!("../../themes/dark.toml")),
    ("light", include_str!("../../themes/light.toml")),
    ("high-contrast", include_str!("../../themes/high-contrast.toml")),
    ("catppuccin-mocha", include_str!("../../themes/catppuccin-mocha.toml")),
    ("catppuccin-latte", include_str!("../../themes/catppuccin-latte.toml")),
    ("gruvbox", include_str!("../../themes/gruvbox.toml")),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ThemeFile {
    slots: toml::Table,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StyleSpec {
    fg: Option<String>,
    bg: Option<String>,
    #[serde(default)]
    bold: bool,
    #[serde(default)]
    dim: bool,
    #[serde(default)]
    italic: bool,
    #[serde(default)]
    underline: bool,
    #[serde(default)]
    reverse: bool,
}

impl Theme {
    /// Returns the built-in theme of this name.
    ///
    /// # Errors
    /// When there is none.
    pub fn built_in(name: &str) -> Result<Theme, ThemeError> {
        match BUILT_IN_THEMES.iter().find(|(built_in, _)| *built_in == name) {
            Some((name, text)) => Theme::parse(name, text),
            None => Err(ThemeError::Unknown { name: name.to_owned() }),
        }
    }

    /// Parses a theme file.
    ///
    /// # Errors
    /// When it is not valid TOML, when a slot is missing or unknown, or when a color is invalid.
    pub fn parse(name: &str, text: &str) -> Result<Theme, ThemeError> {
        let invalid = |error: String| ThemeError::Invalid(name.to_owned(), error);
        let file: ThemeFile = toml::from_str(text).map_err(|error| invalid(error.to_string()))?;
        if let Some(unknown) = file.slots.keys().find(|key| !Slot::ALL.iter().any(|slot| slot.name() == *key)) {
            return Err(invalid(format!("unknown slot {unknown}")));
        }
        let mut styles = Vec::with_capacity(Slot::ALL.len());
        for slot in Slot::ALL {
            let value = file.slots.get(slot.name());
            let value = value.ok_or_else(|| invalid(format!("slot {} is missing", slot.name())))?;
            let spec: StyleSpec = value.clone().try_into().map_err(|error| invalid(format!("{error}")))?;
            styles.push(spec.style().map_err(|error| invalid(format!("slot {}: {error}", slot.name())))?);
        }
        Ok(Theme { name: name.to_string(), styles })
    }

    /// Removes all colors; weight and reverse video stay. The selection becomes reverse video.
    pub fn without_color(mut self) -> Theme {
        for style in &mut self.styles {
            *style = Style { fg: None, bg: None, ..*style };
        }
        self.reverse_selection();
        self
    }

    fn reverse_selection(&mut self) {
        let selection = &mut self.styles[Slot::Selection as usize];
        *selection = Style { fg: None, bg: None, ..*selection }.add_modifier(Modifier::REVERSED);
    }

    /// Reduces the colors to those of the terminal. With sixteen colors the background is unknown, so backgrounds and
    /// grays become the terminal's default.
    pub fn at_depth(mut self, depth: ColorDepth) -> Theme {
        for style in &mut self.styles {
            let reduced = |color| Some(color::reduce(color, depth));
            *style = match depth {
                ColorDepth::Sixteen => {
                    let gray =
                        |color: &Color| matches!(color, Color::Black | Color::White | Color::Gray | Color::DarkGray);
                    Style { fg: style.fg.and_then(reduced).filter(|color| !gray(color)), bg: None, ..*style }
                }
                _ => Style { fg: style.fg.and_then(reduced), bg: style.bg.and_then(reduced), ..*style },
            };
        }
        if depth == ColorDepth::Sixteen {
            self.reverse_selection();
        }
        self
    }

    /// Returns the style of a slot.
    pub fn style(&self, slot: Slot) -> Style {
        self.styles.get(slot as usize).copied().unwrap_or_default()
    }
}

impl StyleSpec {
    fn style(&self) -> Result<Style, InvalidColor> {
        let mut style = Style::default();
        if let Some(color) = &self.fg {
            style = style.fg(read_color(color)?);
        }
        if let Some(color) = &self.bg {
            style = style.bg(read_color(color)?);
        }
        let modifiers = [
            (self.bold, Modifier::BOLD),
            (self.dim, Modifier::DIM),
            (self.italic, Modifier::ITALIC),
            (self.underline, Modifier::UNDERLINED),
            (self.reverse, Modifier::REVERSED),
        ];
        for (wanted, modifier) in modifiers {
            if wanted {
                style = style.add_modifier(modifier);
            }
        }
        Ok(style)
    }
}

fn read_color(text: &str) -> Result<Color, InvalidColor> {
    text.parse().map_err(|_| InvalidColor(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_themes_define_every_slot() {
        for (name, text) in BUILT_IN_THEMES {
            let theme = Theme::parse(name, text).unwrap();
            assert_eq!(theme.styles.len(), Slot::ALL.len());
        }
    }

    #[test]
    fn errors_name_the_slot_or_color() {
        let (_, text) = BUILT_IN_THEMES[0];
        let missing = text.replacen("heading", "heading_gone", 1);
        assert!(Theme::parse("t", &missing).unwrap_err().to_string().contains("heading_gone"));
        let without: String =
            text.lines().filter(|line| !line.starts_with("cut")).map(|line| format!("{line}\n")).collect();
        assert!(Theme::parse("t", &without).unwrap_err().to_string().contains("cut is missing"));
        let color = text.replacen("cut = {", "cut = { bg = \"blurple\",", 1);
        assert!(Theme::parse("t", &color).unwrap_err().to_string().contains("blurple"));
        assert!(Theme::built_in("none").unwrap_err().to_string().contains("ansi, dark, light, high-contrast"));
    }

    #[test]
    fn themes_are_reduced_to_the_color_depth() {
        for (name, _) in BUILT_IN_THEMES {
            let theme = Theme::built_in(name).unwrap();
            assert_eq!(theme.clone().at_depth(ColorDepth::True), theme);
            for slot in Slot::ALL {
                let at = |depth| theme.clone().at_depth(depth).style(*slot);
                let is_rgb = |color: Option<Color>| matches!(color, Some(Color::Rgb(..)));
                assert!(!is_rgb(at(ColorDepth::Indexed).fg) && !is_rgb(at(ColorDepth::Indexed).bg), "{name} {slot:?}");
                assert!(
                    !matches!(at(ColorDepth::Sixteen).fg, Some(Color::Rgb(..) | Color::Indexed(_))),
                    "{name} {slot:?}"
                );
            }
        }
        let ansi = Theme::built_in("ansi").unwrap();
        assert_eq!(ansi.clone().at_depth(ColorDepth::Sixteen), ansi);
    }

    /// Returns the contrast ratio of two colors, as WCAG 2.1 defines it.
    fn contrast(one: Color, other: Color) -> f64 {
        let luminance = |color| match color {
            Color::Rgb(red, green, blue) => color::luminance([red, green, blue]),
            Color::Indexed(index @ 16..) => color::luminance(color::indexed(index)),
            other => panic!("{other} depends on the terminal"),
        };
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    /// The themes that paint a background, with the least contrast of their text.
    const PAINTED: [(&str, f64); 6] = [
        ("high-contrast", 7.0),
        ("catppuccin-mocha", 4.5),
        ("catppuccin-latte", 3.5),
        ("gruvbox", 4.0),
        ("dark", 4.0),
        ("light", 3.9),
    ];

    #[test]
    fn every_theme_but_the_terminals_own_paints_a_background_and_its_selection() {
        let painted = PAINTED.map(|(name, _)| name);
        for (name, _) in BUILT_IN_THEMES.iter().filter(|(name, _)| *name != "ansi") {
            assert!(painted.contains(name), "{name}");
            let theme = Theme::built_in(name).unwrap();
            let (text, selection) = (theme.style(Slot::Text), theme.style(Slot::Selection));
            let (fg, bg) = (selection.fg.unwrap(), selection.bg.unwrap());
            assert!(!selection.add_modifier.contains(Modifier::REVERSED), "{name}: that inverts the terminal's colors");
            assert!(contrast(fg, bg) >= 4.5, "{name}: {:.1} in the selection", contrast(fg, bg));
            let background = text.bg.unwrap();
            assert!(contrast(bg, background) >= 3.0, "{name}: {:.1} around it", contrast(bg, background));
            let unfocused = theme.style(Slot::SelectionUnfocused).bg.unwrap();
            assert!(contrast(text.fg.unwrap(), unfocused) >= 4.5, "{name}: without focus");
        }
    }

    #[test]
    fn the_selection_is_reversed_where_its_colors_are_missing() {
        for (name, _) in BUILT_IN_THEMES {
            let theme = Theme::built_in(name).unwrap();
            for theme in [theme.clone().at_depth(ColorDepth::Sixteen), theme.without_color()] {
                let selection = theme.style(Slot::Selection);
                assert_eq!((selection.fg, selection.bg), (None, None), "{name}");
                assert!(selection.add_modifier.contains(Modifier::REVERSED), "{name}");
            }
        }
    }

    #[test]
    fn themes_have_enough_contrast() {
        // These slots draw no text.
        let decoration = [Slot::Border, Slot::MeterEmpty];
        // Less than text, because every line has one.
        let minimum_of = |slot: Slot, minimum: f64| if slot == Slot::LineNumber { minimum.min(3.4) } else { minimum };
        for (name, minimum) in PAINTED {
            let theme = Theme::built_in(name).unwrap();
            let background = theme.style(Slot::Text).bg.unwrap();
            for slot in Slot::ALL.iter().filter(|slot| !decoration.contains(slot)) {
                let Some(color) = theme.style(*slot).fg else { continue };
                let reached = contrast(color, theme.style(*slot).bg.unwrap_or(background));
                assert!(reached >= minimum_of(*slot, minimum), "{name} {slot:?}: {reached:.1}");
            }
        }
    }

    #[test]
    fn state_is_visible_without_color() {
        for (name, _) in BUILT_IN_THEMES {
            let theme = Theme::built_in(name).unwrap().without_color();
            assert!(theme.style(Slot::Selection).add_modifier.contains(Modifier::REVERSED), "{name}");
            assert!(theme.style(Slot::Stale).add_modifier.contains(Modifier::DIM), "{name}");
            assert_eq!(theme.style(Slot::Error).fg, None);
        }
    }
}
