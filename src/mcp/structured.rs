//! Structured content within the budget: JSON takes more tokens than the same symbols and rows as text.

use serde_json::{Map, Value, json};

use crate::text::tokens::Counter;

/// Tokens between two elements of a list.
const SEPARATOR: usize = 1;

/// Returns structured content of at most about `budget` tokens besides the notes and the state of the index, which must
/// not change what else is in an answer. Symbols get half of the room, then their sources, then further symbols and the
/// lines of more, each from the best on; `left_out` counts the others. Rows of an answer get all of it.
pub fn fit(mut structured: Value, budget: usize) -> Value {
    let mut symbols = take(&mut structured["symbols"]);
    let mut rows = structured.get_mut("answer").map(|answer| take(&mut answer["rows"])).unwrap_or_default();
    let mut more = take(&mut structured["more"]);
    let sources: Vec<Value> = symbols.iter_mut().map(|symbol| symbol["source"].take()).collect();
    symbols.iter_mut().filter_map(Value::as_object_mut).for_each(|symbol| drop(symbol.remove("source")));
    let mut counter = Counter::default();
    let mut frame = structured.clone();
    for name in ["notes", "index"] {
        if let Some(frame) = frame.as_object_mut() {
            frame.remove(name);
        }
    }
    let left = budget.saturating_sub(counter.count(&frame.to_string()));
    let mut room = Room { counter, left };
    let reserved = room.left / 2;
    room.left -= reserved;
    let first = room.fitting(&symbols);
    room.left += reserved;
    let mut unshown = 0;
    for (index, source) in sources.into_iter().enumerate().filter(|(_, source)| !source.is_null()) {
        if index < first && room.take(&source) {
            symbols[index]["source"] = source;
        } else {
            unshown += 1;
        }
    }
    let kept_symbols = first + room.fitting(&symbols[first..]);
    let mut left_out = Map::new();
    let lists = [
        ("symbols", symbols.len() - kept_symbols),
        ("sources", unshown),
        ("rows", room.shorten(&mut rows)),
        ("more", room.shorten(&mut more)),
    ];
    symbols.truncate(kept_symbols);
    left_out
        .extend(lists.into_iter().filter(|(_, count)| *count > 0).map(|(name, count)| (name.to_owned(), json!(count))));
    put(&mut structured, "symbols", symbols);
    put(&mut structured, "more", more);
    if let Some(answer) = structured.get_mut("answer") {
        put(answer, "rows", rows);
    }
    if !left_out.is_empty() {
        structured["left_out"] = Value::Object(left_out);
    }
    structured
}

/// The tokens that are left.
struct Room {
    counter: Counter,
    left: usize,
}

impl Room {
    /// Returns whether a value fits, and takes its room.
    fn take(&mut self, value: &Value) -> bool {
        let cost = self.counter.count(&value.to_string()) + SEPARATOR;
        let fits = cost <= self.left;
        if fits {
            self.left -= cost;
        }
        fits
    }

    /// Returns how many of the first values fit, and takes their room.
    fn fitting(&mut self, values: &[Value]) -> usize {
        values.iter().take_while(|value| self.take(value)).count()
    }

    /// Shortens a list to what fits. Returns the number of removed values.
    fn shorten(&mut self, list: &mut Vec<Value>) -> usize {
        let (all, kept) = (list.len(), self.fitting(list));
        list.truncate(kept);
        all - kept
    }
}

/// Empties a list and returns its elements.
fn take(list: &mut Value) -> Vec<Value> {
    list.as_array_mut().map(std::mem::take).unwrap_or_default()
}

/// Fills a list that was emptied; one that was never there is removed.
fn put(object: &mut Value, name: &str, list: Vec<Value>) {
    match object.as_object_mut() {
        Some(object) if object.get(name).is_some_and(Value::is_null) => drop(object.remove(name)),
        Some(object) => drop(object.insert(name.to_owned(), Value::Array(list))),
        None => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens;

    #[test]
    fn the_best_symbols_and_sources_remain() {
        let symbol = |index: usize| json!({ "name": format!("Shop.sell{index}"), "source": "x = 1\n".repeat(40) });
        let whole = json!({
            "kind": "pack", "symbols": (0..20).map(symbol).collect::<Vec<_>>(), "more": ["a.py: b 1"],
        });
        assert_eq!(fit(whole.clone(), 100_000), whole);
        for budget in [60, 300, 900] {
            let fitted = fit(whole.clone(), budget);
            // The count of what is left out has no room reserved.
            assert!(tokens::count(&fitted.to_string()) <= budget + 24, "{budget}: {fitted}");
            let kept = fitted["symbols"].as_array().unwrap();
            assert!(!kept.is_empty() && kept[0]["name"] == "Shop.sell0");
            assert!(fitted["left_out"].is_object());
        }
        let fitted = fit(whole, 900);
        assert!(fitted["symbols"].as_array().unwrap().len() == 20 && fitted["symbols"][0]["source"].is_string());
        assert!(fitted["symbols"][19]["source"].is_null(), "{fitted}");
    }

    #[test]
    fn rows_of_an_answer_are_shortened_and_nothing_is_added() {
        let rows: Vec<Value> = (0..100).map(|index| json!({ "symbol": format!("Cart.total{index}") })).collect();
        let fitted = fit(json!({ "answer": { "total": 100, "rows": rows }, "notes": [] }), 200);
        let kept = fitted["answer"]["rows"].as_array().unwrap().len();
        assert!((5..100).contains(&kept) && fitted["left_out"]["rows"] == 100 - kept, "{fitted}");
        assert!(fitted.get("symbols").is_none() && fitted.get("more").is_none());
        let plain = json!({ "kind": "nothing", "notes": ["x"] });
        assert_eq!(fit(plain.clone(), 1), plain);
    }
}
