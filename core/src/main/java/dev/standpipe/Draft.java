package dev.standpipe;

import dev.standpipe.definition.Arm;
import dev.standpipe.definition.GraphNode;
import dev.standpipe.definition.NodeKind;
import dev.standpipe.definition.Strategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A node while its pipeline is being defined. Not thread-safe; frozen when the definition ends. */
final class Draft {
  private static final Duration LONGEST_TIMEOUT = Duration.ofDays(36_500);

  /** Below three, a step would be quarantined that had the bad luck to run beside another. */
  static final int FEWEST_CRASHES = 3;

  static final int MOST_CRASHES = 1_000;

  final Flow<?> flow;
  final String key;
  final NodeKind kind;
  final TypeToken<?> type;
  final List<Draft> inputs;
  final List<Draft> after = new ArrayList<>();
  final @Nullable ArmPlace place;
  private final @Nullable Draft scope;
  private List<String> arms = List.of();
  private final StepDefinition.Body body;
  private Optional<Retry> retry = Optional.empty();
  private Optional<Duration> timeout = Optional.empty();
  private Optional<Duration> within = Optional.empty();
  private Optional<Pipeline<?, ?>> calls = Optional.empty();
  private OptionalInt crashLimit = OptionalInt.empty();
  private Optional<Strategy> strategy = Optional.empty();
  private OptionalInt limit = OptionalInt.empty();
  private OptionalInt window = OptionalInt.empty();
  private boolean streamed;
  private @Nullable Draft inside;
  private Optional<StepDefinition.Wait> waiting = Optional.empty();
  private @Nullable EffectBody<@Nullable Object> compensation;
  private boolean configured;

  Draft(
      Flow<?> flow,
      String key,
      NodeKind kind,
      TypeToken<?> type,
      List<Draft> inputs,
      StepDefinition.Body body) {
    this.flow = flow;
    this.key = key;
    this.kind = kind;
    this.type = type;
    this.inputs = List.copyOf(inputs);
    this.body = body;
    this.place = flow.place();
    this.scope = inputs.isEmpty() ? null : findScope(kind, inputs);
  }

  /**
   * Where a node is written: on an arm of a divert.
   *
   * @param divert the divert
   * @param arm the arm's name
   */
  record ArmPlace(Draft divert, String arm) {}

  /** Names the arms of a divert or a converge. */
  void arms(List<String> names) {
    this.arms = List.copyOf(names);
  }

  /** Whether it runs once for each element of an expand. */
  boolean isPerElement() {
    return scope != null;
  }

  /** The expand for each element of which it runs, or {@code null}. */
  @Nullable Draft scope() {
    return scope;
  }

  /**
   * Whether it runs for each element of this expand, or of one inside; {@code null} is no expand.
   */
  boolean isWithin(@Nullable Draft expand) {
    for (Draft at = scope; at != null; at = at.scope) {
      if (at == expand) {
        return true;
      }
    }
    return expand == null;
  }

  /** The expand whose elements it yields, or makes something of. */
  @Nullable Draft spread() {
    return kind == NodeKind.EXPAND ? this : scope;
  }

  private static @Nullable Draft findScope(NodeKind kind, List<Draft> inputs) {
    Draft elements = inputs.get(0).spread();
    if (kind == NodeKind.CONVERGE) {
      return elements;
    }
    if (inputs.size() > 1) {
      return null;
    }
    if (kind.followsElements()) {
      return elements;
    }
    return kind == NodeKind.COLLAPSE && elements != null ? elements.scope : null;
  }

  /** Whether it is on this arm, or on an arm within. */
  boolean isOn(ArmPlace arm) {
    for (ArmPlace at = place; at != null; at = at.divert().place) {
      if (at.equals(arm)) {
        return true;
      }
    }
    return false;
  }

  void retry(Retry retry) {
    flow.requireOpen();
    if (isMissing(retry, "retry")) {
      return;
    }
    this.retry = Optional.of(retry);
    this.configured = true;
  }

  void timeout(Duration timeout) {
    flow.requireOpen();
    if (isMissing(timeout, "timeout")) {
      return;
    }
    if (timeout.isNegative() || timeout.isZero() || timeout.compareTo(LONGEST_TIMEOUT) > 0) {
      throw new IllegalArgumentException(
          "A time-out must be longer than zero and at most 36500 days, was " + timeout);
    }
    this.timeout = Optional.of(timeout);
    this.configured = true;
  }

  /** Notes that it was told null. */
  private boolean isMissing(@Nullable Object told, String by) {
    if (told == null) {
      flow.problem("\"" + key + "\" is given null by " + by + "(…): leave it out, or say what");
    }
    return told == null;
  }

  /** What it was told that only a body would heed. */
  List<String> forABody() {
    List<String> told = new ArrayList<>();
    retry.ifPresent(r -> told.add("retry"));
    timeout.ifPresent(t -> told.add("timeout"));
    waiting.ifPresent(w -> told.add("delay"));
    return told;
  }

