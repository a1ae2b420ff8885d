package dev.standpipe.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.cli.demo.DemoTables.Committed;
import dev.standpipe.cli.demo.DemoTables.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The demo's promise is worth as much as its audit: it must see every way to break it. */
final class AuditTest {
  private static final StepId RECEIPT = new StepId("order-1", OrderPipeline.RECEIPT, 0);

  private final List<Order> orders = Order.several(4);
  private final List<Committed> results = new ArrayList<>();
  private final List<Ledger.Entry> ledger = new ArrayList<>();

  @BeforeEach
  void allIsWell() {
    for (StepId step : StepId.expected(orders)) {
      results.add(new Committed(step, 1));
      if (step.hasEffect()) {
        ledger.add(effect(step, 1));
      }
    }
  }

  @Test
  void findsNothingWhereAllIsWell() {
    Findings findings = audit(4, 0);

    assertThat(findings.problems()).isEmpty();
    assertThat(findings.steps()).isEqualTo(4 * 4 + 2 + 3 + 4 + 1);
    assertThat(findings.receipts()).isEqualTo(4);
    assertThat(findings.bodiesRepeated()).isZero();
  }

  @Test
  void acceptsAndCountsARepeatedBody() {
    ledger.add(effect(RECEIPT, 2));

    Findings findings = audit(4, 0);

    assertThat(findings.problems()).isEmpty();
    assertThat(findings.bodiesRepeated()).isEqualTo(1);
    assertThat(findings.receipts()).isEqualTo(4);
  }

  @Test
  void seesARunThatDidNotSucceed() {
    assertThat(audit(3, 0).problems()).containsExactly("1 runs did not succeed");
  }

  @Test
  void seesAnUnfinishedStep() {
    assertThat(audit(4, 2).problems()).containsExactly("2 steps are left unfinished");
  }

  @Test
  void seesASecondResult() {
    results.add(new Committed(RECEIPT, 1));

    Findings findings = audit(4, 0);

    assertThat(findings.problems()).containsExactly("1 steps have more than one result");
    assertThat(findings.receipts()).isEqualTo(3);
    assertThat(findings.receiptsDuplicated()).isEqualTo(1);
  }

  @Test
  void seesAMissingResult() {
    results.removeIf(result -> result.step().equals(RECEIPT));

    assertThat(audit(4, 0).problems()).containsExactly("1 steps have no result");
  }

  @Test
  void seesAnUnrequestedStep() {
    StepId stray = new StepId("order-1", OrderPipeline.PACK, 9);
    results.add(new Committed(stray, 1));
    ledger.add(effect(stray, 1));

    assertThat(audit(4, 0).problems())
        .containsExactly("1 steps have a result that nothing asks for");
  }

  @Test
  void seesAResultWithoutAnEffect() {
    ledger.remove(effect(RECEIPT, 1));

    assertThat(audit(4, 0).problems())
        .containsExactly("1 results have a token whose body did nothing");
  }

  @Test
  void seesTwoBodiesWithTheSameToken() {
    ledger.add(effect(RECEIPT, 1));

    assertThat(audit(4, 0).problems())
        .containsExactly("1 steps had two bodies with the same token");
  }

  @Test
  void seesAnIdempotencyKeyThatChanged() {
    ledger.add(new Ledger.Entry(1, OrderPipeline.RECEIPT, 0, "another", 2, 1));

    Findings findings = audit(4, 0);

    assertThat(findings.problems())
        .containsExactly("1 steps got another idempotency key when repeated");
    assertThat(findings.receiptsDuplicated()).isEqualTo(1);
  }

  private Findings audit(int succeeded, int live) {
    return Audit.of(orders, new Evidence(Map.of("succeeded", succeeded), live, 0, results), ledger);
  }

  private static Ledger.Entry effect(StepId step, long token) {
    int order = Integer.parseInt(step.order().substring("order-".length()));
    return new Ledger.Entry(order, step.node(), step.index(), step.toString(), token, 1);
  }
}
