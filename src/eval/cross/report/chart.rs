//! Charts: points and lines over two axes, bars with intervals, stacked shares.

use super::scale::{Scale, label};
use super::svg::{Anchor, Canvas, SERIES};
use crate::cross::statistics::Estimate;

/// A point with the text that appears under the pointer.
#[derive(Debug, Clone, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    pub hint: String,
}

/// Points of one system. The number selects color and mark.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    pub name: String,
    pub number: usize,
    pub points: Vec<Point>,
}

/// Points over two axes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct XyChart {
    pub description: String,
    pub x_title: String,
    pub y_title: String,
    pub is_x_log: bool,
    pub is_y_log: bool,
    /// Whether the points of a series are joined by a line.
    pub is_joined: bool,
    /// Whether the points that no other exceeds, with a smaller x and a larger y, are joined.
    pub has_front: bool,
    pub series: Vec<Series>,
}

/// Values with intervals by group and series.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct BarChart {
    pub description: String,
    pub y_title: String,
    pub groups: Vec<String>,
    /// Name, number, and a value for each group.
    pub series: Vec<(String, usize, Vec<Option<Estimate>>)>,
}

/// Shares of a whole, one bar for each row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct StackChart {
    pub description: String,
    pub parts: Vec<String>,
    pub rows: Vec<(String, Vec<f64>)>,
}

const WIDTH: f64 = 880.0;
const HEIGHT: f64 = 400.0;
/// Edges of the area of the axes.
const LEFT: f64 = 64.0;
const RIGHT: f64 = 660.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 346.0;
/// Position and line height of the legend.
const LEGEND: f64 = 680.0;
const LINE: f64 = 20.0;

impl XyChart {
    /// Draws the chart.
    pub fn draw(&self) -> String {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let axis = |is_log: bool, values: Vec<f64>, start, end| match is_log {
            true => Scale::log(values.into_iter(), start, end),
            false => Scale::linear(values.into_iter(), start, end),
        };
        let x = axis(self.is_x_log, points().map(|point| point.x).collect(), LEFT, RIGHT);
        let y = axis(self.is_y_log, points().map(|point| point.y).collect(), BOTTOM, TOP);
        let mut canvas = Canvas::default();
        draw_y_axis(&mut canvas, &y, &self.y_title);
        draw_x_axis(&mut canvas, &x, &self.x_title);
        if self.has_front {
            let front: Vec<_> = front(points()).iter().map(|p| (x.position(p.x), y.position(p.y))).collect();
            canvas.polyline("front", &front);
        }
        for series in &self.series {
            let at = |point: &Point| (x.position(point.x), y.position(point.y));
            if self.is_joined {
                let points: Vec<_> = series.points.iter().map(at).collect();
                canvas.polyline(&format!("line s{}", series.number % SERIES), &points);
            }
            // Marks on every point of a long curve would hide it.
            let every = (series.points.len() / 10).max(1);
            for point in series.points.iter().step_by(every) {
                canvas.mark(series.number, at(point), &point.hint);
            }
        }
        draw_legend(&mut canvas, self.series.iter().map(|series| (series.name.as_str(), series.number)));
        canvas.finish((WIDTH, HEIGHT), &self.description)
    }
}

/// Returns the points that no other point exceeds in y at the same or a smaller x, by rising x.
fn front<'a>(points: impl Iterator<Item = &'a Point>) -> Vec<&'a Point> {
    let mut points: Vec<&Point> = points.collect();
    points.sort_by(|one, two| one.x.total_cmp(&two.x).then(two.y.total_cmp(&one.y)));
    let mut best = f64::NEG_INFINITY;
    points.retain(|point| {
        let is_best = point.y > best;
        best = best.max(point.y);
        is_best
    });
    points
}

fn draw_y_axis(canvas: &mut Canvas, y: &Scale, title: &str) {
    for (value, label) in y.ticks() {
        let position = y.position(value);
        canvas.line("grid", [LEFT, position, RIGHT, position]);
        canvas.text((LEFT - 8.0, position + 4.0), Anchor::End, "", &label);
    }
    canvas.line("axis", [LEFT, TOP, LEFT, BOTTOM]);
    canvas.upward_text((16.0, (TOP + BOTTOM) / 2.0), title);
}

fn draw_x_axis(canvas: &mut Canvas, x: &Scale, title: &str) {
    for (value, label) in x.ticks() {
        let position = x.position(value);
        canvas.line("grid", [position, TOP, position, BOTTOM]);
        canvas.text((position, BOTTOM + 18.0), Anchor::Middle, "", &label);
    }
    canvas.line("axis", [LEFT, BOTTOM, RIGHT, BOTTOM]);
    canvas.text(((LEFT + RIGHT) / 2.0, BOTTOM + 42.0), Anchor::Middle, "", title);
}

fn draw_legend<'a>(canvas: &mut Canvas, names: impl Iterator<Item = (&'a str, usize)>) {
    for (line, (name, number)) in names.enumerate() {
        let y = TOP + 10.0 + line as f64 * LINE;
        canvas.mark(number, (LEGEND + 6.0, y), name);
        canvas.text((LEGEND + 18.0, y + 4.0), Anchor::Start, "", name);
    }
}

