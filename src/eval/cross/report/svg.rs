//! Elements of SVG, with classes instead of colors: a style sheet has them for light and for dark.

use std::fmt::Write;

/// Number of series that have different colors and marks; further ones begin again.
pub const SERIES: usize = 12;

/// Colors of the series on light and on dark background, after Okabe and Ito (*Color Universal Design*, 2008) with
/// shades.
const COLORS: [(&str, &str); SERIES] = [
    ("#0072b2", "#56b4e9"),
    ("#d55e00", "#ff8c42"),
    ("#009e73", "#3ad6a6"),
    ("#a3478b", "#e08cc8"),
    ("#8a6d00", "#f0c43c"),
    ("#5b5b5b", "#b8b8b8"),
    ("#3f3fa8", "#9c9cf5"),
    ("#a02c2c", "#f27c7c"),
    ("#2e7d8c", "#7fd3e0"),
    ("#6b8e23", "#b5d96a"),
    ("#7a4b2a", "#d1a07c"),
    ("#555577", "#a9a9cc"),
];

/// Colors of text, lines and background: name, on light and on dark background.
const PAGE: [(&str, &str, &str); 4] = [
    ("ink", "#1b1b1b", "#e8e8e8"),
    ("muted", "#5c5c5c", "#a8a8a8"),
    ("grid", "#dcdcdc", "#3a3a3a"),
    ("paper", "#ffffff", "#161616"),
];

/// Returns the names of all colors with their values on light and on dark background.
fn colors() -> Vec<(String, &'static str, &'static str)> {
    let page = PAGE.into_iter().map(|(name, light, dark)| (name.to_owned(), light, dark));
    let series = COLORS.into_iter().enumerate().map(|(index, (light, dark))| (format!("c{index}"), light, dark));
    page.chain(series).collect()
}

/// Returns the rules of the plots; `color` returns the value of a color.
fn rules(color: &dyn Fn(&str) -> String) -> String {
    let [ink, muted, grid, paper] = PAGE.map(|(name, ..)| color(name));
    let mut rules = format!(
        "svg{{font:12px system-ui,sans-serif}}svg text{{fill:{ink}}}svg .grid{{stroke:{grid};stroke-width:1}}\
         svg .axis{{stroke:{ink};stroke-width:1}}svg .line{{fill:none;stroke-width:2}}svg .front{{fill:none;\
         stroke:{ink};stroke-width:1;stroke-dasharray:4 4}}svg .muted{{fill:{muted}}}svg .paper{{fill:{paper}}}"
    );
    for index in 0..SERIES {
        let color = color(&format!("c{index}"));
        let _ = write!(rules, "svg .s{index}{{stroke:{color}}}svg .f{index}{{fill:{color}}}");
    }
    rules
}

/// Returns the style sheet of a page with plots: text and lines in the color of the text around, and one color a series.
pub fn style() -> String {
    let (mut light, mut dark) = (String::new(), String::new());
    for (name, on_light, on_dark) in colors() {
        let _ = write!(light, "--{name}:{on_light};");
        let _ = write!(dark, "--{name}:{on_dark};");
    }
    let rules = rules(&|name| format!("var(--{name})"));
    format!("{rules}:root{{{light}}}@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}")
}

/// Returns the style sheet of a plot in a file of its own. It has no variables, because not every viewer knows them.
fn plain_style() -> String {
    let colors = colors();
    let value = |name: &str, is_dark: bool| {
        let found = colors.iter().find(|(other, ..)| other == name);
        found.map_or("", |(_, light, dark)| if is_dark { dark } else { light }).to_owned()
    };
    let [light, dark] = [false, true].map(|is_dark| rules(&|name| value(name, is_dark)));
    format!("{light}@media screen and (prefers-color-scheme:dark){{{dark}}}")
}

/// An image under construction.
#[derive(Debug, Clone, Default)]
pub struct Canvas {
    body: String,
}

/// Side of the text that its position is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

