package dev.standpipe.outbox;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** A secret that webhooks are signed with, by HMAC-SHA256. Never tells itself. */
final class WebhookSecret {
  private static final String PREFIX = "whsec_";
  private static final String ALGORITHM = "HmacSHA256";
  private static final int SHORTEST = 24;
  private static final int LONGEST = 64;

  private final byte[] key;

  private WebhookSecret(byte[] key) {
    this.key = key;
  }

  /** Reads {@code whsec_} and 24 to 64 bytes in Base64. */
  static WebhookSecret parse(@Nullable String text) {
    if (text != null && text.startsWith(PREFIX)) {
      try {
        byte[] key = Base64.getDecoder().decode(text.substring(PREFIX.length()));
        if (key.length >= SHORTEST && key.length <= LONGEST) {
          return new WebhookSecret(key);
        }
      } catch (IllegalArgumentException e) {
        // told below, without the secret
      }
    }
    throw new StandpipeException(
        ErrorCode.INVALID_SETTING,
        "A secret of a webhook is whsec_ and then 24 to 64 random bytes in Base64; this one is not");
  }

  /** Reads one, and further ones while they are rotated. */
  static List<WebhookSecret> parseAll(@Nullable String first, String... more) {
    return Stream.concat(Stream.of(parse(first)), Stream.of(more).map(WebhookSecret::parse))
        .toList();
  }

  /** The signature of a message: {@code v1,} and the code in Base64. */
  String sign(String id, long timestamp, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
      return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every JDK has " + ALGORITHM, e);
    }
  }

  /** Whether this is the signature of a message; takes the same time whatever differs. */
  boolean matches(String signature, String id, long timestamp, byte[] body) {
    return MessageDigest.isEqual(
        sign(id, timestamp, body).getBytes(StandardCharsets.UTF_8),
        signature.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public String toString() {
    return PREFIX + "***";
  }
}
