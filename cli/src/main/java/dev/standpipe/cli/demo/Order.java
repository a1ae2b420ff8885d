package dev.standpipe.cli.demo;

import java.util.List;
import java.util.stream.IntStream;

/**
 * What a run of the demo's pipeline starts with.
 *
 * @param id its number, from 1
 * @param items what was ordered, one to four of them
 */
public record Order(int id, List<String> items) {
  private static final List<String> GOODS = List.of("lamp", "chair", "kettle", "rug", "clock");

  /** So many orders. */
  static List<Order> several(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(Order::numbered).toList();
  }

  private static Order numbered(int id) {
    List<String> items =
        IntStream.rangeClosed(0, id % 4).mapToObj(i -> GOODS.get((id + i) % GOODS.size())).toList();
    return new Order(id, items);
  }

  /** The key its run is started with. */
  String key() {
    return "order-" + id;
  }
}
