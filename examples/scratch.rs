use ballpit::*;
use glam::Vec2;
use std::time::Instant;
fn main() {
    let n: usize = std::env::args().nth(1).map_or(2000, |s| s.parse().unwrap());
    let steps: u32 = std::env::args().nth(2).map_or(240, |s| s.parse().unwrap());
    if std::env::args().nth(3).is_some_and(|s| s == "gpu") {
        let settle: u32 = std::env::args().nth(4).map_or(600, |s| s.parse().unwrap());
        let w = Scene::named("pile").unwrap().build(&Overrides { balls: Some(n), seed: None }).unwrap();
        let mut cpu = CpuEngine::new(w, Settings::default()).unwrap();
        cpu.step(settle, 1.0 / 120.0).unwrap();
        let w = cpu.world().unwrap();
        let gpu = Gpu::open().unwrap();
        let mut e = GpuEngine::new(&gpu, w, Settings::default(), Arithmetic::Exact).unwrap();
        e.step(5, 1.0 / 120.0).unwrap();
        let _ = e.world();
        let cpu_time = || {
            let s = std::fs::read_to_string("/proc/self/stat").unwrap();
            let f: Vec<&str> = s.rsplit(')').next().unwrap().split_whitespace().collect();
            f[11].parse::<f64>().unwrap() + f[12].parse::<f64>().unwrap()
        };
        let (c, t) = (cpu_time(), Instant::now());
        e.step(steps, 1.0 / 120.0).unwrap();
        let w = e.world().unwrap();
        println!(
            "gpu {n}: cpu time {:.2} ms/step, wall {:.2} ms/step; hash {:016x}",
            (cpu_time() - c) * 10.0 / steps as f64,
            t.elapsed().as_secs_f64() * 1e3 / steps as f64,
            state_hash(&w)
        );
        let mut best: Vec<(Stage, f64)> = e.time_step(1.0 / 120.0).unwrap().0;
        for _ in 0..20 {
            for (b, n) in best.iter_mut().zip(e.time_step(1.0 / 120.0).unwrap().0) {
                b.1 = b.1.min(n.1);
            }
        }
        for (s, ms) in best {
            print!("{} {ms:.2}, ", s.name());
        }
        println!();
        let (c, t) = (cpu_time(), Instant::now());
        cpu.step(5 + steps, 1.0 / 120.0).unwrap();
        println!(
            "cpu {n}: cpu time {:.2} ms/step, wall {:.2}; hash {:016x} {:?}",
            (cpu_time() - c) * 10.0 / (5 + steps) as f64,
            t.elapsed().as_secs_f64() * 1e3 / (5 + steps) as f64,
            state_hash(&cpu.world().unwrap()),
            cpu.readout()
        );
        return;
    }
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
