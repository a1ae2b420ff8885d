package dev.standpipe.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.outbox.PublicAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Webhooks as a receiver sees them, over HTTP on this machine. */
class WebhookSinkTest {
  private static final Instant AT = Instant.parse("2026-11-18T12:00:00Z");
  private static final String SECRET = secret(1);
  private static final String OLD_SECRET = secret(2);
  private static final OutboxEvent EVENT =
      new OutboxEvent(
          UUID.fromString("018f0000-0000-7000-8000-000000000001"),
          42,
          "fulfil order",
          "order-\u00fc 17",
          "order.paid",
          "{\"cents\": 1700}",
          Map.of("traceparent", "00-ab-cd-01"),
          AT.minusSeconds(60),
          Optional.empty(),
          new OutboxEvent.Delivery(1, AT));

  /** A request as it came. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Received(Map<String, List<String>> headers, byte[] body) {
    String header(String name) {
      return headers.entrySet().stream()
          .filter(entry -> entry.getKey().equalsIgnoreCase(name))
          .map(entry -> entry.getValue().get(0))
          .findFirst()
          .orElseThrow();
    }
  }

  private final List<Received> received = new ArrayList<>();
  private final CountDownLatch over = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer server;
  private int status = 204;

  private static String secret(int seed) {
    byte[] key = new byte[32];
    java.util.Arrays.fill(key, (byte) seed);
    return "whsec_" + Base64.getEncoder().encodeToString(key);
  }

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/hooks", this::answer);
    server.createContext("/elsewhere", exchange -> reply(exchange, 200, "redirected"));
    server.createContext(
        "/hangs",
        exchange -> {
          try {
            over.await(1, TimeUnit.MINUTES);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void close() {
    over.countDown();
    server.stop(0);
    threads.shutdownNow();
  }

  private void answer(HttpExchange exchange) throws IOException {
    received.add(
        new Received(
            Map.copyOf(exchange.getRequestHeaders()), exchange.getRequestBody().readAllBytes()));
    if (status == 302) {
      exchange.getResponseHeaders().add("Location", url("/elsewhere"));
    }
    reply(exchange, status, "x".repeat(100_000));
  }

  private static void reply(HttpExchange exchange, int status, String text) throws IOException {
    try (exchange) {
      boolean empty = status == 204;
      exchange.sendResponseHeaders(status, empty ? -1 : text.length());
      if (!empty) {
        exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  private WebhookSink sink(String path) {
    return WebhookSink.of("partner", url(path), SECRET, OLD_SECRET).allowingPrivateAddresses();
  }

  @Test
  void aSignedCloudEventIsPosted() throws Exception {
    sink("/hooks").withHeader("X-Team", "orders").publish(List.of(EVENT));
    Received one = received.get(0);
    assertThat(one.header("webhook-id")).isEqualTo(EVENT.id().toString());
    assertThat(one.header("webhook-timestamp")).isEqualTo(String.valueOf(AT.getEpochSecond()));
    assertThat(one.header("webhook-signature")).matches("v1,\\S{44} v1,\\S{44}");
    assertThat(one.header("content-type")).startsWith("application/cloudevents+json");
    assertThat(one.header("x-team")).isEqualTo("orders");
    JsonNode json = JsonMapper.shared().readTree(one.body());
    assertThat(json.get("specversion").asString()).isEqualTo("1.0");
    assertThat(json.get("id").asString()).isEqualTo(EVENT.id().toString());
    assertThat(json.get("source").asString()).isEqualTo("/standpipe/fulfil%20order");
    assertThat(json.get("subject").asString()).isEqualTo("order-\u00fc 17");
    assertThat(json.get("time").asString()).isEqualTo("2026-11-18T11:59:00Z");
    assertThat(json.get("traceparent").asString()).isEqualTo("00-ab-cd-01");
    assertThat(json.get("sequence").asString()).endsWith("042");
    assertThat(json.get("data").get("cents").asInt()).isEqualTo(1700);
    for (String secret : List.of(SECRET, OLD_SECRET)) {
      assertThat(genuine(WebhookVerifier.of(secret), one, AT)).isTrue();
    }
    assertThat(genuine(WebhookVerifier.of(secret(3)), one, AT)).isFalse();
    assertThat(genuine(WebhookVerifier.of(secret(3), SECRET), one, AT)).isTrue();
  }

  private static boolean genuine(WebhookVerifier verifier, Received one, Instant now) {
    return verifier.isGenuine(
        one.header("webhook-id"),
        one.header("webhook-timestamp"),
        one.header("webhook-signature"),
        one.body(),
        now);
  }

  @Test
  void whatWasAlteredOrIsOldIsNotGenuine() throws Exception {
    sink("/hooks").publish(List.of(EVENT));
    Received one = received.get(0);
    WebhookVerifier verifier = WebhookVerifier.of(SECRET);
    assertThat(genuine(verifier, one, AT.plusSeconds(300))).isTrue();
    assertThat(genuine(verifier, one, AT.plusSeconds(301))).isFalse();
    assertThat(genuine(verifier, one, AT.minusSeconds(301))).isFalse();
    assertThat(genuine(verifier.withTolerance(Duration.ofHours(1)), one, AT.plusSeconds(301)))
        .isTrue();
    byte[] altered = one.body().clone();
    altered[altered.length - 2] ^= 1;
    assertThat(genuine(verifier, new Received(one.headers(), altered), AT)).isFalse();
    assertThat(
            verifier.isGenuine(
                "other",
                one.header("webhook-timestamp"),
                one.header("webhook-signature"),
                one.body(),
                AT))
        .isFalse();
    assertThat(verifier.isGenuine(null, "1", "v1,x", one.body(), AT)).isFalse();
    assertThat(verifier.isGenuine("a", "soon", "v1,x", one.body(), AT)).isFalse();
    assertThat(verifier.isGenuine("a", String.valueOf(Long.MIN_VALUE), "v1,x", one.body(), AT))
        .isFalse();
  }

  /** The example of the Standard Webhooks specification's reference libraries. */
  @Test
  void theSignatureIsTheSpecifications() {
    String signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
    WebhookVerifier verifier = WebhookVerifier.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    byte[] body = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);
    assertThat(
            verifier.isGenuine(
                "msg_p5jXN8AQM9LWM0D4loKWxJek",
                "1614265330",
                signature,
                body,
                Instant.ofEpochSecond(1614265330)))
        .isTrue();
  }

  @Test
  void theBinaryModeHasAttributesInHeaders() throws Exception {
    sink("/hooks").inBinaryMode().publish(List.of(EVENT));
    Received one = received.get(0);
    assertThat(new String(one.body(), StandardCharsets.UTF_8)).isEqualTo("{\"cents\": 1700}");
    assertThat(one.header("content-type")).isEqualTo("application/json");
    assertThat(one.header("ce-subject")).isEqualTo("order-%C3%BC%2017");
    assertThat(one.header("ce-type")).isEqualTo("order.paid");
    assertThat(one.header("ce-specversion")).isEqualTo("1.0");
    assertThat(genuine(WebhookVerifier.of(SECRET), one, AT)).isTrue();
  }

  @Test
  void everythingButSuccessIsAFailure() {
    for (int bad : List.of(302, 400, 410, 500)) {
      status = bad;
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> sink("/hooks").publish(List.of(EVENT)))
          .withMessageStartingWith("The receiver answered " + bad)
          .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(600));
    }
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(
            () ->
                sink("/hangs")
                    .withPolicy(SinkPolicy.standard().withTimeout(Duration.ofMillis(200)))
                    .publish(List.of(EVENT)));
  }

  @Test
  void privateAddressesAreRefusedUnlessAllowed() throws UnknownHostException {
    for (String host : List.of("127.0.0.1", "localhost", "[::1]", "10.1.2.3", "169.254.169.254")) {
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(
              () ->
                  WebhookSink.of("partner", "http://" + host + "/hooks", SECRET)
                      .publish(List.of(EVENT)))
          .withMessageContaining("private address");
    }
    assertThat(received).isEmpty();
    for (String ours :
        List.of(
            "0.0.0.0",
            "192.168.0.1",
            "172.16.3.4",
            "100.64.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "fc00::1",
            "fe80::1",
            "::",
            "::ffff:10.0.0.1",
            "64:ff9b::a00:1",
            "2002:a00:1::",
            "::127.0.0.1")) {
      assertThat(PublicAddress.is(InetAddress.getByName(ours))).as(ours).isFalse();
    }
    for (String others : List.of("8.8.8.8", "2001:4860:4860::8888", "100.128.0.1")) {
      assertThat(PublicAddress.is(InetAddress.getByName(others))).as(others).isTrue();
    }
  }

  @Test
  void badUrlsAndSecretsAreRefusedWithoutTellingThem() {
    for (String bad :
        List.of(
            "",
            "ftp://x/y",
            "file:///etc/passwd",
            "http:///x",
            "x",
            "http://a:secret@b/",
            "http://a b")) {
      assertThatExceptionOfType(StandpipeException.class)
          .isThrownBy(() -> WebhookSink.of("partner", bad, SECRET))
          .withMessageContaining("http:// or https://")
          .satisfies(e -> assertThat(e.getMessage()).doesNotContain("secret@"));
    }
    for (String bad : List.of("", "whsec_", "whsec_c2hvcnQ=", "whsec_!!!", SECRET.substring(6))) {
      assertThatExceptionOfType(StandpipeException.class)
          .isThrownBy(() -> WebhookSink.of("partner", "https://a.example/", bad))
          .withMessageContaining("whsec_");
    }
    assertThat(sink("/hooks?token=abc").toString()).doesNotContain("abc", "whsec");
  }

  @Test
  void aPayloadThatIsNotJsonIsAText() {
    OutboxEvent encrypted =
        new OutboxEvent(
            EVENT.id(),
            1,
            "t",
            "s",
            "x",
            "ENC[abc]",
            Map.of(),
            AT,
            Optional.empty(),
            EVENT.delivery());
    JsonNode json = JsonMapper.shared().readTree(CloudEvent.of(encrypted).structured());
    assertThat(json.get("data").asString()).isEqualTo("ENC[abc]");
    assertThat(json.get("datacontenttype").asString()).startsWith("text/plain");
  }
}
