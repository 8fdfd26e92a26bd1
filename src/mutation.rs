//! Files that were damaged as a fuzzer would, for the tests of their readers. `PROPTEST_CASES=100000` looks longer.

use proptest::prelude::*;

/// What a scene is made of, to be put where it does not belong.
const WORDS: [&str; 24] = [
    "[[spawn]]",
    "[world]",
    "[step]",
    "[wheel.a]",
    "[[surface]]",
    "[[segment]]",
    "[cannon]",
    "[material.rubber]",
    "count = ",
    "radius = [1e-3, 1e9]\n",
    "min = [-1e9, 1e9]\n",
    "kind = \"stack\"\n",
    "kind = \"curve\"\n",
    "carries = [[999, 0]]\n",
    "9999999999",
    "1e39",
    "-1",
    "nan",
    "inf",
    "\"",
    "[",
    "{",
    "\0",
    "é",
];

/// A change of a text at a share of its length.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    Put(f64, usize),
    Cut(f64, usize),
    Flip(f64, u8),
    Repeat(f64, usize),
}

/// Any change.
pub(crate) fn change() -> impl Strategy<Value = Change> {
    let at = 0.0..1.0f64;
    prop_oneof![
        (at.clone(), 0..WORDS.len()).prop_map(|(at, word)| Change::Put(at, word)),
        (at.clone(), 1..40usize).prop_map(|(at, length)| Change::Cut(at, length)),
        (at.clone(), 1..=255u8).prop_map(|(at, bits)| Change::Flip(at, bits)),
        (at, 1..200usize).prop_map(|(at, length)| Change::Repeat(at, length)),
    ]
}

/// The bytes after a change.
pub(crate) fn changed(mut bytes: Vec<u8>, change: &Change) -> Vec<u8> {
    let (Change::Put(at, _) | Change::Cut(at, _) | Change::Flip(at, _) | Change::Repeat(at, _)) = *change;
    let at = (at * bytes.len() as f64) as usize;
    match *change {
        Change::Put(_, word) => _ = bytes.splice(at..at, WORDS[word].bytes()),
        Change::Cut(_, length) => _ = bytes.drain(at..(at + length).min(bytes.len())),
        Change::Flip(_, bits) => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= bits),
        Change::Repeat(_, length) => {
            let piece = bytes[at..(at + length).min(bytes.len())].to_vec();
            _ = bytes.splice(at..at, piece);
        }
    }
    bytes
}
