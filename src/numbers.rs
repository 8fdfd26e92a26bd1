//! Numbers as people read them.

/// Digits in groups of three: `20,000`.
pub(crate) fn grouped(number: impl TryInto<u64>) -> String {
    let digits = number.try_into().unwrap_or(u64::MAX).to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// So many of something that takes an s, or es: `1 ball`, `8 passes`.
pub(crate) fn counted(number: impl TryInto<u64>, name: &str) -> String {
    let digits = grouped(number);
    let plural = match digits.as_str() {
        "1" => "",
        _ if name.ends_with('s') => "es",
        _ => "s",
    };
    format!("{digits} {name}{plural}")
}

/// Three digits or all of those before the point, large ones in groups: `0.123`, `12.3`, `1,235`.
pub(crate) fn short(number: f32) -> String {
    match number.abs() {
        0.0 => "0".into(),
        size if size < 1.0 => format!("{number:.3}"),
        size if size < 100.0 => format!("{number:.1}").trim_end_matches(".0").into(),
        _ => grouped(number.round() as u64),
    }
}

/// Name of a film's picture, counted from 1: by name they stand in the order of their times.
pub(crate) fn frame_name(number: u64) -> String {
    format!("frame-{number:06}.png")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_threes() {
        for (number, text) in [(0, "0"), (999, "999"), (1_000, "1,000"), (20_000, "20,000"), (1_234_567, "1,234,567")] {
            assert_eq!(grouped(number as u64), text);
        }
    }

    #[test]
    fn one_of_a_thing_is_said_as_one() {
        for (number, text) in [(0, "0 balls"), (1, "1 ball"), (2, "2 balls"), (1_001, "1,001 balls")] {
            assert_eq!(counted(number as u64, "ball"), text);
        }
        assert_eq!([1, 8].map(|number: u64| counted(number, "pass")), ["1 pass", "8 passes"]);
    }

    #[test]
    fn short_numbers_keep_what_counts() {
        let numbers = [(0.0, "0"), (0.1234, "0.123"), (4.0, "4"), (12.34, "12.3"), (703.6, "704"), (1234.6, "1,235")];
        for (number, text) in numbers {
            assert_eq!(short(number), text);
        }
    }
}
