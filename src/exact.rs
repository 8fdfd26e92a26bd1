//! Arithmetic that gives the same bits on both engines.
//!
//! WGSL promises no accuracy for division, square root or their inverses, so both engines build them from
//! integer guesses, products and sums. `shaders/exact.wgsl` says the same, each product and sum behind an
//! opaque xor that no compiler can fuse or reorder.

/// Minuend of the root's first guess.
pub(crate) const ROOT_GUESS: u32 = 0x5f1f_fff9;
/// Factors of the root's first, tuned Newton step.
pub(crate) const ROOT_STEP: [f32; 2] = [0.703_952_25, 2.389_244_6];
/// Minuend of the reciprocal's guess.
pub(crate) const RECIP_GUESS: u32 = 0x7ef3_11c3;
/// What is below it has no root worth the name.
pub(crate) const ROOT_FLOOR: f32 = 1e-12;
/// A velocity or a place so near 0 that products with it could leave the normal range, where devices differ.
pub(crate) const SNAP: f32 = 1e-18;

/// 1/√x for a normal x > 0, to about 7e-7: a magic guess and two Newton steps, the first tuned.
#[inline(always)]
pub(crate) fn rsqrt(x: f32) -> f32 {
    let y = f32::from_bits(ROOT_GUESS - (x.to_bits() >> 1));
    let y = y * (ROOT_STEP[0] * (ROOT_STEP[1] - (x * y) * y));
    y * (1.5 - ((0.5 * x) * y) * y)
}

/// 1/x for a normal x > 0 below 2^126, to about one unit in the last place: a magic guess and three Newton steps.
#[inline(always)]
pub(crate) fn recip(x: f32) -> f32 {
    let y = f32::from_bits(RECIP_GUESS - x.to_bits());
    let y = y * (2.0 - x * y);
    let y = y * (2.0 - x * y);
    y * (2.0 - x * y)
}

/// √x for x ≥ 0; anything up to [`ROOT_FLOOR`] counts as 0.
#[inline(always)]
pub(crate) fn sqrt(x: f32) -> f32 {
    if x > ROOT_FLOOR { x * rsqrt(x) } else { 0.0 }
}

/// The larger of two; `b` if either is NaN.
#[inline(always)]
pub(crate) fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// The smaller of two; `b` if either is NaN.
#[inline(always)]
pub(crate) fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// Zero for what is below [`SNAP`].
#[inline(always)]
pub(crate) fn snap(v: f32) -> f32 {
    if v.abs() < SNAP { 0.0 } else { v }
}

/// The bits of `v` with both zeros as one: no result of a step rests on the sign of zero.
pub(crate) fn canonical_bits(v: f32) -> u32 {
    if v == 0.0 { 0 } else { v.to_bits() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_and_reciprocals_are_close_over_the_working_range() {
        for exponent in -20..40 {
            for step in 0..1000 {
                let x = 2f32.powi(exponent) * (1.0 + step as f32 / 1000.0);
                let root = (f64::from(rsqrt(x)) * f64::from(x).sqrt() - 1.0).abs();
                let inverse = (f64::from(recip(x)) * f64::from(x) - 1.0).abs();
                assert!(root < 8e-7, "1/sqrt({x}) is off by {root}");
                assert!(inverse < 2e-7, "1/{x} is off by {inverse}");
            }
        }
        assert_eq!(sqrt(0.0), 0.0);
    }
}
