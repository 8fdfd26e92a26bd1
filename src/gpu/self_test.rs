//! The start-up self-test: does this device give the CPU engine's bits?
//!
//! WGSL promises no rounding mode, so the promise is made a device at a time. A kernel runs the arithmetic that the
//! stages are made of over thousands of values and the answers are compared with the CPU's to the bit. A compiler that
//! fuses or reorders through the barriers and a root or reciprocal of another shape show here. Denormals, which a
//! device may flush, are kept out of worlds and velocities instead (`exact::snap`).

use std::fmt;

use bytemuck::{Pod, Zeroable};
use wgpu::{BindGroupDescriptor, BindGroupEntry, BufferUsages, CommandEncoderDescriptor, ComputePassDescriptor};

use super::Gpu;
use super::pipelines::{Pipeline, type_of};
use super::transfer::uniform_bytes;
use crate::Result;
use crate::exact::{canonical_bits, recip, rsqrt, sqrt};
use crate::params::{Params, Traits};
use crate::stage::kernel::prelude;
use crate::stage::{Access, Arithmetic, Buffer};

/// Whether a device gives the CPU engine's bits, and where it does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelfTest {
    failures: Vec<&'static str>,
}

impl SelfTest {
    /// Whether long runs on the device equal the CPU engine's to the last bit.
    pub fn is_exact(&self) -> bool {
        self.failures.is_empty()
    }
}

impl fmt::Display for SelfTest {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("bit-exact with the CPU engine: ")?;
        if self.is_exact() { f.write_str("yes") } else { write!(f, "no: {} differ", self.failures.join(", ")) }
    }
}

/// What the kernel computes of each pair of inputs, in its order.
const OPERATIONS: [&str; 8] = [
    "products",
    "sums",
    "differences",
    "reciprocal roots",
    "reciprocals",
    "roots",
    "sums of products (fused)",
    "sums that cancel (reordered)",
];

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Pair {
    a: f32,
    b: f32,
}

/// Values of every size that a step meets, of both signs.
fn inputs() -> Vec<Pair> {
    let mut state = 0x2545_f491_u32;
    let mut next = || {
        state = state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
        // 2^-40 to 2^39: velocities that just escape the snap to the squares of the fastest.
        let exponent = 87 + (state >> 24) % 80;
        f32::from_bits((state & 0x8000_0000) | exponent << 23 | (state >> 4 & 0x007f_ffff))
    };
    (0..4096).map(|_| Pair { a: next(), b: next() }).collect()
}

fn expected(Pair { a, b }: Pair) -> [f32; 8] {
    let size = a.abs();
    [a * b, a + b, a - b, rsqrt(size), recip(size), sqrt(size), a * b + a * (0.3 * b), (a + b) - a]
}

impl SelfTest {
    pub(super) fn run(gpu: &Gpu, arithmetic: Arithmetic) -> Result<Self> {
        let source = prelude(arithmetic, Traits::default()) + include_str!("../../shaders/self_test.wgsl");
        // As large worlds are stepped.
        let wgsl = gpu.dialect(u32::MAX, false).reading_at_once(source, [Buffer::Params].into_iter());
        let types = [Access::Uniform, Access::Read, Access::Write].map(type_of);
        let pipeline = Pipeline::new(&gpu.device, "self_test", types.into_iter(), wgsl);
        let inputs = inputs();
        let uniform = uniform_bytes(&Params { count: inputs.len() as u32, ..Params::default() });
        let outputs_bytes = (inputs.len() * size_of::<[f32; 8]>()) as u64;
        let buffers = [
            gpu.buffer("self_test params", uniform.len() as u64, BufferUsages::UNIFORM | BufferUsages::COPY_DST),
            gpu.buffer(
                "self_test inputs",
                size_of_val(&inputs[..]) as u64,
                BufferUsages::STORAGE | BufferUsages::COPY_DST,
            ),
            gpu.buffer("self_test outputs", outputs_bytes, BufferUsages::STORAGE | BufferUsages::COPY_SRC),
        ];
        gpu.queue.write_buffer(&buffers[0], 0, &uniform);
        gpu.queue.write_buffer(&buffers[1], 0, bytemuck::cast_slice(&inputs));
        let entries: Vec<BindGroupEntry> = (0..)
            .zip(&buffers)
            .map(|(binding, buffer)| BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        let group = gpu.device.create_bind_group(&BindGroupDescriptor {
            label: Some("self_test"),
            layout: &pipeline.layout,
            entries: &entries,
        });
        let mut encoder = gpu.device.create_command_encoder(&CommandEncoderDescriptor { label: Some("self_test") });
        {
            let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor::default());
            pass.set_pipeline(&pipeline.compute);
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups((inputs.len() as u32).div_ceil(crate::stage::WORKGROUP), 1, 1);
        }
        gpu.queue.submit([encoder.finish()]);
        let outputs: Vec<[f32; 8]> = gpu.read(&buffers[2], inputs.len())?;
        Ok(Self::judge(&inputs, &outputs))
    }

    fn judge(inputs: &[Pair], outputs: &[[f32; 8]]) -> Self {
        let differs = |operation: usize| {
            let mut pairs = inputs.iter().zip(outputs);
            pairs.any(|(&pair, out)| canonical_bits(expected(pair)[operation]) != canonical_bits(out[operation]))
        };
        Self { failures: (0..OPERATIONS.len()).filter(|&o| differs(o)).map(|o| OPERATIONS[o]).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bit_off_is_a_failure_that_names_the_operation() {
        let inputs = inputs();
        let mut outputs: Vec<[f32; 8]> = inputs.iter().map(|&pair| expected(pair)).collect();
        assert!(SelfTest::judge(&inputs, &outputs).is_exact());
        let product_and_sum = &mut outputs[77][6];
        *product_and_sum = f32::from_bits(product_and_sum.to_bits() + 1);
        let report = SelfTest::judge(&inputs, &outputs).to_string();
        assert_eq!(report, "bit-exact with the CPU engine: no: sums of products (fused) differ");
    }

    #[test]
    fn inputs_would_show_fused_and_reordered_sums() {
        let inputs = inputs();
        let fused = inputs.iter().filter(|p| p.a.mul_add(p.b, p.a * (0.3 * p.b)) != expected(**p)[6]).count();
        let reordered = inputs.iter().filter(|p| p.b != expected(**p)[7]).count();
        assert!(fused > 500 && reordered > 500, "{fused} fused, {reordered} reordered");
    }
}
