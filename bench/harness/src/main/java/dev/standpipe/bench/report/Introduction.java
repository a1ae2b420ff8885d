package dev.standpipe.bench.report;

/** Which version of a contender was measured, and how it was set up. */
public record Introduction(String version, String configuration) {}
