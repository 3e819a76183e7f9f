//! Chooses theme and glyphs from the settings, the environment, and the background that the terminal has reported. That
//! report is never waited for; the default theme uses the terminal's own colors.

use std::io;

use super::color;
use super::glyphs;
use super::model::Appearance;
use super::theme::{Theme, ThemeError};
use crate::config::GlyphSet;

/// The name of the theme that follows the background of the terminal.
pub const AUTO: &str = "auto";

/// The background of the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Background {
    Dark,
    Light,
}

impl Background {
    /// Returns whether a color, in red, green and blue, is dark or light.
    pub fn of_color(color: [u8; 3]) -> Background {
        if color::luminance(color) > 0.18 { Background::Light } else { Background::Dark }
    }
}

/// Looks up an environment variable.
type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Returns the appearance for this environment. An invalid theme falls back to the default; the second value is its
/// error.
///
/// `background` is what the terminal has reported. `read_theme` reads the user's own theme of a name, if there is one;
/// it takes precedence over a built-in one.
///
/// # Errors
/// When the default theme is invalid.
pub fn choose(
    theme: Option<&str>,
    glyph_set: Option<GlyphSet>,
    has_color: bool,
    lookup: Lookup<'_>,
    background: Option<Background>,
    read_theme: &dyn Fn(&str) -> Option<io::Result<String>>,
) -> Result<(Appearance, Option<String>), ThemeError> {
    let named = |name: &str| lookup(name).filter(|value| !value.is_empty());
    let mut appearance = Appearance::plain()?;
    let mut theme_error = None;
    appearance.follows_background = theme == Some(AUTO) && has_color;
    let theme = match theme {
        Some(AUTO) => background.or_else(|| named_background(&named)).map(|background| match background {
            Background::Dark => "dark",
            Background::Light => "light",
        }),
        other => other,
    };
    if let Some(name) = theme {
        let found = match read_theme(name) {
            Some(Ok(text)) => Theme::parse(name, &text),
            Some(Err(error)) => Err(ThemeError::Read(name.to_owned(), error)),
            None => Theme::built_in(name),
        };
        match found {
            Ok(theme) => appearance.theme = theme,
            Err(error) => theme_error = Some(error.to_string()),
        }
    }
    appearance.theme = match has_color {
        true => appearance.theme.at_depth(color::detect_depth(lookup)),
        false => appearance.theme.without_color(),
    };
    let ascii = match (glyph_set, named("KNOWING_GLYPHS").as_deref()) {
        (_, Some("ascii")) | (Some(GlyphSet::Ascii), None) => true,
        (_, Some(_)) | (Some(GlyphSet::Unicode), None) => false,
        (None, None) => !supports_unicode(&named),
    };
    if ascii {
        appearance.glyphs = glyphs::ASCII;
    }
    Ok((appearance, theme_error))
}

/// Returns the background that `$COLORFGBG` names: its last number is the color of the background. rxvt and konsole set
/// it.
fn named_background(named: Lookup<'_>) -> Option<Background> {
    match named("COLORFGBG")?.rsplit(';').next()?.parse::<u8>().ok()? {
        0..=6 | 8 => Some(Background::Dark),
        7 | 9..=15 => Some(Background::Light),
        _ => None,
    }
}

/// Returns whether locale and terminal allow characters beyond ASCII.
fn supports_unicode(named: Lookup<'_>) -> bool {
    if named("TERM").is_some_and(|terminal| terminal == "linux" || terminal == "dumb") {
        return false;
    }
    let locale = named("LC_ALL").or_else(|| named("LC_CTYPE")).or_else(|| named("LANG"));
    // Without a locale most terminals still are Unicode.
    locale.is_none_or(|locale| {
        let locale = locale.to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8") || !locale.contains('.') && locale != "posix"
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn appearance(theme: Option<&str>, pairs: &[(&str, &str)]) -> (Appearance, Option<String>) {
        let lookup = |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string());
        choose(theme, None, true, &lookup, None, &|_| None).unwrap()
    }

    #[test]
    fn environment_selects_theme_and_glyphs() {
        assert_eq!(appearance(None, &[]).0, Appearance::plain().unwrap());
        assert_eq!(appearance(Some("light"), &[]).0.theme.name, "light");
        let (fallback, error) = appearance(Some("nope"), &[]);
        assert_eq!(fallback.theme.name, "ansi");
        assert!(error.unwrap().contains("nope"));
        assert_eq!(appearance(None, &[("LANG", "de_DE.ISO-8859-1")]).0.glyphs, glyphs::ASCII);
        assert_eq!(appearance(None, &[("LANG", "C.UTF-8")]).0.glyphs, glyphs::UNICODE);
        let plain = choose(None, None, false, &|_| None, None, &|_| None).unwrap().0;
        assert_eq!(plain.theme, Appearance::plain().unwrap().theme.without_color());
        assert_eq!(appearance(None, &[("KNOWING_GLYPHS", "ascii")]).0.glyphs, glyphs::ASCII);
    }

    #[test]
    fn auto_theme_follows_colorfgbg() {
        let name = |value| appearance(Some("auto"), &[("COLORFGBG", value)]).0.theme.name;
        assert_eq!(
            [name("15;0"), name("0;15"), name("0;default;7"), name("nonsense")],
            ["dark", "light", "light", "ansi"]
        );
        assert_eq!(appearance(Some("auto"), &[]).0.theme.name, "ansi");
    }

    #[test]
    fn the_reported_background_wins() {
        let lookup = |name: &str| (name == "COLORFGBG").then(|| "15;0".to_owned());
        let chosen = |theme, has_color, background| {
            choose(Some(theme), None, has_color, &lookup, background, &|_| None).unwrap().0
        };
        let light = chosen("auto", true, Some(Background::Light));
        assert_eq!((light.theme.name.as_str(), light.follows_background), ("light", true));
        assert_eq!(chosen("auto", true, None).theme.name, "dark");
        let gruvbox = chosen("gruvbox", true, Some(Background::Light));
        assert_eq!((gruvbox.theme.name.as_str(), gruvbox.follows_background), ("gruvbox", false));
        assert!(!chosen("auto", false, None).follows_background, "without colors there is nothing to follow");
    }

    #[test]
    fn environment_overrides_glyph_setting() {
        let glyphs = |set, pairs: &[(&str, &str)]| {
            let lookup = |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string());
            choose(None, Some(set), true, &lookup, None, &|_| None).unwrap().0.glyphs
        };
        assert_eq!(glyphs(GlyphSet::Ascii, &[]), glyphs::ASCII);
        assert_eq!(glyphs(GlyphSet::Unicode, &[("TERM", "linux")]), glyphs::UNICODE);
        assert_eq!(glyphs(GlyphSet::Ascii, &[("KNOWING_GLYPHS", "unicode")]), glyphs::UNICODE);
    }
}
