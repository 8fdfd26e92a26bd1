// Records and homes in read-only buffers, as they are: see loads_in_pairs.wgsl.

alias StoredRecord = Record;
alias StoredHome = Home;

fn record(stored: StoredRecord) -> Record {
    return stored;
}

fn home(stored: StoredHome) -> Home {
    return stored;
}
