use ballpit::*;
use glam::Vec2;
use std::time::Instant;
fn main() {
    let n: usize = std::env::args().nth(1).map_or(2000, |s| s.parse().unwrap());
    let steps: u32 = std::env::args().nth(2).map_or(240, |s| s.parse().unwrap());
    let gpu_on = std::env::args().nth(3).is_none_or(|s| s != "cpu");
    let side = (n as f32 * 3.14 * 11.8 / 0.5 / 1.6).sqrt();
    let mut w = World::new(Vec2::ZERO, Vec2::new(side * 1.6, side)).with_gravity(Vec2::new(0.0, 900.0));
    let mut s = 1u64;
    let mut u = || {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        (s >> 40) as f32 / 16777216.0
    };
    for _ in 0..n {
        let r = 2.0 + 2.67 * u();
        let p = Vec2::new(5.0 + (side * 1.6 - 10.0) * u(), 5.0 + (side - 10.0) * u());
        w.add(Body::ball(p, r));
    }
    let mut cpu = CpuEngine::new(w.clone(), Settings::default()).unwrap();
    let t = Instant::now();
    cpu.step(steps, 1.0 / 120.0).unwrap();
    println!("cpu {:.2} ms/step {:?}", t.elapsed().as_secs_f64() * 1e3 / steps as f64, cpu.readout());
    for (s, ms) in cpu.time_step(1.0 / 120.0).unwrap().0 {
        println!("  {} {ms:.3}", s.name());
    }
    if !gpu_on {
        return;
    }
    let gpu = Gpu::open().unwrap();
    println!("{} {}", gpu.describe(), gpu.self_test(Arithmetic::Exact).unwrap());
    println!("plain {}", gpu.self_test(Arithmetic::Plain).unwrap());
    let t = Instant::now();
    let mut e = GpuEngine::new(&gpu, w, Settings::default(), Arithmetic::Exact).unwrap();
    println!("build {:.0} ms", t.elapsed().as_secs_f64() * 1e3);
    let t = Instant::now();
    e.step(steps, 1.0 / 120.0).unwrap();
    let _ = e.world();
    println!("gpu {:.2} ms/step", t.elapsed().as_secs_f64() * 1e3 / steps as f64);
    for (s, ms) in e.time_step(1.0 / 120.0).unwrap().0 {
        println!("  {} {ms:.3}", s.name());
    }
    let (a, b) = (cpu.world().unwrap(), e.world().unwrap());
    let d = a.bodies.iter().zip(&b.bodies).filter(|(a, b)| a != b).count();
    println!("differ {d}");
    e.readout();
    std::thread::sleep(std::time::Duration::from_millis(300));
    println!("{:?}\n{:?}", e.readout(), cpu.readout());
}
