//! Columns of numbers and texts.

use serde::{Deserialize, Serialize};
use thin_vec::ThinVec;

/// Numbers, each as its difference from the one before.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Column(Vec<i32>);

impl Column {
    pub(super) fn new(numbers: impl IntoIterator<Item = u32>) -> Column {
        let mut last = 0;
        let difference = |number: u32| number.wrapping_sub(std::mem::replace(&mut last, number)).cast_signed();
        Column(numbers.into_iter().map(difference).collect())
    }

    /// Returns the numbers.
    pub(super) fn numbers(self) -> impl Iterator<Item = u32> {
        let mut last = 0_u32;
        self.0.into_iter().map(move |difference| {
            last = last.wrapping_add(difference.cast_unsigned());
            last
        })
    }
}

/// Numbers of which some are absent: 0 for these, otherwise the difference from the number before, that is one more unless it is
/// negative.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct OptionalColumn(Vec<i64>);

impl OptionalColumn {
    pub(super) fn new(numbers: impl IntoIterator<Item = Option<u32>>) -> OptionalColumn {
        let mut last = 0;
        let difference = |number: Option<u32>| {
            number.map_or(0, |number| {
                let difference = number.wrapping_sub(std::mem::replace(&mut last, number)).cast_signed();
                i64::from(difference) + i64::from(difference >= 0)
            })
        };
        OptionalColumn(numbers.into_iter().map(difference).collect())
    }

    /// Returns the numbers.
    pub(super) fn numbers(self) -> impl Iterator<Item = Option<u32>> {
        let mut last = 0_u32;
        self.0.into_iter().map(move |difference| {
            // Of a damaged file any bits.
            let difference = (difference != 0).then_some(difference - i64::from(difference > 0))?;
            last = last.wrapping_add(difference as u32);
            Some(last)
        })
    }
}

/// Lists of numbers, one after the other.
#[derive(Serialize, Deserialize)]
pub(super) struct Lists {
    lengths: Vec<u32>,
    numbers: Column,
}

impl Lists {
    pub(super) fn new<'a, T: Copy + 'a>(
        lists: impl Iterator<Item = &'a [T]> + Clone,
        number: impl Fn(T) -> u32,
    ) -> Lists {
        let lengths = lists.clone().map(|list| list.len() as u32).collect();
        Lists { lengths, numbers: Column::new(lists.flatten().map(|one| number(*one))) }
    }

    /// Returns the lists; `None` for one whose numbers are missing.
    pub(super) fn lists<T>(self, new: impl Fn(u32) -> T) -> impl Iterator<Item = Option<ThinVec<T>>> {
        let mut numbers = self.numbers.numbers();
        self.lengths.into_iter().map(move |length| {
            // Those that are left bound the capacity.
            let length = (length as usize <= numbers.size_hint().0).then_some(length as usize)?;
            let mut list = ThinVec::with_capacity(length);
            list.extend(numbers.by_ref().take(length).map(&new));
            Some(list)
        })
    }
}

/// Returns what a function makes of each item, without unused capacity; `None` if it makes nothing of one.
pub(super) fn collect<T, U>(items: Vec<T>, mut new: impl FnMut(T) -> Option<U>) -> Option<Vec<U>> {
    let mut list = Vec::with_capacity(items.len());
    for item in items {
        list.push(new(item)?);
    }
    Some(list)
}

/// Texts, one after the other.
#[derive(Serialize, Deserialize)]
pub(super) struct Texts {
    text: String,
    lengths: Vec<u32>,
}

impl Texts {
    pub(super) fn new<'a>(texts: impl Iterator<Item = &'a str> + Clone) -> Texts {
        Texts { lengths: texts.clone().map(|text| text.len() as u32).collect(), text: texts.collect() }
    }

    /// Returns the texts; `None` for one that is missing or ends within a letter.
    pub(super) fn texts(self) -> impl Iterator<Item = Option<String>> {
        let mut start = 0_usize;
        self.lengths.into_iter().map(move |length| {
            let end = start.checked_add(length as usize)?;
            let text = self.text.get(start..end)?.to_owned();
            start = end;
            Some(text)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_round_trip_and_are_small() {
        let numbers = [0, 5, 6, u32::MAX, 3, 3, 1 << 31];
        assert!(Column::new(numbers).numbers().eq(numbers));
        assert_eq!(Column::new([7, 8, 6]).0, [7, 1, -2]);
        let optional = [None, Some(0), Some(u32::MAX), None, Some(1 << 31), Some(0), Some(0)];
        assert!(OptionalColumn::new(optional).numbers().eq(optional));
        assert_eq!(OptionalColumn::new([Some(7), None, Some(7), Some(6)]).0, [8, 0, 1, -1]);
    }

    #[test]
    fn lists_and_texts_round_trip() {
        let lists: [&[u32]; 4] = [&[3, 900], &[], &[1], &[]];
        let stored = || Lists::new(lists.into_iter(), |number| number);
        assert!(stored().lists(|number| number).eq(lists.map(|list| Some(ThinVec::from(list)))));
        let cut = Lists { numbers: Column::new([3]), ..stored() };
        assert_eq!(cut.lists(|number| number).next(), Some(None));
        let texts = ["größe", "", "a"];
        assert!(Texts::new(texts.into_iter()).texts().eq(texts.map(|text| Some(text.to_owned()))));
        let within = Texts { lengths: vec![3], text: "größe".to_owned() };
        assert_eq!(within.texts().next(), Some(None));
    }
}
