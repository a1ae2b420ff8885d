package dev.standpipe;

import dev.standpipe.outbox.EventOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The first attempt at a node, outside of any engine. */
record TestContext(String pipeline, String node) implements StepContext {
  @Override
  public UUID runId() {
    return new UUID(0, 1);
  }

  @Override
  public int index() {
    return 0;
  }

  @Override
  public int attempt() {
    return 1;
  }

  @Override
  public int turn() {
    return 1;
  }

  @Override
  public long token() {
    return 1;
  }

  @Override
  public String idempotencyKey() {
    return "key-of-" + node;
  }

  @Override
  public boolean isCanceled() {
    return false;
  }

  @Override
  public Optional<Duration> timeLeft() {
    return Optional.empty();
  }

  @Override
  public void finishRun(@Nullable Object value) {
    throw new UnsupportedOperationException("There is no run");
  }

  @Override
  public UUID emit(String type, @Nullable Object payload, EventOptions options) {
    throw new UnsupportedOperationException("There is no run");
  }

  @Override
  public RunContext context() {
    throw new UnsupportedOperationException("There is no run");
  }

  @Override
  public <T extends @Nullable Object, E extends Exception> T once(
      String key, TypeToken<T> type, OnceValue<? extends T, E> call) throws E {
    return call.get();
  }

  @Override
  public void checkpoint(@Nullable Object value) {
    throw new UnsupportedOperationException("There is no run");
  }

  @Override
  public <T> void checkpoint(T value, TypeToken<T> type) {
    throw new UnsupportedOperationException("There is no run");
  }

  @Override
  public <T> Optional<T> checkpoint(TypeToken<T> type) {
    return Optional.empty();
  }

  @Override
  public void progress(long done, long total, String note) {}

  @Override
  public Logger log() {
    return LoggerFactory.getLogger(TestContext.class);
  }
}
