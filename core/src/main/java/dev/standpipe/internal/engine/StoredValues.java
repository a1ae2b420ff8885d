package dev.standpipe.internal.engine;

import dev.standpipe.spi.Originals;
import dev.standpipe.spi.PayloadCodec;
import dev.standpipe.spi.Runs;
import dev.standpipe.spi.Tasks;
import dev.standpipe.spi.Tasks.ResultKey;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads what runs have left behind.
 *
 * @param runs their results
 * @param tasks the values of their steps
 * @param codec reads and writes values
 */
record StoredValues(Runs runs, Tasks tasks, PayloadCodec codec) implements Originals {
  @Override
  public Optional<Object> value(UUID run, String node, int index, Type type) {
    return decoded(tasks.values(List.of(new ResultKey(run, node, index))).get(0), type);
  }

  @Override
  public Optional<Object> output(UUID run, String node, Type type) {
    return decoded(runs.output(run, node).orElse(null), type);
  }

  @Override
  public List<Integer> succeeded(UUID run, String node) {
    return tasks.succeeded(run, node);
  }

  private Optional<Object> decoded(@Nullable String text, Type type) {
    return text == null ? Optional.empty() : Optional.ofNullable(codec.decode(text, type));
  }
}
