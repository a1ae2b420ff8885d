package dev.standpipe.internal.engine.operate;

import dev.standpipe.error.UnknownSinkException;
import dev.standpipe.internal.Required;
import dev.standpipe.internal.engine.client.Arguments;
import dev.standpipe.internal.outbox.StoredOutbox;
import dev.standpipe.outbox.DeadLetter;
import dev.standpipe.outbox.Outbox;
import dev.standpipe.outbox.OutboxEvent;
import dev.standpipe.outbox.SinkInfo;
import java.util.List;
import java.util.UUID;

/** What an operator does to the outbox. */
final class OutboxOperations implements Outbox {
  private static final int MOST_SHOWN = 10_000;

  private final String by;
  private final StoredOutbox outbox;
  private final Runnable announce;

  /**
   * In somebody's name.
   *
   * @param announce tells all processes that there is something to do
   */
  OutboxOperations(String by, StoredOutbox outbox, Runnable announce) {
    this.by = by;
    this.outbox = outbox;
    this.announce = announce;
  }

  @Override
  public List<SinkInfo> sinks() {
    return outbox.sinks();
  }

  @Override
  public List<OutboxEvent> pending(String sink, int limit) {
    return outbox.pending(known(sink), shown(limit));
  }

  @Override
  public List<DeadLetter> deadLetters(String sink, int limit) {
    return outbox.deadLetters(known(sink), shown(limit));
  }

  @Override
  public boolean replay(String sink, UUID event, String reason) {
    Required.given(event, "id of the event");
    boolean replayed = outbox.replay(known(sink), event, Arguments.audited(by, reason));
    announce.run();
    return replayed;
  }

  @Override
  public boolean discard(String sink, UUID event, String reason) {
    Required.given(event, "id of the event");
    return outbox.discard(known(sink), event, Arguments.audited(by, reason));
  }

  @Override
  public boolean pause(String sink, String reason) {
    return outbox.pause(known(sink), Arguments.audited(by, reason));
  }

  @Override
  public boolean resume(String sink, String reason) {
    boolean resumed = outbox.resume(known(sink), Arguments.audited(by, reason));
    announce.run();
    return resumed;
  }

  @Override
  public void remove(String sink, String reason) {
    if (!outbox.remove(known(sink), Arguments.audited(by, reason))) {
      throw new UnknownSinkException(sink);
    }
  }

  private String known(String sink) {
    if (!outbox.sinkNames().contains(Required.given(sink, "name of the sink"))) {
      throw new UnknownSinkException(sink);
    }
    return sink;
  }

  private static int shown(int limit) {
    Arguments.require(
        limit >= 1 && limit <= MOST_SHOWN,
        "The limit must be 1 to %d, was %d".formatted(MOST_SHOWN, limit));
    return limit;
  }
}
