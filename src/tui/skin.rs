//! Which theme and glyphs the settings and the environment ask for. Nothing is asked of the terminal, which might never
//! answer: the default theme follows its colors without knowing them.

use std::io;

use super::color;
use super::config::GlyphSet;
use super::glyphs;
use super::model::Skin;
use super::theme::Theme;

type Lookup<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The look for this environment; a theme that can't be had falls back to the default, and the second value says so.
///
/// `of_user` gives the text of the user's own theme of a name, where there is one; it goes before a shipped one.
pub fn choose(
    theme: Option<&str>,
    glyph_set: Option<GlyphSet>,
    has_color: bool,
    lookup: Lookup<'_>,
    of_user: &dyn Fn(&str) -> Option<io::Result<String>>,
) -> Result<(Skin, Option<String>), String> {
    let named = |name: &str| lookup(name).filter(|value| !value.is_empty());
    let mut skin = Skin::plain()?;
    let mut complaint = None;
    let theme = match theme {
        Some("auto") => background(&named),
        other => other,
    };
    if let Some(wanted) = theme {
        let found = match of_user(wanted) {
            Some(Ok(text)) => Theme::parse(wanted, &text),
            Some(Err(error)) => Err(format!("theme {wanted}: {error}")),
            None => Theme::shipped(wanted),
        };
        match found {
            Ok(theme) => skin.theme = theme,
            Err(error) => complaint = Some(error),
        }
    }
    skin.theme = match has_color {
        true => skin.theme.at_depth(color::depth(lookup)),
        false => skin.theme.without_color(),
    };
    let ascii = match (glyph_set, named("KNOWING_GLYPHS").as_deref()) {
        (_, Some("ascii")) | (Some(GlyphSet::Ascii), None) => true,
        (_, Some(_)) | (Some(GlyphSet::Unicode), None) => false,
        (None, None) => !speaks_unicode(&named),
    };
    if ascii {
        skin.glyphs = glyphs::ASCII;
    }
    Ok((skin, complaint))
}

/// Dark or light where the terminal's environment tells its background, as rxvt, konsole and vim's users have it; the
/// last number is the background's color.
fn background(named: Lookup<'_>) -> Option<&'static str> {
    match named("COLORFGBG")?.rsplit(';').next()?.parse::<u8>().ok()? {
        0..=6 | 8 => Some("dark"),
        7 | 9..=15 => Some("light"),
        _ => None,
    }
}

/// True unless the locale or the terminal says that letters beyond ASCII will not show.
fn speaks_unicode(named: Lookup<'_>) -> bool {
    if named("TERM").is_some_and(|terminal| terminal == "linux" || terminal == "dumb") {
        return false;
    }
    let locale = named("LC_ALL").or_else(|| named("LC_CTYPE")).or_else(|| named("LANG"));
    // Without any locale most terminals still are Unicode; a locale that names another charset is believed.
    locale.is_none_or(|locale| {
        let locale = locale.to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8") || !locale.contains('.') && locale != "posix"
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn skin(theme: Option<&str>, pairs: &[(&str, &str)]) -> (Skin, Option<String>) {
        let lookup = |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string());
        choose(theme, None, true, &lookup, &|_| None).unwrap()
    }

    #[test]
    fn the_environment_chooses_and_never_fails() {
        assert_eq!(skin(None, &[]).0, Skin::plain().unwrap());
        assert_eq!(skin(Some("light"), &[]).0.theme.name, "light");
        let (fallback, complaint) = skin(Some("nope"), &[]);
        assert_eq!(fallback.theme.name, "ansi");
        assert!(complaint.unwrap().contains("nope"));
        assert_eq!(skin(None, &[("LANG", "de_DE.ISO-8859-1")]).0.glyphs, glyphs::ASCII);
        assert_eq!(skin(None, &[("LANG", "C.UTF-8")]).0.glyphs, glyphs::UNICODE);
        let plain = choose(None, None, false, &|_| None, &|_| None).unwrap().0;
        assert_eq!(plain.theme, Skin::plain().unwrap().theme.without_color());
        assert_eq!(skin(None, &[("KNOWING_GLYPHS", "ascii")]).0.glyphs, glyphs::ASCII);
    }

    #[test]
    fn auto_follows_the_background_where_it_is_told() {
        let name = |value| skin(Some("auto"), &[("COLORFGBG", value)]).0.theme.name;
        assert_eq!(
            [name("15;0"), name("0;15"), name("0;default;7"), name("nonsense")],
            ["dark", "light", "light", "ansi"]
        );
        assert_eq!(skin(Some("auto"), &[]).0.theme.name, "ansi");
    }

    #[test]
    fn the_settings_choose_glyphs_and_the_environment_overrules() {
        let glyphs = |set, pairs: &[(&str, &str)]| {
            let lookup = |name: &str| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string());
            choose(None, Some(set), true, &lookup, &|_| None).unwrap().0.glyphs
        };
        assert_eq!(glyphs(GlyphSet::Ascii, &[]), glyphs::ASCII);
        assert_eq!(glyphs(GlyphSet::Unicode, &[("TERM", "linux")]), glyphs::UNICODE);
        assert_eq!(glyphs(GlyphSet::Ascii, &[("KNOWING_GLYPHS", "unicode")]), glyphs::UNICODE);
    }
}
