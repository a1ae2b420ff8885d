package dev.standpipe.internal.coordinate;

import dev.standpipe.internal.coordinate.Model.Step;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The arms of all diverts: which nodes are on them, and which is taken. */
final class ModelArms {
  /** One arm of one divert. */
  record Arm(String divert, String name) {}

  /** Elements take arms by turns. */
  private record Choice(List<String> arms, int first) {
    int taken(int index) {
      return (first + index) % arms.size();
    }
  }

  private final Map<String, Choice> choices = new HashMap<>();
  private final Map<String, Arm> places = new HashMap<>();
  private @Nullable Arm current;

  /** A divert has these arms, and takes this one of them for the first element. */
  void choose(String divert, List<String> arms, int first) {
    choices.put(divert, new Choice(arms, first));
  }

  /** From here on, what is added is on this arm; and so is all on arms within. */
  void enter(String divert, String arm) {
    current = new Arm(divert, arm);
  }

  /** From here on, what is added is where the divert is. */
  void leave(String divert) {
    current = places.get(divert);
  }

  /** The arm that what is added is on. */
  @Nullable Arm current() {
    return current;
  }

  void add(String key) {
    if (current != null) {
      places.put(key, current);
    }
  }

  /** The innermost arm a node is on. */
  @Nullable Arm of(String key) {
    return places.get(key);
  }

  /** Whether a node is on an arm or on one within; all are on none. */
  boolean isOn(String key, @Nullable Arm arm) {
    if (arm == null) {
      return true;
    }
    for (Arm at = places.get(key); at != null; at = places.get(at.divert())) {
      if (at.equals(arm)) {
        return true;
      }
    }
    return false;
  }

  /** Whether the nodes are on different arms of one divert, so that never both run. */
  boolean areApart(String one, String other) {
    for (Arm at = places.get(one); at != null; at = places.get(at.divert())) {
      for (Arm of = places.get(other); of != null; of = places.get(of.divert())) {
        if (at.divert().equals(of.divert()) && !at.name().equals(of.name())) {
          return true;
        }
      }
    }
    return false;
  }

  /** The arm a divert takes. */
  String taken(Step divert) {
    return choices.get(divert.key()).arms().get(takenAt(divert));
  }

  /** The place of the arm a divert takes among its arms. */
  int takenAt(Step divert) {
    return choices.get(divert.key()).taken(divert.index());
  }
}
