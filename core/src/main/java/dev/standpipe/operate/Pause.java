package dev.standpipe.operate;

import dev.standpipe.Lane;
import java.time.Instant;
import java.util.Optional;

/**
 * A pipeline of which nothing is taken for now, or one of its definitions.
 *
 * @param pipeline the pipeline's name
 * @param lane the lane of the definition that is paused; empty if all are, those to come as well
 * @param since when it was paused, by the database's clock
 * @param by who paused it
 * @param reason why
 */
public record Pause(
    String pipeline, Optional<Lane> lane, Instant since, String by, String reason) {}
