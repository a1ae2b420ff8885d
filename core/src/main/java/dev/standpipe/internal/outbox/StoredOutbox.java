package dev.standpipe.internal.outbox;

import dev.standpipe.internal.port.Quarantines.Audited;
import dev.standpipe.outbox.DeadLetter;
import dev.standpipe.outbox.OutboxEvent;
import dev.standpipe.outbox.SinkInfo;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The tables of the outbox. */
public interface StoredOutbox {
  /**
   * Stores an event in the transaction that this store is part of.
   *
   * @return its id, or that of the event that has its dedupe key
   */
  UUID add(NewEvent event);

  /** Makes a sink known, and hands it the events that no sink was there for. */
  void addSink(String sink);

  /** Hands sinks the events that were emitted before there was one. */
  void adopt();

  /** The sinks. */
  List<SinkInfo> sinks();

  /** Their names. */
  List<String> sinkNames();

  /** Whether a claim for a sink would find something. */
  boolean isReady(String sink);

  /** Takes a slot of a sink where something is to be published, if there is one. */
  Optional<SlotLease> claim(String sink, UUID owner, Duration lease);

  /** Events that are due in a slot, in their order. */
  List<DueEvent> due(SlotLease lease, int limit);

  /**
   * Notes what became of events.
   *
   * @return {@code false} if the slot has another relay by now: nothing was noted
   */
  boolean note(SlotLease lease, Duration longer, Noted noted);

  /**
   * Gives a slot back.
   *
   * @param failures how often the sink has failed in a row
   * @param rest how long nobody is to claim it
   */
  void giveBack(SlotLease lease, int failures, Duration rest);

  /** Events that a sink has still to get. */
  List<OutboxEvent> pending(String sink, int limit);

  /** Events that a sink has refused for good. */
  List<DeadLetter> deadLetters(String sink, int limit);

  /** Has a dead letter tried again. */
  boolean replay(String sink, UUID event, Audited audited);

  /** Gives a dead letter up. */
  boolean discard(String sink, UUID event, Audited audited);

  /** Pauses a sink. */
  boolean pause(String sink, Audited audited);

  /** Resumes a sink. */
  boolean resume(String sink, Audited audited);

  /** Removes a sink and all that it has still to get. */
  boolean remove(String sink, Audited audited);

  /**
   * A slot that a relay has.
   *
   * @param sink the sink
   * @param slot the slot
   * @param token what tells this claim from others
   * @param failures how often the sink has failed here in a row
   */
  record SlotLease(String sink, int slot, long token, int failures) {}

  /**
   * An event to publish.
   *
   * @param event the event
   * @param tries how often it has failed
   * @param blocked how long one before it, of the same subject, still waits; zero if none does
   */
  record DueEvent(OutboxEvent event, int tries, Duration blocked) {}

  /**
   * What became of events.
   *
   * @param taken those that the sink has taken
   * @param failed those that are to be tried again, or to wait behind one that is
   * @param dead those that are given up
   */
  record Noted(List<DueEvent> taken, List<FailedEvent> failed, List<FailedEvent> dead) {}

  /**
   * An event that was not taken.
   *
   * @param event the event
   * @param tries how often it has failed now
   * @param delay how long to wait before the next try
   * @param error why; empty if one before it has failed
   */
  record FailedEvent(DueEvent event, int tries, Duration delay, Optional<String> error) {}
}
