package dev.standpipe.internal.engine.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class Uuid7Test {
  @Test
  void idsAreVersionSevenOfTheStandardVariant() {
    for (int i = 0; i < 10_000; i++) {
      UUID id = Uuid7.next();
      assertThat(id.version()).isEqualTo(7);
      assertThat(id.variant()).isEqualTo(2);
    }
  }

  @Test
  void idsAreUnique() {
    Set<UUID> seen = new HashSet<>();
    for (int i = 0; i < 100_000; i++) {
      seen.add(Uuid7.next());
    }
    assertThat(seen).hasSize(100_000);
  }

  @Test
  void laterIdsSortLater() {
    long before = System.currentTimeMillis();
    UUID first = Uuid7.next();
    assertThat(time(first)).isBetween(before, System.currentTimeMillis());
    UUID later = Uuid7.next();
    while (time(later) == time(first)) {
      later = Uuid7.next();
    }
    assertThat(later.toString()).isGreaterThan(first.toString());
    assertThat(later).isGreaterThan(first);
  }

  @Test
  void idsOfOneMomentSortInOrder() {
    List<UUID> ids = Stream.generate(Uuid7::next).limit(100_000).toList();
    assertThat(ids.stream().map(UUID::toString)).isSorted();
    assertThat(time(ids.get(ids.size() - 1)))
        .as("none borrows from the future")
        .isLessThanOrEqualTo(System.currentTimeMillis());
  }

  private static long time(UUID id) {
    return id.getMostSignificantBits() >>> 16;
  }
}
