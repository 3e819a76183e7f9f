//! Tests of packs: budgets, determinism, deltas, pins.

mod answers;
mod budget;
mod changes;
mod command;
mod locations;
mod mentions;
mod pins;
mod determinism;
mod examples;
mod tasks;

use knowing_analysis::model::{
    Component, EdgeType, NodeId, PackEdge, PackedSymbol, Provenance, Span, Symbol, SymbolId, SymbolKind, SymbolName,
    identity,
};
use knowing_retrieval::rank::pack::{Candidate, PackInput};

const REPOSITORY: &str = "example.org/team/project";

/// The properties of a test symbol.
#[derive(Debug, Clone)]
struct SymbolSpec {
    name: String,
    signature: String,
    file: String,
    body: Option<String>,
    score: f64,
}

fn plain(number: usize, score: f64) -> SymbolSpec {
    let name = format!("method_number_{number}");
    let signature = format!("def {name}(self, value: int) -> None");
    SymbolSpec { name, signature, file: format!("src/part{}/module.py", number % 7), body: None, score }
}

fn symbol(number: usize, spec: &SymbolSpec) -> PackedSymbol {
    let qualified_name = identity::qualified_name(REPOSITORY, &spec.file, &["Holder"], &spec.name);
    PackedSymbol {
        symbol: Symbol {
            id: SymbolId::new(
                REPOSITORY,
                SymbolName { unit: &spec.file, scope: "Holder", name: &spec.name },
                SymbolKind::Method,
                number as u32,
            ),
            node: NodeId::from_index(number),
            kind: SymbolKind::Method,
            name: spec.name.clone(),
            scope: "Holder".to_owned(),
            qualified_name,
            file: spec.file.clone(),
            signature: spec.signature.clone(),
            doc: String::new(),
            span: Span { name_line: number as u32 + 1, ..Span::default() },
            is_test: false,
            ordinal: number as u32,
        },
        score: spec.score,
        components: vec![Component { name: "lexical", value: spec.score, contribution: spec.score }],
        distance: number as u32 % 4,
        provenance: if number.is_multiple_of(2) { "bm25" } else { "walk" },
        tokens: 0,
        body: spec.body.clone(),
        reason: None,
    }
}

/// Returns an input of these symbols. Edges refer to indexes modulo the number of symbols.
fn pack_input(specs: &[SymbolSpec], edges: &[(usize, usize)], budget_tokens: usize) -> PackInput {
    let candidates: Vec<Candidate> = (specs.iter().enumerate())
        .map(|(number, spec)| Candidate { symbol: symbol(number, spec), walk: spec.score.abs().min(1.0) })
        .collect();
    let count = candidates.len().max(1);
    let edges = edges.iter().filter(|_| !candidates.is_empty()).map(|&(source, target)| PackEdge {
        source: source % count,
        target: target % count,
        edge_type: [EdgeType::Calls, EdgeType::Contains, EdgeType::Tests][(source + target) % 3],
        provenance: Provenance::AstResolved,
        confidence: 0.9,
    });
    PackInput {
        task: "fix it".to_owned(),
        repository: REPOSITORY.to_owned(),
        budget_tokens,
        edges: edges.collect(),
        candidates,
        ..PackInput::default()
    }
}
