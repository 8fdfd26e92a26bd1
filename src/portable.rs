//! Functions of float64 that give the same bits on every machine, which the system's library does not promise.

use std::f64::consts::TAU;

/// e^x for x ≤ 0 by scaling and squaring.
pub(crate) fn exp(x: f64) -> f64 {
    let squarings = 12;
    let y = x / f64::from(1 << squarings);
    let series = (1..=12).rev().fold(1.0, |sum, n| 1.0 + sum * y / f64::from(n));
    (0..squarings).fold(series, |power, _| power * power)
}

/// Cosine and sine of an angle in radians, by the series about the nearest whole turn.
pub(crate) fn cos_sin(angle: f64) -> (f64, f64) {
    let x = angle - (angle / TAU).round() * TAU;
    let series = |first: i32| {
        (1..=14).rev().map(|k| f64::from(2 * k + first)).fold(1.0, |sum, n| 1.0 - sum * x * x / (n * (n - 1.0)))
    };
    (series(0), x * series(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_those_of_the_library_to_rounding() {
        for x in [0.0, -1e-6, -0.15 / 120.0, -1.0, -50.0, -700.0] {
            assert!((exp(x) - f64::exp(x)).abs() <= 1e-11 * f64::exp(x), "{x}");
        }
        assert_eq!((exp(0.0), cos_sin(0.0)), (1.0, (1.0, 0.0)));
        for angle in [1e-3, 0.3, 1.0, -2.0, 3.1, 5.0, -100.0] {
            let (cos, sin) = cos_sin(angle);
            assert!((cos - angle.cos()).abs() < 1e-13 && (sin - angle.sin()).abs() < 1e-13, "{angle}: {cos}, {sin}");
        }
    }
}
