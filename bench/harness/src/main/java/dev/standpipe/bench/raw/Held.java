package dev.standpipe.bench.raw;

import java.util.UUID;

/** A task leased to this process, with the value its step gets, as it is stored. */
record Held(UUID run, long task, long token, String node, int index, String value) {}
