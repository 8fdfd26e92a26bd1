//! Every mistake in a file is answered with place, key and what is accepted.

use super::*;

fn error(text: &str) -> String {
    Scene::parse(text, "x.toml").unwrap_err().to_string()
}

/// The error of a scatter whose line `key = …` is replaced or added.
fn spawn_error(line: &str) -> String {
    let key = line.split(" =").next().unwrap();
    let lines = ["kind = \"scatter\"", "count = 5", "radius = [1, 2]", "min = [0, 0]", "max = [100, 100]"];
    let kept = lines.iter().filter(|other| !other.starts_with(&format!("{key} ="))).copied();
    let spawn: Vec<&str> = std::iter::once(line).chain(kept).collect();
    error(&format!("{HEAD}[[spawn]]\n{}\n", spawn.join("\n")))
}

#[test]
fn values_out_of_range_name_place_key_and_range() {
    for (line, key, accepted) in [
        ("count = 0", "count", "0 is refused; it must be a whole number from 1 to 67108864"),
        ("count = -5", "count", "-5 is refused; it must be a whole number from 1 to 67108864"),
        ("count = 67108865", "count", "must be a whole number from 1 to 67108864"),
        ("radius = -1", "radius", "-1 is refused; it must be a number or [least, most], each from 0.001 to 1000000"),
        ("radius = nan", "radius", "NaN is refused; it must be a number or [least, most], each from 0.001"),
        ("radius = [1, inf]", "radius", "inf is refused; it must be a number or [least, most], each from 0.001"),
        ("radius = [3, 2]", "radius", "it must be [least, most]"),
        ("min = [nan, 0]", "min[0]", "NaN is refused; it must be [x, y], each a number from -1000000000 to 1000000000"),
        ("max = [0, -inf]", "max[1]", "-inf is refused; it must be [x, y], each a number from -1000000000"),
        ("max = [-1, 50]", "max", "is less than min; it must be right of it and below it"),
        ("clearance = -0.5", "clearance", "must be a number from 0 to 1000000"),
        ("speed = 1e300", "speed", "1e300 is refused; it must be a number from 0 to 1000000"),
        (
            "kind = \"scater\"",
            "kind",
            "\"scater\" is refused; it must be \"scatter\", \"grid\", \"stack\", \"curve\" or \"single\"",
        ),
        ("material = \"gold\"", "material", "there is no [material.gold]; add it, or leave the key out"),
        ("points = [[0, 0], [1, 1], [2, 2], [3, 3]]", "points", "has no meaning for kind \"scatter\"; leave it out"),
        ("position = [1, 2]", "position", "has no meaning for kind \"scatter\"; leave it out"),
    ] {
        let error = spawn_error(line);
        assert!(error.starts_with(&format!("x.toml:8: spawn[0].{key}: ")), "{line}: {error}");
        assert!(error.contains(accepted), "{line}: {error}");
    }
}