impl BarChart {
    /// Draws the chart.
    pub fn draw(&self) -> String {
        let values = || self.series.iter().flat_map(|(.., values)| values.iter().flatten());
        let y = Scale::linear(values().map(|value| value.high.max(value.mean)), BOTTOM, TOP);
        let mut canvas = Canvas::default();
        draw_y_axis(&mut canvas, &y, &self.y_title);
        let group_width = (RIGHT - LEFT) / self.groups.len().max(1) as f64;
        let width = group_width * 0.84 / self.series.len().max(1) as f64;
        for (group, name) in self.groups.iter().enumerate() {
            let start = LEFT + group as f64 * group_width + group_width * 0.08;
            canvas.text((start + group_width * 0.42, BOTTOM + 18.0), Anchor::Middle, "", name);
            for (index, (series, number, values)) in self.series.iter().enumerate() {
                let Some(value) = values.get(group).copied().flatten() else { continue };
                let (x, top) = (start + index as f64 * width, y.position(value.mean));
                let hint = format!("{series}, {name}: {:.3} [{:.3} {:.3}]", value.mean, value.low, value.high);
                let bar = [x, top, (width - 1.0).max(1.0), BOTTOM - top];
                canvas.rectangle(&format!("f{}", number % SERIES), bar, &hint);
                let middle = x + (width - 1.0) / 2.0;
                canvas.line("axis", [middle, y.position(value.low), middle, y.position(value.high)]);
            }
        }
        canvas.line("axis", [LEFT, BOTTOM, RIGHT, BOTTOM]);
        draw_legend(&mut canvas, self.series.iter().map(|(name, number, _)| (name.as_str(), *number)));
        canvas.finish((WIDTH, HEIGHT), &self.description)
    }
}

impl StackChart {
    /// Draws the chart.
    pub fn draw(&self) -> String {
        let left = 200.0;
        let bottom = TOP + self.rows.len() as f64 * 26.0;
        let height = bottom.max(TOP + self.parts.len() as f64 * LINE) + 44.0;
        // The label of the last tick needs room beside the legend.
        let x = Scale::linear([1.0].into_iter(), left, RIGHT - 20.0);
        let mut canvas = Canvas::default();
        for (value, _) in x.ticks() {
            canvas.line("grid", [x.position(value), TOP, x.position(value), bottom]);
            canvas.text((x.position(value), bottom + 18.0), Anchor::Middle, "", &format!("{:.0}%", value * 100.0));
        }
        for (row, (name, shares)) in self.rows.iter().enumerate() {
            let y = TOP + row as f64 * 26.0;
            canvas.text((left - 8.0, y + 16.0), Anchor::End, "", name);
            let mut start = 0.0;
            for (part, (share, cause)) in shares.iter().zip(&self.parts).enumerate() {
                let (from, to) = (x.position(start), x.position(start + share));
                let hint = format!("{name}, {cause}: {}%", label((share * 1000.0).round() / 10.0));
                if *share > 0.0 {
                    canvas.rectangle(&format!("f{}", part % SERIES), [from, y + 2.0, to - from, 20.0], &hint);
                }
                start += share;
            }
        }
        for (line, part) in self.parts.iter().enumerate() {
            let y = TOP + line as f64 * LINE;
            canvas.rectangle(&format!("f{}", line % SERIES), [LEGEND, y + 4.0, 12.0, 12.0], part);
            canvas.text((LEGEND + 18.0, y + 14.0), Anchor::Start, "", part);
        }
        canvas.finish((WIDTH, height), &self.description)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(x: f64, y: f64) -> Point {
        Point { x, y, hint: format!("{x} {y}") }
    }

    #[test]
    fn front_has_the_points_that_none_exceeds() {
        let points = [point(1.0, 0.2), point(2.0, 0.1), point(2.0, 0.5), point(3.0, 0.5), point(4.0, 0.6)];
        let front: Vec<f64> = front(points.iter()).iter().map(|point| point.x).collect();
        assert_eq!(front, [1.0, 2.0, 4.0]);
    }

    #[test]
    fn points_are_drawn_within_the_axes() {
        let series = Series { name: "a".into(), number: 0, points: vec![point(10.0, 0.5), point(1000.0, 1.0)] };
        let chart = XyChart { is_x_log: true, is_joined: true, series: vec![series], ..XyChart::default() };
        let image = chart.draw();
        assert!(image.contains(r#"points="64.0,181.0 660.0,16.0""#), "{image}");
        assert!(!image.contains("NaN") && !XyChart::default().draw().contains("NaN"));
    }

    #[test]
    fn bars_have_intervals_and_absent_values_none() {
        let value = Estimate { mean: 0.5, low: 0.4, high: 0.6 };
        let series = vec![("a".to_owned(), 0, vec![Some(value), None])];
        let chart = BarChart { groups: vec!["x".into(), "y".into()], series, ..BarChart::default() };
        let image = chart.draw();
        assert_eq!(image.matches("<rect").count(), 1);
        assert!(image.contains("a, x: 0.500 [0.400 0.600]"));
        assert!(!BarChart::default().draw().contains("NaN"));
    }

    #[test]
    fn stacked_shares_fill_the_bar() {
        let chart = StackChart {
            parts: vec!["p".into(), "q".into()],
            rows: vec![("a".into(), vec![0.25, 0.75])],
            ..StackChart::default()
        };
        let image = chart.draw();
        assert!(image.contains(r#"x="200.0" y="18.0" width="110.0""#), "{image}");
        assert!(image.contains(r#"x="310.0" y="18.0" width="330.0""#) && image.contains("a, q: 75%"));
    }
}
