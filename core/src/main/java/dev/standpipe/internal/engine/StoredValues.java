package dev.standpipe.internal.engine;

import dev.standpipe.spi.Originals;
import dev.standpipe.spi.PayloadCodec;
import dev.standpipe.spi.Store;
import dev.standpipe.spi.Tasks.ResultKey;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Reads what other runs have left behind. */
record StoredValues(Store store, PayloadCodec codec) implements Originals {
  @Override
  public Optional<Object> value(UUID run, String node, int index, Type type) {
    String text = store.tasks().values(List.of(new ResultKey(run, node, index))).get(0);
    return text == null ? Optional.empty() : Optional.ofNullable(codec.decode(text, type));
  }

  @Override
  public Optional<Object> output(UUID run, String node, Type type) {
    return store
        .runs()
        .output(run, node)
        .flatMap(text -> Optional.ofNullable(codec.decode(text, type)));
  }

  @Override
  public List<Integer> succeeded(UUID run, String node) {
    return store.tasks().succeeded(run, node);
  }
}