#[test]
fn a_curve_is_checked_alike() {
    let curve = |line: &str| {
        let points = "points = [[0, 0], [1, 1], [2, 2], [3, 3]]";
        error(&format!("{HEAD}[[spawn]]\n{line}\nkind = \"curve\"\ncount = 5\n{points}\n"))
    };
    assert!(curve("radii = []").contains("8: spawn[0].radii: a list of 0 is refused; it must be 1 to 32 radii"));
    assert!(curve("radii = [[4, -1]]").contains("radii[0][1]: -1 is refused; it must be a number from 0.001"));
    assert!(curve("radii = [[4, 1]]\nradius = 4").contains("9: spawn[0].radius: has no meaning beside radii"));
    assert!(curve("radius = 4\nspeed = 3").contains("9: spawn[0].speed: has no meaning for kind \"curve\""));
    let of = |size: &str| curve(&format!("radii = [[4, 1], {size}]"));
    assert!(of("{ weight = 2 }").contains("8: spawn[0].radii[1].radius: is missing; it must be a number from 0.001"));
    assert!(of("{ radius = 0 }").contains("8: spawn[0].radii[1].radius: 0 is refused; it must be a number from 0.001"));
    assert!(of("{ radius = 1, mass = -1 }").contains("radii[1].mass: -1 is refused; it must be a number from"));
    assert!(of("{ radius = 1, material = \"tin\" }").contains("radii[1].material: there is no [material.tin]"));
    assert!(of("{ radius = 1, wieght = 1 }").contains("radii[1].wieght: "), "{}", of("{ radius = 1, wieght = 1 }"));
    let peg = curve("radii = [{ radius = 1, mass = 2 }]\nfixed = true");
    assert!(peg.contains("8: spawn[0].radii[0].mass: has no meaning with fixed = true"), "{peg}");
    let short = error(&format!("{HEAD}[[spawn]]\npoints = [[0, 0]]\nkind = \"curve\"\ncount = 5\nradius = 4\n"));
    assert!(short.contains("8: spawn[0].points: a list of 1 is refused; it must be four places"), "{short}");
}

#[test]
fn wrong_types_name_place_key_and_range() {
    for (line, key, accepted) in [
        ("count = \"many\"", "count", "it must be a whole number from 1 to 67108864"),
        ("count = 1.5", "count", "it must be a whole number from 1 to 67108864"),
        ("count = 99999999999999999999999", "count", "99999999999999999999999 is refused; it must be a whole number"),
        ("count = 1e999", "count", "1e999 is refused; it must be a whole number"),
        ("radius = \"big\"", "radius", "a number or [least, most]"),
        ("radius = [1]", "radius", "a number or [least, most]"),
        ("radius = [1, 2, 3]", "radius", "a number or [least, most]"),
        ("min = [1, 2, 3]", "min", "a list of 3 is refused; it must be [x, y], each a number from"),
        ("min = 7", "min", "it must be [x, y], each a number from -1000000000 to 1000000000"),
        ("kind = 3", "kind", "it must be \"scatter\", \"grid\""),
        ("fixed = 1", "fixed", "it must be true or false"),
    ] {
        let error = spawn_error(line);
        assert!(error.starts_with(&format!("x.toml:8: spawn[0].{key}")), "{line}: {error}");
        assert!(error.contains(accepted), "{line}: {error}");
    }
}

#[test]
fn unknown_keys_are_named_with_those_that_are_known() {
    let unknown = spawn_error("cuont = 5");
    assert!(unknown.starts_with("x.toml:8: spawn[0].cuont: is no key here; the keys are `kind`, `count`"), "{unknown}");
    assert!(unknown.contains("`count`"), "{unknown}");
    let top = error(&format!("sed = 4\n{HEAD}"));
    assert!(top.starts_with("x.toml:1: sed: is no key here; the keys are") && top.contains("`seed`"), "{top}");
}

#[test]
fn missing_keys_and_tables_are_named_with_what_they_accept() {
    assert_eq!(error(""), "x.toml:1: version: is missing; it must be 1");
    assert_eq!(error("version = 1"), "x.toml:1: title: is missing; it must be a line of 1 to 200 characters");
    let no_world = error("version = 1\ntitle = \"t\"\n");
    assert_eq!(no_world, "x.toml:1: world: is missing; it must be a table [world] with min and max");
    let no_max = error("version = 1\ntitle = \"t\"\n[world]\nmin = [0, 0]\n");
    assert!(no_max.starts_with("x.toml:3: world.max: is missing; it must be [x, y], each a number from"), "{no_max}");
    let no_count = error(&format!(
        "{HEAD}[[spawn]]\nkind = \"single\"\nradius = 1\nposition = [5, 5]\n\n[[spawn]]\nkind = \"grid\"\nradius = 1\n"
    ));
    assert_eq!(no_count, "x.toml:12: spawn[1].count: is missing; it must be a whole number from 1 to 67108864");
}

