//! How well piles hold and bounces keep their energy: the rows that the jacobi solver is held to, measured and printed.
//!
//! `cargo bench --bench quality` prints every row; `cargo bench --bench quality -- layers heavy` those whose names hold
//! one of the words; `-- piles` prints the textbook's own table, `-- sleep` what a step costs asleep. With `--seeds=5` each
//! figure is the median over five random worlds; with `--ablation` each row is measured once more without each of the
//! rules, and only what is missed is printed, as medians over three. The CPU engine runs them: its bits are the GPU engine's.

mod asleep;
mod rows;
mod textbook;
mod worlds;

use ballpit::Settings;

use rows::{Figure, ROWS, Row};

/// A rule's name, and how to do without it.
type Rule = (&'static str, fn(&mut Settings));

const RULES: [Rule; 10] = [
    ("relief", |settings| settings.relief = 0.0),
    ("relief drag", |settings| settings.relief_drag_per_s = 0.0),
    ("ground flag", |settings| settings.rules.ground = false),
    ("push speed", |settings| settings.push_speed_px_s = 1e6),
    ("presplit", |settings| settings.rules.presplit = false),
    ("first impact", |settings| settings.rules.first_impact = false),
    ("impact window", |settings| settings.rules.impact_window = false),
    ("half kick", |settings| settings.rules.half_kick = false),
    ("soft push", |settings| settings.soft_push = settings.passes as f32),
    ("bounce speed", |settings| settings.bounce_speed_px_s = 0.0),
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let ablation = arguments.iter().any(|argument| argument == "--ablation");
    let seeds = arguments.iter().find_map(|argument| argument.strip_prefix("--seeds="));
    let seeds = seeds.map_or(if ablation { 3 } else { 1 }, |count| count.parse().expect("--seeds=COUNT"));
    let words: Vec<&String> = arguments.iter().filter(|argument| !argument.starts_with("--")).collect();
    let names = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word.as_str()));
    if names("piles") {
        textbook::print_piles();
    }
    if names("sleep") {
        asleep::print_cost();
    }
    let wanted = |row: &&Row| names(row.name);
    println!("{:<58} {:<22} {:>10} {:>10}", "row", "figure", "measured", "at most");
    for row in ROWS.iter().filter(wanted) {
        let settings = Settings { passes: row.passes, ..Settings::default() };
        for figure in medians(row, &settings, seeds) {
            print_figure(row.name, &figure);
        }
        for (rule, leave_out) in RULES.iter().filter(|_| ablation) {
            let mut without = settings.clone();
            leave_out(&mut without);
            for figure in medians(row, &without, seeds).iter().filter(|figure| !figure.is_reached()) {
                print_figure(&format!("  without {rule}: {}", row.name), figure);
            }
        }
    }
}

/// Each figure's median over the worlds of `seeds` seeds.
fn medians(row: &Row, settings: &Settings, seeds: u64) -> Vec<Figure> {
    let mut runs: Vec<Vec<Figure>> = (1..=seeds).map(|seed| (row.measure)(settings, seed)).collect();
    let mut medians = runs.pop().expect("a seed");
    for (index, figure) in medians.iter_mut().enumerate() {
        let others = runs.iter().map(|figures| figures[index].measured);
        figure.measured = rows::median(others.chain([figure.measured]).collect());
    }
    medians
}

fn print_figure(row: &str, figure: &Figure) {
    let most = if figure.most < f64::MAX { format!("{:.4}", figure.most) } else { "-".into() };
    let verdict = if figure.is_reached() { "" } else { "  MISSED" };
    println!("{row:<58} {:<22} {:>10.4} {most:>10}{verdict}", figure.name, figure.measured);
}
