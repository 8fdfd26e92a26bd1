// Records and homes as the kernels that look at neighbours read them: as they are. See words_double.wgsl.

alias StoredRecord = Record;
alias StoredHome = Home;

fn record(stored: StoredRecord) -> Record {
    return stored;
}

fn home(stored: StoredHome) -> Home {
    return stored;
}
