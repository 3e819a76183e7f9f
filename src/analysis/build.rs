//! Generates the table of the cl100k_base vocabulary of `tiktoken-rs`, which the program embeds.
//!
//! # Why
//!
//! `tiktoken_rs::cl100k_base()` decodes its vocabulary and fills three hash maps on every start. That takes about 150
//! ms, more than a whole `knowing context` may take. The tables are used in place by `text/tokens.rs`, whose tests
//! compare it with `tiktoken-rs`.

use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Number of slots of the open-addressing table, a power of two; about 38% of them are used.
const SLOTS: usize = 1 << 18;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    let tokens = vocabulary()?;
    let mut ends = Vec::new();
    let mut end = 0;
    for token in &tokens {
        end += u32::try_from(token.len())?;
        ends.extend(end.to_le_bytes());
    }
    std::fs::write(folder.join("cl100k.bytes"), tokens.concat())?;
    std::fs::write(folder.join("cl100k.ends"), ends)?;
    std::fs::write(folder.join("cl100k.slots"), slots(&tokens)?)?;
    std::fs::write(folder.join("letters.rs"), letters()?)?;
    Ok(())
}

/// Returns the bytes of every ordinary token, in the order of their ranks.
fn vocabulary() -> Result<Vec<Vec<u8>>, Box<dyn Error>> {
    let tokenizer = tiktoken_rs::cl100k_base()?;
    // The ordinary ranks are contiguous.
    Ok((0..).map_while(|rank| tokenizer.decode_bytes(&[rank]).ok()).collect())
}

/// Returns for each slot the rank of its token plus one, or zero. The probe sequence of a token starts at the hash of
/// its bytes.
fn slots(tokens: &[Vec<u8>]) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut slots = vec![0_u32; SLOTS];
    for (rank, token) in tokens.iter().enumerate() {
        let mut slot = xxhash_rust::xxh3::xxh3_64(token) as usize % SLOTS;
        while slots[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        slots[slot] = u32::try_from(rank)? + 1;
    }
    Ok(slots.into_iter().flat_map(u32::to_le_bytes).collect())
}

/// Returns the ranges of Unicode letters, as in the tokenizer's regular expressions.
fn letters() -> Result<String, Box<dyn Error>> {
    let hir = regex_syntax::parse(r"\p{L}")?;
    let regex_syntax::hir::HirKind::Class(regex_syntax::hir::Class::Unicode(class)) = hir.kind() else {
        return Err("a class of letters is a Unicode class".into());
    };
    let mut text = String::from("[");
    for range in class.ranges() {
        write!(text, "({:?}, {:?}),", range.start(), range.end())?;
    }
    text.push(']');
    Ok(text)
}
