package dev.standpipe.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs every example as a reader would, and looks at what it prints. */
@Timeout(120)
class ExamplesTest {
  @Test
  void anOrderIsChargedPackedAndReceipted() throws Exception {
    assertThat(output(OrderExample::main))
        .startsWith("flowchart TD")
        .contains(
            "Receipt[payment=Payment[reference=paid-17],"
                + " label=Label[text=3 parcels: [cup, pot, tea]]]");
  }

  @Test
  void aFanOutCollapsesInOrder() throws Exception {
    assertThat(output(FanOutExample::main).lines().toList())
        .containsExactly("[3, 1, 4] words, 8 in all", "[] words, 0 in all");
  }

  @Test
  void aReduceAddsUpItsElements() throws Exception {
    assertThat(output(ReduceExample::main))
        .startsWith("333833500")
        .contains("The expand \"numbers\" yielded 6,000 elements, and its limit is 5,000");
  }

  @Test
  void aStreamGoesThroughAWindow() throws Exception {
    assertThat(output(StreamExample::main).lines().toList())
        .containsExactly("3 kinds of 10,000 readings: cold 3334, mild 3333, warm 3333");
  }

  @Test
  void anInnerExpandCollapsesPerOuterElement() throws Exception {
    assertThat(output(ExpandInsideExample::main).lines().toList())
        .containsExactly("[cup+pot, tea]", "[]");
  }

  @Test
  void joinsBringTheirValuesTogether() throws Exception {
    assertThat(output(JoinExample::main).lines().toList())
        .containsExactly("Thanks, all. A kettle from Offer[shop=west, price=24]");
  }

  @Test
  void aDivertTakesOneArm() throws Exception {
    assertThat(output(DivertExample::main))
        .contains("-->|small|")
        .contains("ann: paid 30, 5 steps skipped")
        .contains("bob: paid 200, 2 steps skipped")
        .contains("cy: to court, 2 steps skipped");
  }

  @Test
  void elementsTakeTheirOwnArms() throws Exception {
    assertThat(output(EachDivertExample::main))
        .contains("-->|letter|")
        .contains("Oslo by post, 4 kg by truck")
        .contains("skipped: load of 0", "skipped: weigh of 0", "skipped: stamp of 1");
  }

  @Test
  void aBarrierHoldsBackLaterSteps() throws Exception {
    assertThat(output(BarrierExample::main).lines().toList())
        .contains("stock off", "till off")
        .endsWith("moved 3");
  }

  @Test
  void aRunWaitsForAPaymentAndAPerson() throws Exception {
    assertThat(output(SignalExample::main).lines().toList())
        .contains("  n1((\"paid\"))")
        .endsWith(
            "taken: true",
            "taken again: false",
            "tea for 12, said ann",
            "pot for 0, refused by bob");
  }

  @Test
  void aRunCallsBackAtItsEnd() throws Exception {
    assertThat(output(CallbackExample::main).lines().toList())
        .containsExactly("printed 3", "failed at print", "HALTED, 1");
  }

  @Test
  void chainedRunsWaitAndSkipTogether() throws Exception {
    assertThat(output(ChainExample::main).lines().toList())
        .containsExactly("report of 6 orders", "archived", "HALTED, then SKIPPED and SKIPPED");
  }

  @Test
  void compensationGivesBackTheLastBookingFirst() throws Exception {
    assertThat(output(CompensationExample::main))
        .contains("-. compensate .->")
        .contains("booked flight, booked hotel, gave back hotel, gave back flight")
        .endsWith("COMPENSATED\n");
  }

  @Test
  void aRunCallsOtherRunsAndUsesTheirResults() throws Exception {
    assertThat(output(CallExample::main).lines().toList())
        .contains("  n2[[\"pack-each\"]]")
        .endsWith("packed cup, packed pot", "2 called runs, each knows its caller: true");
  }

