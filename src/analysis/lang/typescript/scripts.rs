//! Scripts in pages and components: the `<script>` elements of HTML, Vue and Svelte.

use crate::lang::templates::is_template;

/// Extensions of files whose code is in `<script>` elements.
const EXTENSIONS: [&str; 4] = ["htm", "html", "svelte", "vue"];

/// Types of scripts that are not code: data, and templates of libraries.
const OTHER_TYPES: [&str; 6] = ["json", "template", "importmap", "speculationrules", "shader", "handlebars"];

/// Returns the text of a page or component with spaces instead of everything but its scripts, so that lines and bytes
/// keep their positions; `None` for any other file.
pub fn masked(path: &str, text: &str) -> Option<String> {
    let (_, extension) = path.rsplit_once('.')?;
    if !EXTENSIONS.contains(&extension) {
        return None;
    }
    let bytes = text.as_bytes();
    let blank = |byte: &u8| if matches!(byte, b'\n' | b'\r') { *byte } else { b' ' };
    let mut masked: Vec<u8> = bytes.iter().map(blank).collect();
    let mut at = 0;
    while let Some(script) = next_script(bytes, at) {
        if script.is_code {
            masked[script.start..script.end].copy_from_slice(&bytes[script.start..script.end]);
            // The next script can be in the same line.
            if let Some(after) = masked.get_mut(script.end) {
                *after = b';';
            }
        }
        at = script.end;
    }
    // A component is code also without a script, and so is a page with handlers or with scripts of other files.
    let is_blank = masked.iter().all(u8::is_ascii_whitespace);
    if is_blank && has_code_in_markup(extension, text) {
        masked[0] = b';';
    }
    String::from_utf8(masked).ok()
}

/// Returns whether the markup of a page or component has code, or says which code it loads.
fn has_code_in_markup(extension: &str, text: &str) -> bool {
    let is_component = matches!(extension, "svelte" | "vue");
    let is_code = is_component || has_handler(text) || text.contains("<script src=") || is_template(text);
    !text.trim().is_empty() && is_code
}

/// Returns whether a page has an attribute such as `onclick="…"`.
fn has_handler(text: &str) -> bool {
    text.match_indices(" on").any(|(at, _)| {
        let name = text[at + " on".len()..].trim_start_matches(|letter: char| letter.is_ascii_lowercase());
        name.len() < text.len() - at - " on".len() && (name.starts_with("=\"") || name.starts_with("='"))
    })
}

/// The content of a `<script>` element, by its bytes.
struct Script {
    start: usize,
    end: usize,
    is_code: bool,
}

/// Returns the first script at or after a byte. Comments are passed over.
fn next_script(bytes: &[u8], mut at: usize) -> Option<Script> {
    loop {
        at += bytes.get(at..)?.iter().position(|byte| *byte == b'<')?;
        if bytes[at..].starts_with(b"<!--") {
            at += find(&bytes[at..], b"-->")?;
            continue;
        }
        let name = bytes.get(at + 1..at + 7).unwrap_or_default();
        let follows = bytes.get(at + 7).is_some_and(|byte| byte.is_ascii_whitespace() || *byte == b'>');
        if name.eq_ignore_ascii_case(b"script") && follows {
            break;
        }
        at += 1;
    }
    let start = at + end_of_tag(&bytes[at..])?;
    let is_code = !is_other_type(&String::from_utf8_lossy(&bytes[at..start]).to_ascii_lowercase());
    let length = (0..bytes.len() - start).find(|offset| {
        let rest = &bytes[start + offset..];
        rest.starts_with(b"</") && rest.get(2..8).is_some_and(|name| name.eq_ignore_ascii_case(b"script"))
    });
    Some(Script { start, end: length.map_or(bytes.len(), |length| start + length), is_code })
}

/// Returns the length of the tag at the start of a text. A value in quotes can have a `>`.
fn end_of_tag(bytes: &[u8]) -> Option<usize> {
    let mut quote = None;
    for (index, byte) in bytes.iter().enumerate() {
        match (byte, quote) {
            (b'"' | b'\'', None) => quote = Some(*byte),
            (byte, Some(open)) if *byte == open => quote = None,
            (b'>', None) => return Some(index + 1),
            _ => {}
        }
    }
    None
}

/// Returns whether the attribute `type` of a tag in lower case names something other than a script.
fn is_other_type(tag: &str) -> bool {
    let Some((_, after)) = tag.split_once("type=") else { return false };
    let value = after.trim_start_matches(['"', '\'']);
    let value = &value[..value.find(['"', '\'', ' ', '>']).unwrap_or(value.len())];
    OTHER_TYPES.iter().any(|other| value.contains(other))
}

fn find(bytes: &[u8], wanted: &[u8]) -> Option<usize> {
    bytes.windows(wanted.len()).position(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::masked;
    use crate::lang::testing::outline;

    #[test]
    fn only_scripts_remain_at_their_positions() {
        let page =
            "<!-- <script>no()</script> -->\n<SCRIPT src='a>b'>a()</SCRIPT><script type=\"module\">b()</script>\n";
        let text = masked("page.html", page).unwrap();
        assert_eq!(text.len(), page.len());
        assert_eq!(text.split_whitespace().collect::<Vec<_>>(), ["a();", "b();"]);
        assert_eq!(text.find("a()"), page.find("a()"));
        for other in ["<script type='application/ld+json'>{\"a\": 1}</script>", "<p>é <scripted> </p>", "<script"] {
            assert_eq!(masked("page.htm", other).unwrap().trim().trim_matches(';'), "", "{other}");
        }
        assert_eq!(masked("page.ts", page), None);
    }

    #[test]
    fn definitions_of_a_component_have_the_lines_of_its_file() {
        let component = "<template>\n  <b @click=\"add\">é</b>\n</template>\n\n<script setup lang=\"ts\">\n\
                         import { ref } from 'vue'\n\n// Adds one.\nfunction add(by: number = 1) { total.value += by }\n\
                         const total = ref(0)\n</script>\n";
        assert_eq!(outline("Counter.vue", component)[0], "function add: function add(by: number = 1)");
        let facts = crate::lang::testing::parse("Counter.vue", component);
        let add = &facts.outline.definitions[0];
        assert_eq!((add.span.name_line, add.doc.as_str()), (9, "Adds one."));
    }
}