  void calls(Pipeline<?, ?> pipeline) {
    this.calls = Optional.of(pipeline);
  }

  /** The pipelines that it calls, and those that they call. */
  Stream<Pipeline<?, ?>> called() {
    return calls.stream().flatMap(Draft::andCalled);
  }

  private static Stream<Pipeline<?, ?>> andCalled(Pipeline<?, ?> pipeline) {
    return Stream.concat(Stream.of(pipeline), pipeline.called().stream().flatMap(Draft::andCalled));
  }

  void within(Duration longest) {
    this.within = Optional.of(longest);
  }

  Optional<Duration> within() {
    return within;
  }

  void crashLimit(int most) {
    flow.requireOpen();
    if (most < FEWEST_CRASHES || most > MOST_CRASHES) {
      throw new IllegalArgumentException("A crash limit must be 3 to 1000, was " + most);
    }
    this.crashLimit = OptionalInt.of(most);
    this.configured = true;
  }

  void strategy(Strategy strategy) {
    flow.requireOpen();
    if (isMissing(strategy, "strategy")) {
      return;
    }
    this.strategy = Optional.of(strategy);
    this.configured = true;
  }

  /** What its failure means, if it has said so. */
  Optional<Strategy> strategy() {
    return strategy;
  }

  void limit(int most) {
    flow.requireOpen();
    if (most < 1) {
      throw new IllegalArgumentException("A limit must be 1 to 2147483647 elements, was " + most);
    }
    this.limit = OptionalInt.of(most);
    this.configured = true;
  }

  void window(int most) {
    flow.requireOpen();
    if (most < 1) {
      throw new IllegalArgumentException("A window must be 1 to 2147483647 steps, was " + most);
    }
    this.window = OptionalInt.of(most);
    this.configured = true;
  }

  /** Whether it was told how many of its elements' steps may be live at once. */
  boolean isWindowed() {
    return window.isPresent();
  }

  /** Notes what the wiring inside of this expand ends with. */
  void inside(Draft end) {
    this.inside = end;
  }

  /** Whether what is inside of it ends where it began: with one value for each element outside. */
  boolean isBroughtTogether() {
    return inside == null || inside.scope == scope;
  }

  /** Notes that its elements come one after the other. */
  Draft streamed() {
    this.streamed = true;
    return this;
  }

  boolean isStreamed() {
    return streamed;
  }

  /** Whether it was told how many elements it may yield. */
  boolean isLimited() {
    return limit.isPresent();
  }

  void delay(Duration time) {
    flow.requireOpen();
    if (isMissing(time, "delay")) {
      return;
    }
    if (time.isNegative() || time.compareTo(LONGEST_TIMEOUT) > 0) {
      throw new IllegalArgumentException("A delay must be zero to 36500 days, was " + time);
    }
    if (!time.isZero()) {
      waitFor((now, inputs) -> time);
    }
    this.configured = true;
  }

  void waitFor(StepDefinition.Wait wait) {
    flow.requireOpen();
    this.waiting = Optional.of(wait);
    this.configured = true;
  }

  void after(Node<?>... nodes) {
    flow.requireOpen();
    for (Node<?> node : nodes) {
      if (!isMissing(node, "after")) {
        after.add(node.draft);
      }
    }
    this.configured = true;
  }

  /** The wiring is typed: what it is given was decoded as this node's type. */
  @SuppressWarnings("unchecked")
  void compensate(EffectBody<?> body) {
    flow.requireOpen();
    if (isMissing(body, "compensate")) {
      return;
    }
    this.compensation = (EffectBody<@Nullable Object>) body;
    this.configured = true;
  }

  boolean isCompensated() {
    return compensation != null;
  }

  EffectBody<@Nullable Object> compensation() {
    if (compensation == null) {
      throw new IllegalStateException("Step " + key + " cannot be undone");
    }
    return compensation;
  }

  boolean isConfigured() {
    return configured;
  }

  GraphNode toGraphNode() {
    return new GraphNode(
        key,
        kind,
        keys(inputs),
        keys(after).stream().distinct().sorted().toList(),
        place == null ? null : new Arm(place.divert().key, place.arm()),
        arms,
        kind == NodeKind.EXPAND && scope != null ? limit() : 0);
  }

  /** How many elements it may yield, if it is an expand. */
  int limit() {
    return limit.orElse(scope == null ? FanOut.STANDARD : FanOut.STANDARD_INSIDE);
  }

  StepDefinition toStep() {
    return new StepDefinition(
        key,
        kind,
        type,
        retry.orElse(Retry.standard()),
        timeout,
        within,
        calls,
        crashLimit,
        waiting,
        limitedBody());
  }

  private StepDefinition.Body limitedBody() {
    return kind == NodeKind.EXPAND
        ? new FanOut(key, limit(), window.orElse(Integer.MAX_VALUE)).limiting(body)
        : body;
  }

  private static List<String> keys(List<Draft> drafts) {
    return drafts.stream().map(draft -> draft.key).toList();
  }
}
