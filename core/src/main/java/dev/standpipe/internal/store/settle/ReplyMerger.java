package dev.standpipe.internal.store.settle;

import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Tasks.Closed;
import dev.standpipe.internal.port.Tasks.Opened;
import dev.standpipe.internal.port.Tasks.Reply;
import dev.standpipe.internal.port.Tasks.SettlementFate;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** What several replies about one batch of settlements add up to. Not thread-safe. */
public final class ReplyMerger {
  private final List<SettlementFate> fates;
  private final List<Opened> opened;
  private final List<UUID> stopped;
  private final List<Closed> closed;
  private boolean followed;
  private boolean changed;

  ReplyMerger(Reply first) {
    this.fates = new ArrayList<>(first.fates());
    this.opened = new ArrayList<>(first.opened());
    this.stopped = new ArrayList<>(first.stopped());
    this.closed = new ArrayList<>(first.closed());
    this.followed = first.followed();
  }

  /** Of so many about which nothing is known yet. */
  public static ReplyMerger of(int settlements) {
    return new ReplyMerger(new Reply(stale(settlements), List.of()));
  }

  /** The fates of so many that have none. */
  public static List<SettlementFate> stale(int settlements) {
    return IntStream.range(0, settlements).mapToObj(ord -> SettlementFate.STALE).toList();
  }

  public static List<Settlement> pick(List<Settlement> all, List<Integer> positions) {
    return positions.stream().map(all::get).toList();
  }

  /** Adds a reply about those at these positions. */
  public void add(List<Integer> positions, Reply reply) {
    for (int i = 0; i < positions.size(); i++) {
      SettlementFate fate = reply.fates().get(i);
      fates.set(positions.get(i), fate);
      changed |= fate != SettlementFate.STALE;
    }
    reply.opened().forEach(o -> opened.add(new Opened(positions.get(o.settlement()), o.bump())));
    stopped.addAll(reply.stopped());
    closed.addAll(reply.closed());
    followed |= reply.followed();
  }

  boolean isStale(int position) {
    return fates.get(position) == SettlementFate.STALE;
  }

  /** Those that nothing has come of. */
  public List<Integer> stale() {
    return IntStream.range(0, fates.size()).filter(this::isStale).boxed().toList();
  }

  /** Whether any reply that was added was about something that took effect. */
  public boolean isChanged() {
    return changed;
  }

  public Reply reply() {
    return new Reply(fates, opened, stopped, followed, closed);
  }
}
