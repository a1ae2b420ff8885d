package dev.standpipe.outbox;

import java.util.List;

/**
 * Where events are published to. The relay calls it on threads of its own, outside of any
 * transaction, several at once for different subjects. Every event is published at least once; the
 * events of one subject in the order of their commits.
 */
public interface Sink {
  /** Its name, the same in every release: what it has still to get is kept under this name. */
  String name();

  /**
   * Publishes events, in this order; returns when all of them are taken. If it throws, those that
   * it had taken come again.
   */
  void publish(List<OutboxEvent> events) throws Exception;

  /** How the relay treats it. */
  default SinkPolicy policy() {
    return SinkPolicy.standard();
  }

  /** A sink in this process. */
  static Sink of(String name, EventConsumer consumer) {
    return of(name, SinkPolicy.standard(), consumer);
  }

  /** A sink in this process that is treated so. */
  static Sink of(String name, SinkPolicy policy, EventConsumer consumer) {
    return new Sink() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public void publish(List<OutboxEvent> events) throws Exception {
        consumer.accept(events);
      }

      @Override
      public SinkPolicy policy() {
        return policy;
      }
    };
  }

  /** Takes events. */
  @FunctionalInterface
  interface EventConsumer {
    /** Takes all of them, or throws. */
    void accept(List<OutboxEvent> events) throws Exception;
  }
}