impl Canvas {
    /// Adds a straight line.
    pub fn line(&mut self, class: &str, [x1, y1, x2, y2]: [f64; 4]) {
        self.add(format_args!(r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#));
    }

    /// Adds a line through points.
    pub fn polyline(&mut self, class: &str, points: &[(f64, f64)]) {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        self.add(format_args!(r#"<polyline class="{class}" points="{}"/>"#, points.join(" ")));
    }

    /// Adds a rectangle with a text that appears under the pointer.
    pub fn rectangle(&mut self, class: &str, [x, y, width, height]: [f64; 4], hint: &str) {
        self.add(format_args!(
            r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}"><title>{}</title></rect>"#,
            escaped(hint)
        ));
    }

    /// Adds the mark of a series, with a text that appears under the pointer. Series differ in shape too, for print and
    /// for readers who don't see the colors.
    pub fn mark(&mut self, series: usize, (x, y): (f64, f64), hint: &str) {
        let shapes = [
            "M-4-4h8v8h-8z",
            "M0-5L5 4H-5z",
            "M0-6L5 0L0 6L-5 0z",
            "M-5-4H5L0 5z",
            "M-6-2h4v-4h4v4h4v4h-4v4h-4v-4h-4z",
        ];
        let class = format!("f{}", series % SERIES);
        let title = format!("<title>{}</title>", escaped(hint));
        match series % (shapes.len() + 1) {
            0 => self.add(format_args!(r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="4.5">{title}</circle>"#)),
            shape => self.add(format_args!(
                r#"<path class="{class}" transform="translate({x:.1} {y:.1})" d="{}">{title}</path>"#,
                shapes[shape - 1]
            )),
        }
    }

    /// Adds a text.
    pub fn text(&mut self, (x, y): (f64, f64), anchor: Anchor, class: &str, text: &str) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let class = if class.is_empty() { String::new() } else { format!(r#" class="{class}""#) };
        self.add(format_args!(r#"<text{class} x="{x:.1}" y="{y:.1}" text-anchor="{anchor}">{}</text>"#, escaped(text)));
    }

    /// Adds a text that reads upwards and is centered at its position.
    pub fn upward_text(&mut self, (x, y): (f64, f64), text: &str) {
        self.add(format_args!(
            r#"<text transform="translate({x:.1} {y:.1}) rotate(-90)" text-anchor="middle">{}</text>"#,
            escaped(text)
        ));
    }

    fn add(&mut self, element: std::fmt::Arguments) {
        // Writing to a string never fails.
        let _ = writeln!(self.body, "{element}");
    }

    /// Returns the image with a description for readers who don't see it, for a page that has the style sheet.
    pub fn finish(self, (width, height): (f64, f64), description: &str) -> String {
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" \
             aria-label=\"{}\">\n{}</svg>\n",
            escaped(description),
            self.body
        )
    }
}

/// Returns an image of [`Canvas::finish`] as a file of its own: with the style sheet, a size and a background.
pub fn standalone(image: &str) -> String {
    let Some((tag, body)) = image.split_once('>') else { return image.to_owned() };
    format!("{tag}>\n<style>{}</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>{body}", plain_style())
}

/// Escapes text for HTML and SVG, in elements and attributes.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // Control characters are not allowed in XML.
            letter if letter.is_control() && letter != '\n' && letter != '\t' => escaped.push('\u{fffd}'),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped() {
        let mut canvas = Canvas::default();
        canvas.text((1.0, 2.0), Anchor::End, "muted", "a < b & \"c\"\u{1b}");
        let image = canvas.finish((10.0, 20.0), "<plot>");
        assert!(image.contains("a &lt; b &amp; &quot;c&quot;\u{fffd}</text>"), "{image}");
        assert!(image.contains("aria-label=\"&lt;plot&gt;\""));
    }

    #[test]
    fn standalone_image_has_style_and_background() {
        let image = standalone(&Canvas::default().finish((10.0, 20.0), "plot"));
        assert!(image.starts_with("<svg ") && image.contains("<style>") && image.contains("class=\"paper\""));
        assert!(!image.contains("var("), "not every viewer knows variables");
        assert!(image.contains("prefers-color-scheme:dark"));
    }

    #[test]
    fn every_series_has_a_color_and_a_mark() {
        let mut canvas = Canvas::default();
        (0..SERIES + 1).for_each(|series| canvas.mark(series, (0.0, 0.0), "hint"));
        let image = canvas.finish((1.0, 1.0), "");
        assert!(image.contains("f11") && !image.contains("f12") && image.matches("<title>").count() == SERIES + 1);
    }
}
