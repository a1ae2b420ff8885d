package dev.standpipe.bench.contest;

/** A line that a child said. */
record Message(String word, String rest) {}
