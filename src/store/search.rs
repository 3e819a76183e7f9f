//! Full-text search with a weight for each column.

use super::error::StoreError;
use super::matching::MatchQuery;
use super::read::Reader;
use super::rows::SEARCH_COLUMNS;
use crate::model::SymbolId;

/// A symbol that a search found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    pub node: u32,
    /// BM25, greater is better.
    pub score: f64,
}

impl Reader {
    /// The best `limit` symbols, best first. Equal scores are ordered by identity, so that the answer does not depend
    /// on how nodes happen to be numbered.
    ///
    /// # Errors
    /// When the database can't be read.
    pub fn search(
        &self,
        query: &MatchQuery,
        weights: [f64; SEARCH_COLUMNS],
        limit: usize,
    ) -> Result<Vec<Hit>, StoreError> {
        if query.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        let mut hits = self.best_with_ties(query, weights, limit)?;
        let keyed: Result<Vec<(Hit, Option<SymbolId>)>, StoreError> =
            hits.drain(..).map(|hit| Ok((hit, self.identity_of(hit.node)?))).collect();
        let mut keyed = keyed?;
        keyed.sort_by(|(one, one_id), (two, two_id)| two.score.total_cmp(&one.score).then(one_id.cmp(two_id)));
        keyed.truncate(limit);
        Ok(keyed.into_iter().map(|(hit, _)| hit).collect())
    }

    /// The best `limit` hits and all those that score like the last of them.
    fn best_with_ties(
        &self,
        query: &MatchQuery,
        w: [f64; SEARCH_COLUMNS],
        limit: usize,
    ) -> Result<Vec<Hit>, StoreError> {
        use super::error::SqlContext;
        let mut statement = self.connection.prepare_cached(sql!("best_with_ties")).at(&self.path)?;
        let expression = query.expression();
        let mut rows = statement.query((&expression, w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7])).at(&self.path)?;
        let mut hits: Vec<Hit> = Vec::new();
        while let Some(row) = rows.next().at(&self.path)? {
            let hit = Hit { node: row.get(0).at(&self.path)?, score: row.get(1).at(&self.path)? };
            if hits.len() >= limit && hits.last().is_some_and(|last| hit.score < last.score) {
                break;
            }
            hits.push(hit);
        }
        Ok(hits)
    }
}
