package dev.standpipe.conformance.guard;

import dev.standpipe.conformance.fixture.StandIn;
import dev.standpipe.internal.port.Settlement;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.port.TaskRef;
import dev.standpipe.internal.port.Tasks;
import dev.standpipe.internal.port.Tasks.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A store in which nothing is settled alone: beside each settlement comes one of a task that is not
 * there. One by itself may go another way than many do, and both ways have their guards.
 */
final class Company {
  private Company() {}

  /** This store, with company. */
  static Store of(Store store) {
    return StandIn.of(
        Store.class,
        (self, method, args) ->
            method.getName().equals("tasks")
                ? of(store.tasks())
                : StandIn.call(store, method, args));
  }

  private static Tasks of(Tasks tasks) {
    return StandIn.of(
        Tasks.class,
        (self, method, args) ->
            method.getName().equals("settle")
                ? settle(tasks, (UUID) args[0], settlements(args[1]))
                : StandIn.call(tasks, method, args));
  }

  private static List<Settlement> settlements(Object argument) {
    return ((List<?>) argument).stream().map(Settlement.class::cast).toList();
  }

  private static Reply settle(Tasks tasks, UUID owner, List<Settlement> settlements) {
    List<Settlement> accompanied = new ArrayList<>(settlements);
    accompanied.add(
        new Settlement(
            new TaskRef(UUID.randomUUID(), 1, 1), "a", 0, 1, 0, 1, 0, new Settlement.Released()));
    Reply reply = tasks.settle(owner, accompanied);
    return new Reply(
        reply.fates().subList(0, settlements.size()),
        reply.opened(),
        reply.stopped(),
        reply.followed(),
        reply.closed());
  }
}