#[test]
fn tables_other_than_spawn_are_checked_alike() {
    let world = |line: &str| error(&format!("{HEAD}{line}\n"));
    assert!(
        error(&HEAD.replace("version = 1", "version = 2")).contains("x.toml:1: version: 2 is refused; it must be 1")
    );
    assert!(world("drag = -1").starts_with("x.toml:7: world.drag: -1 is refused; it must be a number from 0 to"));
    assert!(world("gravity = [0, nan]").starts_with("x.toml:7: world.gravity[1]: NaN is refused"));
    assert!(
        world("[step]\nrate = 0")
            .ends_with("x.toml:8: step.rate: 0 is refused; it must be a whole number from 1 to 10000")
    );
    assert!(
        world("[step]\npasses = 65").contains("step.passes: 65 is refused; it must be a whole number from 1 to 64")
    );
    let material = world("[material.rubber]\nrestitution = 3");
    assert_eq!(material, "x.toml:8: material.rubber.restitution: 3 is refused; it must be a number from 0 to 2");
    let material = world("[material.rubber]\nrestitution = \"high\"");
    assert!(material.ends_with("it must be a number from 0 to 2"), "{material}");
    let colour = world("[material.rubber]\ncolour = \"gold\"");
    assert!(
        colour
            .starts_with("x.toml:8: material.rubber.colour: \"gold\" is refused; it must be a colour like \"#d4a017\""),
        "{colour}"
    );
    let normal = world("[[surface]]\npoint = [0, 0]\nnormal = [0, 0]");
    assert_eq!(normal, "x.toml:9: surface[0].normal: has no direction; it must not be [0, 0]");
    let one = world("[[segment]]\npoints = [[0, 0]]");
    assert!(
        one.starts_with("x.toml:8: segment[0].points: fewer than two is refused; it must be at least two"),
        "{one}"
    );
    let again = world("[[segment]]\npoints = [[0, 0], [9, 0], [9, 0]]");
    assert!(again.contains("segment[0].points[2]: the same place again is refused"), "{again}");
    let far = world("[[segment]]\npoints = [[0, 0], [2e9, 0]]");
    assert!(far.contains("points[1][0]: 2000000000 is refused; it must be [x, y], each a number from"), "{far}");
    let narrow = error(&HEAD.replace("[100, 100]", "[100, 0.5]"));
    assert!(narrow.starts_with("x.toml:6: world.max: leaves no room"), "{narrow}");
    let many: String = (0..33).map(|k| format!("[material.m{k}]\nrestitution = 0\n")).collect();
    assert!(world(&many).contains("at most 32 of them"));
    let many = "[[surface]]\npoint = [0, 0]\nnormal = [0, 1]\n".repeat(29);
    assert!(world(&many).starts_with("x.toml:91: surface[28]: one more is refused"), "{}", world(&many));
    let fixed = world("[[spawn]]\nkind = \"single\"\nradius = 1\nposition = [5, 5]\nfixed = true\nvelocity = [1, 0]");
    assert_eq!(fixed, "x.toml:12: spawn[0].velocity: has no meaning with fixed = true; leave it out");
    let spacing = world("[[spawn]]\nkind = \"grid\"\ncount = 2\nradius = 5\nspacing = 9\nmin = [0, 0]\nmax = [50, 50]");
    assert!(spacing.starts_with("x.toml:11: spawn[0].spacing: 9 lets balls overlap; it must be at least 10"));
}

/// A text whose only value of a key is this one, and the line that it stands on.
fn text_with(key: &str, value: &str) -> String {
    match key.split('.').collect::<Vec<_>>()[..] {
        [last] => format!("{last} = {value}\n"),
        [table @ ("material" | "character" | "wheel"), last] => format!("[{table}.name]\n{last} = {value}\n"),
        [table @ ("surface" | "segment" | "counter" | "spawn"), last] => format!("[[{table}]]\n{last} = {value}\n"),
        [table, last] => format!("[{table}]\n{last} = {value}\n"),
        [table, list, last] => format!("[[{table}]]\n{list} = [{{ {last} = {value} }}]\n"),
        _ => panic!("{key} lies too deep"),
    }
}

