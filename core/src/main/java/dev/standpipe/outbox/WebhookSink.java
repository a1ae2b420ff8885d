package dev.standpipe.outbox;

import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import dev.standpipe.internal.outbox.EventWords;
import dev.standpipe.internal.outbox.PublicAddress;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Posts each event to a URL as a CloudEvent, signed by the Standard Webhooks specification. A
 * status from 200 to 299 says that the receiver has taken it; everything else, redirects and 410
 * included, is a failure. Thread-safe.
 */
public final class WebhookSink implements Sink {
  private static final int SHOWN = 500;
  private static final SinkPolicy POLICY = SinkPolicy.standard().withBatch(1).withWorkers(4);

  private final String name;
  private final URI url;
  private final List<WebhookSecret> secrets;
  private final WebhookOptions options;
  private final HttpClient client;

  private record WebhookOptions(
      SinkPolicy policy, boolean binary, boolean privateAllowed, Map<String, String> headers) {}

  private WebhookSink(String name, URI url, List<WebhookSecret> secrets, WebhookOptions options) {
    this.name = name;
    this.url = url;
    this.secrets = secrets;
    this.options = options;
    this.client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(options.policy.timeout())
            .build();
  }

  /**
   * Posts to this URL.
   *
   * @param url begins with http:// or https://
   * @param secret signs the events: {@code whsec_} and 24 to 64 random bytes in Base64
   * @param more further secrets, while they are rotated: an event is signed with all of them
   */
  public static WebhookSink of(String name, String url, String secret, String... more) {
    return new WebhookSink(
        EventWords.requireSink(name),
        parse(url),
        WebhookSecret.parseAll(secret, more),
        new WebhookOptions(POLICY, false, false, Map.of()));
  }

  private static URI parse(String url) {
    URI uri;
    try {
      uri = URI.create(url);
    } catch (IllegalArgumentException | NullPointerException e) {
      throw refused();
    }
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    boolean http = scheme.equals("http") || scheme.equals("https");
    if (!http || uri.getHost() == null || uri.getUserInfo() != null || uri.getFragment() != null) {
      throw refused();
    }
    return uri;
  }

  private static StandpipeException refused() {
    return new StandpipeException(
        ErrorCode.INVALID_SETTING,
        "The URL of a webhook begins with http:// or https:// and a host, without a user and without a fragment; this one does not");
  }

  /** The same, treated so. */
  public WebhookSink withPolicy(SinkPolicy policy) {
    return with(
        new WebhookOptions(policy, options.binary, options.privateAllowed, options.headers));
  }

  /**
   * The same in the binary mode of CloudEvents: attributes are headers, the payload is the body.
   */
  public WebhookSink inBinaryMode() {
    return with(new WebhookOptions(options.policy, true, options.privateAllowed, options.headers));
  }

  /**
   * The same, which may post to addresses of this machine and of private networks. Otherwise such
   * an address is refused, whatever name leads there.
   */
  public WebhookSink allowingPrivateAddresses() {
    return with(new WebhookOptions(options.policy, options.binary, true, options.headers));
  }

  /** The same with a further HTTP header, such as {@code Authorization}. */
  public WebhookSink withHeader(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(options.headers);
    more.put(header, value);
    HttpRequest.newBuilder(url).header(header, value); // refuses what is no header
    return with(
        new WebhookOptions(
            options.policy, options.binary, options.privateAllowed, Map.copyOf(more)));
  }

  private WebhookSink with(WebhookOptions others) {
    return new WebhookSink(name, url, secrets, others);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public SinkPolicy policy() {
    return options.policy;
  }

  @Override
  public void publish(List<OutboxEvent> events) throws IOException, InterruptedException {
    for (OutboxEvent event : events) {
      post(event);
    }
  }

  private void post(OutboxEvent event) throws IOException, InterruptedException {
    if (!options.privateAllowed) {
      for (InetAddress address : InetAddress.getAllByName(url.getHost())) {
        if (!PublicAddress.is(address)) {
          throw new IOException(
              "The host %s leads to the private address %s: allow private addresses if that is meant"
                  .formatted(url.getHost(), address.getHostAddress()));
        }
      }
    }
    HttpResponse<InputStream> response =
        client.send(request(event), HttpResponse.BodyHandlers.ofInputStream());
    try (InputStream body = response.body()) {
      if (response.statusCode() / 100 != 2) {
        String text = new String(body.readNBytes(SHOWN), StandardCharsets.UTF_8);
        throw new IOException(
            "The receiver answered %d: %s".formatted(response.statusCode(), text));
      }
    }
  }

  private HttpRequest request(OutboxEvent event) {
    CloudEvent cloud = CloudEvent.of(event);
    byte[] body =
        (options.binary ? event.payload() : cloud.structured()).getBytes(StandardCharsets.UTF_8);
    String id = event.id().toString();
    long timestamp = event.delivery().at().getEpochSecond();
    List<String> signatures =
        secrets.stream().map(secret -> secret.sign(id, timestamp, body)).toList();
    Duration timeout = options.policy.timeout();
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .timeout(timeout)
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
    Map<String, String> headers = new LinkedHashMap<>(options.headers);
    headers.putAll(
        options.binary
            ? cloud.binaryHeaders()
            : Map.of("content-type", CloudEvent.STRUCTURED_TYPE));
    headers.put("webhook-id", id);
    headers.put("webhook-timestamp", Long.toString(timestamp));
    headers.put("webhook-signature", String.join(" ", signatures));
    headers.forEach(request::setHeader);
    return request.build();
  }

  /** Without its secrets, and without the query of the URL, which may have some. */
  @Override
  public String toString() {
    return "webhook " + name + " to " + url.getScheme() + "://" + url.getAuthority();
  }
}
