package dev.standpipe.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A sink, and what it has still to get.
 *
 * @param name its name
 * @param pending how many events it has still to get
 * @param oldest how old the oldest of them is
 * @param dead how many dead letters it has
 * @param paused who paused it, if it is
 */
public record SinkInfo(
    String name, long pending, Optional<Duration> oldest, long dead, Optional<SinkPause> paused) {
  /**
   * A pause.
   *
   * @param since since when
   * @param by who paused it
   * @param reason why
   */
  public record SinkPause(Instant since, String by, String reason) {}
}