/// Words of the reader's, of which a file knows nothing.
const JARGON: [&str; 12] =
    ["invalid", "expected", "struct", "sequence", "a map", "i64", "u64", "128", "f64", "floating", "field", "overflow"];

#[test]
fn a_wrong_value_of_any_key_is_told_in_the_words_of_a_file() {
    let values =
        ["\"x\"", "7.5", "true", "[]", "[\"x\"]", "[[1]]", "{ x = 1 }", "2024-01-01", "1e999", &"9".repeat(50)];
    for key in place::KEYS {
        let mut refused = 0;
        for value in values {
            let text = text_with(key.name, value);
            let message = error(&text);
            assert!(JARGON.iter().all(|word| !message.contains(word)), "{text}: {message}");
            let at = message.strip_prefix("x.toml:").and_then(|rest| rest.split_once(": ")).expect(&message).0;
            let is_here = at.parse() == Ok(text.lines().count());
            refused += usize::from(is_here && message.contains(&format!("is refused; it {}", key.accepted)));
        }
        assert!(refused >= 5, "{}: only {refused} of {} wrong values are refused", key.name, values.len());
    }
}

#[test]
fn tables_of_another_form_are_told_with_the_right_one() {
    for (text, said) in [
        ("[[cannon]]\nradius = 1", "x.toml:7: cannon[0]: a list of 1 is refused; it must be one table [cannon]"),
        ("[surface]\npoint = [0, 0]", "x.toml:7: surface: a table is refused; it must be tables [[surface]], at most"),
        ("[material]\nrestitution = 0.2", "x.toml:8: material.restitution: 0.2 is refused; it must be a table [mat"),
        (
            "[[material.wood]]\nfriction = 1",
            "x.toml:7: material.wood[0]: a list of 1 is refused; it must be a table [mat",
        ),
        ("[[step]]\nrate = 60", "x.toml:7: step[0]: a list of 1 is refused; it must be a table [step] with"),
        ("[spawn.one]\ncount = 60", "x.toml:7: spawn.one: a table is refused; it must be tables [[spawn]]"),
    ] {
        let message = error(&format!("{HEAD}{text}\n"));
        assert!(message.starts_with(said), "{message}");
    }
    // Once taken for min and max.
    let listed = error("version = 1\ntitle = \"t\"\nworld = [[0, 0], [9, 9]]\n");
    assert!(listed.starts_with("x.toml:3: world: a list of 2 is refused; it must be a table [world]"), "{listed}");
}

#[test]
fn what_is_too_large_for_the_world_or_has_no_room_is_told_with_its_line() {
    let cannon = |radius: &str| format!("{HEAD}[cannon]\nposition = [5, 5]\nradius = {radius}\nspeed = 10\n");
    assert!(Scene::parse(&cannon("50"), "x.toml").is_ok());
    let huge = error(&cannon("51"));
    assert_eq!(huge, "x.toml:9: cannon.radius: 51 is refused; in a world this small it must be at most 50");
    let beyond = error(&cannon("2e6"));
    assert_eq!(beyond, "x.toml:9: cannon.radius: 2000000 is refused; it must be a number from 0.001 to 1000000");
    let ball = |more: &str| format!("{HEAD}[[spawn]]\nkind = \"single\"\nposition = [50, 50]\nradius = 60\n{more}");
    assert!(error(&ball("")).starts_with("x.toml:10: spawn[0].radius: 60 is refused; in a world this small"));
    assert!(Scene::parse(&ball("fixed = true"), "x.toml").is_ok(), "a peg may reach out of the world");
    assert!(Scene::parse(&ball("").replace("[world]", "[world]\nwalls = false"), "x.toml").is_ok());
    for max in ["[20, 10]", "[10, 20]", "[10, 10]"] {
        let counter = error(&format!("{HEAD}[[counter]]\nmin = [10, 10]\nmax = {max}\n"));
        assert!(counter.starts_with("x.toml:9: counter[0].max: leaves no room; it must be right"), "{counter}");
    }
}

