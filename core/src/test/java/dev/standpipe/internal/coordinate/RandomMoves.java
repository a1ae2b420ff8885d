package dev.standpipe.internal.coordinate;

import dev.standpipe.internal.coordinate.Move.Kind;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ArbitrarySupplier;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;

/** Up to forty moves of every kind. */
final class RandomMoves implements ArbitrarySupplier<List<Move>> {
  @Override
  public Arbitrary<List<Move>> get() {
    Arbitrary<Kind> kinds =
        Arbitraries.frequencyOf(
            Tuple.of(3, Arbitraries.of(Kind.STEP, Kind.JOIN, Kind.AFTER)),
            Tuple.of(
                1,
                Arbitraries.of(
                    Kind.ALL,
                    Kind.BARRIER,
                    Kind.AWAIT,
                    Kind.EACH_AWAIT,
                    Kind.CALL,
                    Kind.EACH_CALL)),
            Tuple.of(2, Arbitraries.of(Kind.DIVERT, Kind.EACH_DIVERT)),
            Tuple.of(1, Arbitraries.of(Kind.DELAY, Kind.EACH_DELAY)),
            Tuple.of(3, Arbitraries.of(Kind.EXPAND, Kind.EACH_STEP, Kind.COLLAPSE)),
            Tuple.of(1, Arbitraries.of(Kind.EXPAND_INSIDE)));
    Arbitrary<Integer> choices = Arbitraries.integers().between(0, 1_000);
    return Combinators.combine(kinds, choices, choices, Arbitraries.integers().between(0, 5))
        .as(Move::new)
        .list()
        .ofMaxSize(40);
  }
}
