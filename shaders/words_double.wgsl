// Records and homes as the kernels that look at neighbours read them: by words of 64 bits, of the same bits. A software
// adapter loads word by word and lane by lane, and half as many words take half the time.

alias StoredRecord = vec4<u64>;
alias StoredHome = vec2<u64>;

fn low(word: u64) -> u32 {
    return u32(word & 0xfffffffflu);
}

fn high(word: u64) -> u32 {
    return u32(word >> 32u);
}

fn pair(word: u64) -> vec2<f32> {
    return bitcast<vec2<f32>>(vec2(low(word), high(word)));
}

fn record(stored: StoredRecord) -> Record {
    return Record(vec4(pair(stored.x), pair(stored.y)), vec4(pair(stored.z), pair(stored.w)));
}

fn home(stored: StoredHome) -> Home {
    return Home(pair(stored.x), bitcast<f32>(low(stored.y)), high(stored.y));
}