#[test]
fn what_the_sequential_solver_cannot_do_is_told_with_its_line() {
    let text = |step: &str, spawn: &str, solver: &str| {
        let ball = "kind = \"single\"\nposition = [50, 50]\nradius = 4";
        format!("{HEAD}[character.one]\n[step]\nsolver = \"{solver}\"\n{step}\n[[spawn]]\n{ball}\n{spawn}\n")
    };
    for (step, spawn, place) in [
        ("rotation = true", "", "x.toml:10: step.rotation"),
        ("contacts = false", "", "x.toml:10: step.contacts"),
        ("", "character = \"one\"", "x.toml:15: spawn[0].character"),
        ("", "layer = 2", "x.toml:15: spawn[0].layer"),
        ("", "carries = [[9, 0]]", "x.toml:15: spawn[0].carries"),
    ] {
        let message = error(&text(step, spawn, "sequential"));
        assert!(message.starts_with(&format!("{place}: has no meaning for solver = \"sequential\"")), "{message}");
        assert!(message.ends_with("leave it out, or take \"jacobi\""), "{message}");
        assert!(Scene::parse(&text(step, spawn, "jacobi"), "x.toml").is_ok());
    }
    assert!(Scene::parse(&text("rotation = false", "", "sequential"), "x.toml").is_ok());
}

#[test]
fn characters_and_actors_are_checked_alike() {
    let world = |text: &str| error(&format!("{HEAD}{text}\n"));
    let character = |line: &str| world(&format!("[character.runner]\n{line}"));
    let place = "x.toml:8: character.runner";
    for (line, key, accepted) in [
        ("top_speed = [-1, 0]", "top_speed[0]", "-1 is refused; it must be [x, y], each a number from 0 to 1000000"),
        ("acceleration = [0, 1e7]", "acceleration[1]", "10000000 is refused; it must be [x, y], each a number from 0"),
        ("acceleration = 5", "acceleration", "it must be [x, y], each a number from 0 to 1000000"),
        ("drag = nan", "drag", "NaN is refused; it must be a number from 0 to 1000000"),
        ("stop = \"slide\"", "stop", "\"slide\" is refused; it must be \"dead\" or \"glide\""),
        ("deceleration = 5", "deceleration", "has no meaning unless stop = \"glide\"; leave it out"),
    ] {
        let error = character(line);
        assert!(error.starts_with(&format!("{place}.{key}: ")) && error.contains(accepted), "{line}: {error}");
    }
    let no_rate = character("stop = \"glide\"");
    assert!(
        no_rate.starts_with("x.toml:7: character.runner.deceleration: is missing; it must be a number"),
        "{no_rate}"
    );
    let slow = character("top_speed = [1e-6, 0]");
    assert!(slow.contains("top speed x of character 'runner' is 0.000001; it must be from 0.001"), "{slow}");
    let many: String = (0..33).map(|k| format!("[character.c{k}]\nstop = \"dead\"\n")).collect();
    assert!(world(&many).contains("at most 32 of them"));
    for (line, key, accepted) in [
        ("character = \"hero\"", "character", "there is no [character.hero]; add it, or leave the key out"),
        ("layer = 32", "layer", "32 is refused; it must be a whole number from 0 to 31"),
        ("carries = []", "carries", "a list of 0 is refused; it must be 1 to 32 places"),
        ("carries = [[0, inf]]", "carries[0][1]", "inf is refused; it must be [x, y], each a number"),
    ] {
        let error = spawn_error(line);
        assert!(
            error.starts_with(&format!("x.toml:8: spawn[0].{key}: ")) && error.contains(accepted),
            "{line}: {error}"
        );
    }
    let spawner = |radius: &str, carries: &str| {
        let ball = format!("kind = \"single\"\nposition = [5, 5]\nradius = {radius}\ncarries = {carries}");
        format!("{HEAD}[[spawn]]\n{ball}\n")
    };
    let carrying = |radius: &str| spawner(radius, "[[3, 0]]");
    assert!(Scene::parse(&carrying("0.002"), "x.toml").is_ok());
    let tiny = error(&carrying("0.001"));
    assert!(tiny.starts_with("x.toml:11: spawn[0].carries: makes balls of radius 0.0005, 0.5 of what"), "{tiny}");
    for (radius, offset, clear) in [("2", "3", "3"), ("0.3", "0.45", "0.45000002"), ("[1, 2]", "3", "3")] {
        let near = error(&spawner(radius, &format!("[\n[9, 9],\n[{offset}, 0]]")));
        let refused =
            format!("x.toml:13: spawn[0].carries[1]: [{offset}, 0] is refused; it must be more than {clear} px");
        assert!(near.starts_with(&refused), "{near}");
    }
    // The world that is built refuses none of them.
    for (radius, offset) in [("1.99", "3"), ("0.22", "0.33"), ("[1, 2]", "3.01")] {
        let scene = Scene::parse(&spawner(radius, &format!("[[{offset}, 0]]")), "x.toml").unwrap();
        scene.build(&Overrides::default()).unwrap();
    }
    assert!(
        world("[step]\nlayers = [0, 40]")
            .ends_with("step.layers[1]: 40 is refused; it must be a whole number from 0 to 31")
    );
    let peg =
        "[character.c]\n[[spawn]]\nkind = \"single\"\nradius = 1\nposition = [5, 5]\nfixed = true\ncharacter = \"c\"";
    assert_eq!(world(peg), "x.toml:13: spawn[0].character: has no meaning with fixed = true; leave it out");
}

