//! Which theme and glyphs the environment asks for.

use super::glyphs;
use super::model::Skin;
use super::theme::Theme;

/// The look for this environment; an unknown theme falls back to the default, and the second value says so.
pub fn choose(
    theme: Option<&str>,
    colour: bool,
    lookup: &dyn Fn(&str) -> Option<String>,
) -> Result<(Skin, Option<String>), String> {
    let named = |name: &str| lookup(name).filter(|value| !value.is_empty());
    let mut skin = Skin::plain()?;
    let mut complaint = None;
    let wanted = theme.map(str::to_string).or_else(|| named("KNOWING_THEME"));
    if let Some(wanted) = wanted {
        match Theme::shipped(&wanted) {
            Ok(theme) => skin.theme = theme,
            Err(error) => complaint = Some(error),
        }
    }
    if !colour {
        skin.theme = skin.theme.without_colour();
    }
    let ascii = match named("KNOWING_GLYPHS").as_deref() {
        Some("ascii") => true,
        Some(_) => false,
        None => !speaks_unicode(&named),
    };
    if ascii {
        skin.glyphs = glyphs::ASCII;
    }
    Ok((skin, complaint))
}

/// True unless the locale or the terminal says that letters beyond ASCII will not show.
fn speaks_unicode(named: &dyn Fn(&str) -> Option<String>) -> bool {
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
        choose(theme, true, &lookup).unwrap()
    }

    #[test]
    fn the_environment_chooses_and_never_fails() {
        assert_eq!(skin(None, &[]).0, Skin::plain().unwrap());
        assert_eq!(skin(None, &[("KNOWING_THEME", "dark")]).0.theme.name, "dark");
        assert_eq!(skin(Some("light"), &[("KNOWING_THEME", "dark")]).0.theme.name, "light");
        let (fallback, complaint) = skin(Some("nope"), &[]);
        assert_eq!(fallback.theme.name, "ansi");
        assert!(complaint.unwrap().contains("nope"));
        assert_eq!(skin(None, &[("LANG", "de_DE.ISO-8859-1")]).0.glyphs, glyphs::ASCII);
        assert_eq!(skin(None, &[("LANG", "C.UTF-8")]).0.glyphs, glyphs::UNICODE);
        let plain = choose(None, false, &|_| None).unwrap().0;
        assert_eq!(plain.theme, Skin::plain().unwrap().theme.without_colour());
        assert_eq!(skin(None, &[("KNOWING_GLYPHS", "ascii")]).0.glyphs, glyphs::ASCII);
    }
}
