package dev.standpipe.outbox;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells a receiver whether a webhook is genuine, by the Standard Webhooks specification. Immutable.
 *
 * <pre>{@code
 * WebhookVerifier verifier = WebhookVerifier.of("whsec_…");
 * if (!verifier.isGenuine(header("webhook-id"), header("webhook-timestamp"),
 *     header("webhook-signature"), body, Instant.now())) { … 401 … }
 * }</pre>
 */
public final class WebhookVerifier {
  private static final Duration TOLERANCE = Duration.ofMinutes(5);

  private final List<WebhookSecret> secrets;
  private final Duration tolerance;

  private WebhookVerifier(List<WebhookSecret> secrets, Duration tolerance) {
    this.secrets = secrets;
    this.tolerance = tolerance;
  }

  /** Accepts what one of these secrets has signed, within five minutes. */
  public static WebhookVerifier of(String secret, String... more) {
    return new WebhookVerifier(WebhookSecret.parseAll(secret, more), TOLERANCE);
  }

  /** Accepts what is at most so old, or so far ahead. */
  public WebhookVerifier withTolerance(Duration most) {
    if (most.isNegative()) {
      throw new StandpipeException(
          ErrorCode.INVALID_SETTING, "The tolerance must be zero or more, was " + most);
    }
    return new WebhookVerifier(secrets, most);
  }

  /**
   * Whether a message was signed with one of the secrets, not long ago. Compares in constant time.
   *
   * @param id the header {@code webhook-id}
   * @param timestamp the header {@code webhook-timestamp}
   * @param signatures the header {@code webhook-signature}
   * @param body the body, byte for byte
   * @param now the receiver's time
   */
  public boolean isGenuine(
      @Nullable String id,
      @Nullable String timestamp,
      @Nullable String signatures,
      byte[] body,
      Instant now) {
    if (id == null || timestamp == null || signatures == null) {
      return false;
    }
    long seconds;
    try {
      seconds = Long.parseLong(timestamp);
    } catch (NumberFormatException e) {
      return false;
    }
    long away = Math.abs(now.getEpochSecond() - seconds);
    if (away < 0 || away > tolerance.toSeconds()) {
      return false;
    }
    boolean genuine = false;
    for (String signature : signatures.split(" ", -1)) {
      for (WebhookSecret secret : secrets) {
        genuine |= secret.matches(signature, id, seconds, body);
      }
    }
    return genuine;
  }
}