#[test]
fn a_cannon_fires_no_mass_that_no_ball_may_have() {
    let cannon = |radius: f32, masses: &str| {
        let text =
            format!("{HEAD}walls = false\n[cannon]\nposition = [5, 5]\nradius = {radius}\nspeed = 10\n{masses}\n");
        Scene::parse(&text, "x.toml").map(|_| ()).map_err(|error| error.to_string())
    };
    for (radius, masses) in [(4.0, "masses = [1, 1000000]"), (0.001, ""), (1e5, "masses = [100]")] {
        assert_eq!(cannon(radius, masses), Ok(()));
    }
    let light = cannon(0.001, "masses = [1, 0.0001]").unwrap_err();
    assert!(light.starts_with("x.toml:12: cannon.masses[1]: 0.0001 is refused"), "{light}");
    let light = cannon(0.001, "masses = [1, 0.001]");
    assert_eq!(light, Ok(()));
    let heavy = cannon(1e5, "masses = [1, 101]").unwrap_err();
    assert!(heavy.starts_with("x.toml:12: cannon.masses[1]: gives a ball of mass 1.01e12, radius² times"), "{heavy}");
}

#[test]
fn what_is_not_toml_names_line_and_key() {
    let duplicate = error(&format!("version = 1\n{HEAD}"));
    assert!(duplicate.starts_with("x.toml:2: version: duplicate key"), "{duplicate}");
    let truncated = error(&HEAD[..HEAD.len() - 5]);
    assert!(truncated.starts_with("x.toml:6: max: "), "{truncated}");
    assert!(error("\u{0}\u{1}\u{2}").starts_with("x.toml:1: "));
    assert!(error("PNG\r\n\u{1a}\n").starts_with("x.toml:1: "));
}

