//! The random generator of the spawners: PCG-XSL-RR 128/64 (MCG), `Pcg64Mcg` of rand_pcg, started from
//! the seed by SplitMix64. Both are pinned by the golden values below: a seed means the same world on
//! every machine and in every version, so only exact arithmetic turns its bits into numbers.

use glam::DVec2;
use rand_core::Rng;
use rand_pcg::Pcg64Mcg;

/// Random numbers for one spawner.
pub(super) struct Random(Pcg64Mcg);

impl Random {
    /// A stream of its own for each spawner of a scene, so that a change to one moves no other's balls.
    pub(super) fn new(seed: u64, spawner: usize) -> Self {
        let stream = seed ^ split_mix((spawner as u64).wrapping_mul(2));
        let high = split_mix(stream);
        let low = split_mix(stream ^ high);
        Self(Pcg64Mcg::new(u128::from(high) << 64 | u128::from(low)))
    }

    /// Even over `0..1`, in steps of 2⁻⁵³.
    pub(super) fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 * (1.0 / (1u64 << 53) as f64)
    }

    /// Even over `least..most`.
    pub(super) fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.unit()
    }

    /// Normal about 0: the sum of twelve even numbers, which needs no logarithm and ends at six standard deviations.
    pub(super) fn normal(&mut self, deviation: f64) -> f64 {
        deviation * ((0..12).map(|_| self.unit()).sum::<f64>() - 6.0)
    }

    /// Even over a disc about the origin, by rejection: sine and cosine differ from machine to machine.
    pub(super) fn in_disc(&mut self, radius: f64) -> DVec2 {
        if radius == 0.0 {
            return DVec2::ZERO;
        }
        loop {
            let place = DVec2::new(self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            if place.length_squared() <= 1.0 {
                return place * radius;
            }
        }
    }
}

/// SplitMix64's step and output (Steele, Lea, Flood 2014): spreads seeds that differ in few bits.
fn split_mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn split_mix_is_the_published_one() {
        // The first output of the reference implementation from state 1234567.
        assert_eq!(split_mix(1_234_567), 6_457_827_717_110_365_317);
    }

    #[test]
    fn the_generator_never_changes() {
        // The first outputs of the reference implementation from state 42.
        let mut pcg = Pcg64Mcg::new(42);
        assert_eq!([pcg.next_u64(), pcg.next_u64()], [0x63b4_a3a8_13ce_700a, 0x3829_5420_0617_ab24]);
        // Computed from the definition, outside this program.
        let mut random = Random::new(1, 0);
        let bits: Vec<u64> = (0..3).map(|_| random.unit().to_bits()).collect();
        assert_eq!(bits, [0x3fef_78c6_f00c_4d49, 0x3fca_c555_756e_03d0, 0x3fdb_aaf5_5959_cac2]);
    }

    #[test]
    fn seeds_and_spawners_have_streams_of_their_own() {
        let first = |seed, spawner| Random::new(seed, spawner).unit();
        assert_ne!(first(1, 0), first(2, 0));
        assert_ne!(first(1, 0), first(1, 1));
        assert_ne!(first(1, 1), first(2, 0));
    }

    #[test]
    fn numbers_fill_their_range() {
        let mut random = Random::new(7, 0);
        let numbers: Vec<f64> = (0..10_000).map(|_| random.between(-2.0, 6.0)).collect();
        assert!(numbers.iter().all(|n| (-2.0..6.0).contains(n)));
        assert!((numbers.iter().sum::<f64>() / 1e4 - 2.0).abs() < 0.1);
        assert!((0..1_000).all(|_| random.in_disc(3.0).length() <= 3.0));
    }
}
