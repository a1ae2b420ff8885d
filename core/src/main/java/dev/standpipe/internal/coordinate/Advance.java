package dev.standpipe.internal.coordinate;

import java.util.List;

/**
 * What follows from a finished step.
 *
 * @param starts the steps that start now
 * @param arrivals the counters that change
 * @param finishes whether the run ends now
 */
public record Advance(List<Start> starts, List<Arrival> arrivals, boolean finishes) {
  /** Nothing follows. */
  public static final Advance NONE = new Advance(List.of(), List.of(), false);
}
