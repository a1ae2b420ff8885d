package dev.standpipe.internal.engine.execute;

import dev.standpipe.internal.RunResults;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.StoreException;
import dev.standpipe.internal.port.Tasks.ResultKey;
import dev.standpipe.spi.PayloadCodec;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** Reads the results of other runs. */
record StoredValues(Store store, PayloadCodec codec) implements RunResults {
  @Override
  public Optional<Object> value(UUID run, String node, int index, Type type) {
    ResultKey key = new ResultKey(run, node, index);
    String text = read(() -> store.tasks().values(List.of(key))).get(0);
    return text == null ? Optional.empty() : Optional.ofNullable(codec.decode(text, type));
  }

  @Override
  public Optional<Object> output(UUID run, String node, Type type) {
    return read(() -> store.runQueries().output(run, node))
        .flatMap(text -> Optional.ofNullable(codec.decode(text, type)));
  }

  @Override
  public List<Integer> succeeded(UUID run, String node) {
    return read(() -> store.tasks().succeeded(run, node));
  }

  /** That the database is away is not the fault of the step that asks. */
  private static <T> T read(Supplier<T> question) {
    try {
      return question.get();
    } catch (StoreException e) {
      throw new UnreadException(e);
    }
  }
}