#[test]
fn every_prefix_of_a_scene_is_an_error_or_a_scene() {
    let text = format!("{HEAD}gravity = [0, 9e2]\n[[spawn]]\nkind = \"single\"\nradius = [1, 2]\nposition = [5, 5]\n");
    let scenes = (0..=text.len()).filter(|&end| Scene::parse(&text[..end], "x").is_ok()).count();
    assert!((1..40).contains(&scenes), "{scenes}");
}

#[test]
fn deep_nesting_is_an_error_and_no_stack_overflow() {
    for text in [
        format!("title = {}", "[".repeat(10_000)),
        format!("title = {}{}", "[".repeat(10_000), "]".repeat(10_000)),
        format!("title = {}1{}", "{ a = ".repeat(10_000), " }".repeat(10_000)),
        format!("{} = 1", ["a"; 10_000].join(".")),
        format!("[{}]", ["a"; 10_000].join(".")),
    ] {
        let error = error(&text);
        assert!(error.starts_with("x.toml:1: ") && error.len() < 1_000, "{error}");
    }
}

#[test]
fn errors_quote_a_long_value_in_part() {
    let long = spawn_error(&format!("count = \"{}\"", "x".repeat(100_000)));
    assert!(long.len() < 1_000 && long.contains('…'), "{}", long.len());
}

#[test]
fn files_that_are_no_scene_say_why() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        Scene::read(path).unwrap_err().to_string()
    };
    assert!(file("latin.toml", b"version = 1\ntitle = \"\xe9\"").contains("latin.toml:2: is not UTF-8 text (byte 21)"));
    assert!(file("large.toml", &vec![b'#'; (16 << 20) + 1]).contains("is larger than 16 MiB"));
    let directory = Scene::read(folder.path()).unwrap_err().to_string();
    assert!(directory.ends_with("is a directory; give a .toml file"), "{directory}");
    let missing = Scene::open(folder.path().join("none.toml").to_str().unwrap()).unwrap_err();
    assert!(matches!(missing, Error::File { .. }), "{missing}");
    assert!(Scene::parse(&"#".repeat((16 << 20) + 1), "x").is_err());
}

proptest! {
    #[test]
    fn a_damaged_file_is_a_scene_or_an_error_with_a_line(cut in 0usize..2_000, garbage in "[ -~\n\"\\[\\]=.]{0,6}") {
        let mut text = include_str!("../../../scenes/peg.toml").to_owned();
        let at = cut % text.len();
        text.replace_range(at..(at + garbage.len()).min(text.len()), &garbage);
        if let Err(error) = Scene::parse(&text, "x.toml") {
            let message = error.to_string();
            let line = message.strip_prefix("x.toml:").and_then(|rest| rest.split(':').next());
            prop_assert!(line.is_some_and(|line| line.parse::<usize>().is_ok()), "{message}");
        }
    }
}

#[test]
fn a_world_too_full_or_too_far_for_float32_is_refused_before_it_is_built() {
    let half = "[[spawn]]\nkind = \"grid\"\ncount = 40000000\nradius = 0.001\nmin = [0, 0]\nmax = [100, 100]\n";
    let error = self::error(&format!("{HEAD}{half}{half}"));
    assert!(
        error.starts_with("x.toml:13: spawn[1]: brings the world to 80000000 balls; it may have 67108864"),
        "{error}"
    );
    let laden = half.replace("40000000", "3000000").replace("0.001", "0.002")
        + &format!("carries = [{}]\n", "[9, 9], ".repeat(32));
    let error = self::error(&format!("{HEAD}{laden}"));
    assert!(error.contains("spawn[0]: brings the world to 99000000 balls"), "{error}");
    let far = HEAD.replace("min = [0, 0]", "min = [999999990, 0]").replace("max = [100,", "max = [1000000000,");
    let error = self::error(&far);
    assert!(error.contains("world.max: leaves no room") && error.contains("float32"), "{error}");
}
