//! How well piles hold: the rows that the jacobi solver is held to, measured and printed.
//!
//! `cargo bench --bench quality` prints every row; `cargo bench --bench quality -- layers heavy` those whose names hold
//! one of the words, and `-- piles` the textbook's own table; with `--ablation` each row once more for every rule switched off. The CPU engine runs them: its bits
//! are the GPU engine's.

mod friction;
mod rows;
mod textbook;
mod worlds;

use ballpit::Settings;

use rows::{ROWS, Row};

/// A rule's name, and how to switch it off.
type Rule = (&'static str, fn(&mut Settings));

const RULES: [Rule; 5] = [
    ("no relief", |settings| settings.relief = 0.0),
    ("no fade", |settings| settings.relief_fade_px_s = 10_000.0),
    ("no push speed", |settings| settings.push_speed_px_s = 1e6),
    ("no rest drag", |settings| settings.rest_drag_per_s = 0.0),
    ("no over-relaxation", |settings| settings.relaxation = 1.0),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let ablation = arguments.iter().any(|argument| argument == "--ablation");
    let words: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    if words.is_empty() || words.iter().any(|word| "piles".contains(word.as_str())) {
        textbook::print_piles();
    }
    let wanted = |row: &&Row| words.is_empty() || words.iter().any(|word| row.name.contains(word.as_str()));
    println!("{:<46} {:<18} {:>10} {:>10}", "row", "figure", "measured", "at most");
    for row in ROWS.iter().chain(&friction::ROWS).filter(wanted) {
        print_row(row, "", &(row.settings)());
        for (rule, switch_off) in RULES.iter().filter(|_| ablation) {
            let mut settings = (row.settings)();
            switch_off(&mut settings);
            print_row(row, rule, &settings);
        }
    }
}

fn print_row(row: &Row, rule: &str, settings: &Settings) {
    let name = if rule.is_empty() { row.name.to_string() } else { format!("  {rule}: {}", row.name) };
    for figure in (row.measure)(settings) {
        let verdict = if figure.measured <= figure.most { "" } else { "  MISSED" };
        let most = if figure.most < f64::MAX { format!("{:.4}", figure.most) } else { "-".into() };
        println!("{name:<46} {:<18} {:>10.4} {most:>10}{verdict}", figure.name, figure.measured);
    }
}