  @Test
  void aRetryLeavesItsAttemptsOnRecord() throws Exception {
    assertThat(output(RetryExample::main).lines().toList())
        .hasSize(5)
        .containsSequence(
            "content of https://example.org",
            "attempt 1 FAILED: connection reset",
            "attempt 2 FAILED: connection reset",
            "attempt 3 SUCCEEDED")
        .last()
        .asString()
        .contains("ended halted (retries exhausted)")
        .contains("step \"download\" failed on attempt 1")
        .contains("java.lang.IllegalArgumentException: \"not a URL\" is no https address");
  }

  @Test
  void aCanceledRunSaysWhoAndWhy() throws Exception {
    assertThat(output(CancelExample::main).lines().toList())
        .containsExactly(
            "CANCELED, Cancellation[by=ann, reason=out of stock for good]",
            "again: CANCELED",
            "kettle is on its way",
            "refused: it has SUCCEEDED");
  }

  @Test
  void aRevivedRunContinuesAndARerunStartsOver() throws Exception {
    assertThat(output(ReviveExample::main).lines().toList())
        .containsExactly(
            "writing to Ada",
            "HALTED at attempt 2",
            "printed: Dear Ada",
            "writing to Ada",
            "printed: Dear Ada",
            "linked: true");
  }

  @Test
  void aRunOutlivesFailures() throws Exception {
    assertThat(output(StrategyExample::main).lines().toList())
        .containsExactly(
            "sent about otters, without a picture",
            "FAILED, 2 steps failed",
            "bill: UPSTREAM_FAILED",
            "draw: FAILED",
            "sell: FAILED",
            "send: SUCCEEDED",
            "write: SUCCEEDED");
  }

  @Test
  void aBodyMaySnoozeOrFailNow() throws Exception {
    assertThat(output(EndingExample::main).lines().toList())
        .hasSize(4)
        .startsWith("charged 4111", "attempt 1 SNOOZED", "attempt 1 SUCCEEDED")
        .last()
        .asString()
        .startsWith("FAILED_NOW: ")
        .endsWith("failed on attempt 1 with dev.standpipe.Fail: the card was reported stolen");
  }

  @Test
  void aReminderComesWhenDue() throws Exception {
    assertThat(output(DelayExample::main))
        .contains(">\"time-to-object\"]", ">\"due\"]")
        .contains("mail to ada", "not before it was due: true");
  }

  @Test
  void aLoopPollsUntilTheReportIsReady() throws Exception {
    assertThat(output(LoopExample::main).lines().toList())
        .containsExactly(
            "mailed the report of june",
            "turn 1: Ordered[id=june, looks=1]",
            "turn 2: Ordered[id=june, looks=2]",
            "turn 3: Ordered[id=june, looks=3]");
  }

  @Test
  void aStepLeavesAValueInTheContext() throws Exception {
    assertThat(output(ContextExample::main).lines().toList())
        .containsExactly("Good day, Ada", "Guten Tag, Emmy");
  }

  @Test
  void schedulesStartRunsByThemselves() throws Exception {
    assertThat(output(ScheduleExample::main))
        .contains("report of ")
        .contains("nightly-billing: 0 0 2 * * * Europe/Berlin");
  }

  @Test
  void aBookingAndItsStepAreCommittedTogether() throws Exception {
    assertThat(output(TransactionalExample::main))
        .contains("the first body wrote a booking and failed")
        .contains("bookings: 1, tickets: 1");
  }

  @Test
  void eventsAreCommittedWithTheirStepAndPublished() throws Exception {
    assertThat(output(OutboxExample::main))
        .contains("order.paid of order-17: {\"order\":\"order-17\",\"cents\":1700}")
        .contains("order.shipped of order-17: \"by truck\"")
        .contains("\"specversion\":\"1.0\"");
  }

  @Test
  void aSecondTryMakesNoCallAgain() throws Exception {
    assertThat(output(OnceExample::main).lines().toList())
        .containsSubsequence(
            "created an invoice for ann",
            "attempt 1 books tea",
            "attempt 1 books milk",
            "attempt 2 books bread",
            "sub-step invoice",
            "sub-step mail")
        .doesNotContain("attempt 2 books tea", "attempt 2 books milk")
        .doesNotHaveDuplicates();
  }

  @Test
  void aDeadlineHaltsTheRun() throws Exception {
    assertThat(output(DeadlineExample::main)).contains("ended halted (deadline)");
  }

  @Test
  void theFirstGoodQuoteEndsTheSearch() throws Exception {
    assertThat(output(FinishRunExample::main).lines().toList())
        .containsExactly("the first good one: Quote[shop=west, price=18]", "SUCCEEDED by ask");
  }

  @Test
  void aForkTakesOverEarlierResults() throws Exception {
    assertThat(output(ForkExample::main).lines().toList())
        .containsExactly(
            "asking for a quote to Graz",
            "Dear customer, yours for 160",
            "Dear customer, yours for 99",
            "forked at offer",
            "the original: Dear customer, yours for 160",
            "refused: NOT_FORKABLE");
  }

  @Test
  void newCodeTakesOverOldRuns() throws Exception {
    assertThat(output(TakeOverExample::main).lines().toList())
        .containsExactly(
            "new code: [[node \"charge\" is missing, unless it was renamed]]",
            "told of the name: []",
            "begun before: paid",
            "begun after: paid with thanks");
  }

  @Test
  void aPausedRunWaits() throws Exception {
    assertThat(output(PauseExample::main).lines().toList())
        .containsExactly(
            "the first is PAUSED",
            "paused: cake, since the oven is too hot",
            "a gugelhupf with cherries",
            "a sachertorte with cherries",
            "refused: NOT_PAUSED");
  }

  @Test
  void manyRunsAreRevivedAtOnce() throws Exception {
    assertThat(output(BulkExample::main).lines().toList())
        .containsExactly(
            "the printer is out of paper",
            "the printer is out of paper",
            "the printer is out of paper",
            "2 would be revived",
            "2 revived",
            "to Graz",
            "to Linz",
            "Oslo is HALTED",
            "1 started again");
  }

  @Test
  void aStartWithAKeyHappensOnce() throws Exception {
    assertThat(output(IdempotentStartExample::main).lines().toList())
        .containsExactly("the same run: true", "its result: 49", "refused: DUPLICATE_KEY");
  }

  @Test
  void aRunStartedInATransactionSharesItsFate() throws Exception {
    assertThat(output(TransactionalStartExample::main).lines().toList())
        .containsExactly("rolled back: no such run", "committed: Welcome, Grace");
  }

  @Test
  void aBulkStartStartsEachRunOnce() throws Exception {
    assertThat(output(BulkStartExample::main).lines().toList())
        .containsExactly("1000 runs, the sum of their results is 999000", "the same runs: true");
  }

  @Test
  void aClientNeedsOnlyTheNameOfAPipeline() throws Exception {
    assertThat(output(ClientExample::main))
        .contains("as the client sees it: {text=Oslo to Bergen, price=42}")
        .contains("as the worker sees it: Ticket[text=Oslo to Bergen, price=42]")
        .contains("labelled {customer=acme}")
        .contains("No process has ever served a pipeline named \"book-flight\"");
  }

  @Test
  void aKilledChildsWorkContinuesBeforeItsLeaseExpires() throws Exception {
    assertThat(output(SupervisorExample::main).lines().toList())
        .containsExactly("200 runs succeeded", "long before a lease ran out");
  }

  @Test
  void anExampleRunsOnTheGivenDatabase(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("given.db");
    assertThat(output(args -> FanOutExample.main("jdbc:sqlite:" + file))).contains("8 in all");
    assertThat(file).isNotEmptyFile();
  }

  @FunctionalInterface
  private interface Main {
    void run(String... args) throws Exception;
  }

  private static String output(Main main) throws Exception {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    try (PrintStream capture = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
      System.setOut(capture);
      main.run();
    } finally {
      System.setOut(before);
    }
    return printed.toString(StandardCharsets.UTF_8);
  }
}
