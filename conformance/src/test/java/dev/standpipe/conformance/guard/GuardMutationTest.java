package dev.standpipe.conformance.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.standpipe.conformance.StoppedRuns;
import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.server.PostgresServer;
import dev.standpipe.conformance.server.SqliteFile;
import dev.standpipe.conformance.store.process.ProcessContract;
import dev.standpipe.conformance.store.process.SuspectGroupContract;
import dev.standpipe.conformance.store.run.CancelContract;
import dev.standpipe.conformance.store.run.ChainContract;
import dev.standpipe.conformance.store.run.ExpiryContract;
import dev.standpipe.conformance.store.run.FinishContract;
import dev.standpipe.conformance.store.run.FollowContract;
import dev.standpipe.conformance.store.run.HaltContract;
import dev.standpipe.conformance.store.run.PauseContract;
import dev.standpipe.conformance.store.run.ReviveContract;
import dev.standpipe.conformance.store.run.StartContract;
import dev.standpipe.conformance.store.task.ChunkContract;
import dev.standpipe.conformance.store.task.ClaimContract;
import dev.standpipe.conformance.store.task.ContextContract;
import dev.standpipe.conformance.store.task.FanInContract;
import dev.standpipe.conformance.store.task.LedgerContract;
import dev.standpipe.conformance.store.task.SettleContract;
import dev.standpipe.conformance.store.task.SharedRowsContract;
import dev.standpipe.conformance.store.task.SharedRowsLostContract;
import dev.standpipe.conformance.store.task.SharedRowsPartedContract;
import dev.standpipe.conformance.store.task.SharedRowsStartContract;
import dev.standpipe.conformance.store.task.SubStepContract;
import dev.standpipe.conformance.store.task.ToleratedContract;
import dev.standpipe.conformance.store.task.TurnContract;
import dev.standpipe.conformance.store.task.WideExpandContract;
import dev.standpipe.internal.port.Store;
import dev.standpipe.internal.store.jdbc.Sql;
import dev.standpipe.internal.store.jdbc.Tables;
import dev.standpipe.internal.store.schema.RunTables;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Takes the guards out of the stores' SQL, one by one, and runs a part of the store's contract on
 * what is left: it must notice. Those that it cannot notice are listed with the reason.
 */
@TestInstance(Lifecycle.PER_CLASS)
class GuardMutationTest {
  private static final int CONNECTIONS = 12;
  private static final String RACE = "reapers";
  private static final Map<String, Consumer<Contract>> CHECKS = checks();
  private static final GuardKillers KILLERS = new GuardKillers();

  private final SqliteFile file = SqliteFile.create();
  private final HikariDataSource pool =
      PostgresServer.pool(
          PostgresServer.hasty().freshDatabase(), CONNECTIONS, Duration.ofSeconds(30));
  private final Map<String, DataSource> sources =
      Map.of("postgres", pool, "sqlite", file.dataSource());
  private final Map<String, Sql> whole = new HashMap<>();
  private final Map<Needs, Overheard> overheard = new HashMap<>();
  private final List<String> failures = new ArrayList<>();

  /** How steps are settled: one by itself may go another way than many. */
  private enum Way {
    ALONE,
    ACCOMPANIED;

    Store through(Store store) {
      return this == ACCOMPANIED ? Company.of(store) : store;
    }
  }

  /** What is known of a check on one of the databases. */
  private record Needs(String dialect, String check, Way way) {}

  /** The contract on a store that may be broken. */
  private record Contract(StoreFixture db)
      implements SettleContract,
          ClaimContract,
          FanInContract,
          ChunkContract,
          WideExpandContract,
          SharedRowsContract,
          SharedRowsStartContract,
          SharedRowsPartedContract,
          SharedRowsLostContract,
          HaltContract,
          CancelContract,
          PauseContract,
          ContextContract,
          SubStepContract,
          ExpiryContract,
          FinishContract,
          FollowContract,
          ChainContract,
          ReviveContract,
          ToleratedContract,
          LedgerContract,
          TurnContract,
          ProcessContract,
          SuspectGroupContract,
          StartContract {
    @Override
    public DataSource emptyDatabase() {
      throw new UnsupportedOperationException("These checks share a database");
    }
  }

  private static Map<String, Consumer<Contract>> checks() {
    Map<String, Consumer<Contract>> checks = new LinkedHashMap<>();
    checks.put("old token", Contract::anOldTokenChangesNothing);
    checks.put("recorded turn", Contract::theLedgerFindsATurnByItsToken);
    checks.put("old turns", Contract::oldTurnsGoWithTheirFailedTries);
    checks.put("stranger", Contract::aStrangerChangesNothing);
    checks.put("reaped", Contract::theOldOwnerCannotSettleAReapedTask);
    checks.put("settled", Contract::aSettledTaskCannotBeSettledAgain);
    checks.put("not leased", Contract::anUnleasedTaskCannotBeSettled);
    checks.put("hand-over", Contract::aChainHandsItsTaskOnUnderANewToken);
    checks.put("next for all", Contract::aChainMayLeaveItsNextStepReady);
    checks.put("claimed", Contract::aLeasedTaskIsNotClaimedAgain);
    checks.put("reaped claims", Contract::aReapedProcessClaimsNothing);
    checks.put("reaped suspects", Contract::aReapedProcessClaimsNoSuspects);
    checks.put("definition", Contract::aStartRefusesAMissingDefinition);
    checks.put("token rises", Contract::everyClaimRaisesTheToken);
    checks.put("last arrival", Contract::theLastArrivalOpensItsTarget);
    checks.put("elements", Contract::aFanInWaitsForEveryElementOfAnExpand);
    checks.put("chunk", Contract::aChunkAddsElementsAndRaisesTheExpandsToken);
    checks.put("chunk after a crash", Contract::aChunkResetsTheCrashCount);
    checks.put("chunks", Contract::theLastElementTellsTheProgressOfAnExpand);
    checks.put("window", Contract::liveStepsAreCountedUpToALimit);
    checks.put("wide", Contract::wideExpandElementsAreClaimedOnceInOrder);
    checks.put("wide turn", Contract::elementsWaitTheirTurnAmongOtherRuns);
    checks.put("wide share", Contract::claimsTakeEachLanesShareOfElements);
    checks.put("wide live", Contract::elementsWithoutOwnRowsCountAsReadyAndLive);
    checks.put("together", Contract::runsOnSharedRowsAreClaimedOnceInOrder);
    checks.put("together once", Contract::aBatchSettlesAWholeClaimOnce);
    checks.put("together stranger", Contract::onlyTheLeaseHolderSettlesATask);
    checks.put("together next", Contract::nextStepsStayLeasedOrBecomeReady);
    checks.put("together marked", Contract::endedRunsWithFollowUpsAreMarked);
    checks.put("together one by one", Contract::claimedTasksSettleOneByOneInAnyOrder);
    checks.put("together canceled", Contract::canceledRunsStartNoNextStep);
    checks.put("together turn", Contract::runsKeepTheirPlaceWhenNeighboursStop);
    checks.put("together given back", Contract::aLeavingProcessReleasesUnsettledTasksUncounted);
    checks.put("halting", Contract::aHaltingRunEndsWithItsLastLease);
    checks.put("siblings", Contract::aHaltingRunRecordsTheSiblingsResult);
    checks.put("reason", Contract::aFailingSiblingKeepsTheHaltReason);
    checks.put("last of a halt", Contract::theLastStepOfAHaltingRunIsDrained);
    checks.put("not halting", Contract::finishStoppingLeavesRunningRunsAlone);
    checks.put("recorded", Contract::staleSettlementsAreNotRecorded);
    checks.put("failed tries", Contract::aFailureIsRecordedUnderItsOwnToken);
    checks.put("lease", Contract::aLiveLeaseIsNotReaped);
    checks.put("outage", Contract::theReaperWaitsALeaseAfterAnOutage);
    checks.put("itself", Contract::aProcessNeverReapsItself);
    checks.put("dead", Contract::theReaperReadiesTasksWithOneCrashEach);
    checks.put("others' tasks", Contract::theReaperLeavesOtherProcessesAlone);
    checks.put("crashes", Contract::crashesAddUpUntilTheStepMakesProgress);
    checks.put("suspects", Contract::aCrashHalvesTheGroupAndChargesNoSuspect);
    checks.put("with too many", Contract::suspectsKeepTheirGroupLimit);
    checks.put("renewal", Contract::aReapedProcessCannotRenew);
    checks.put("others' leases", Contract::aRenewalExtendsOneLeaseOnly);
    checks.put("orphans", Contract::theReaperRecoversTasksOfAGoneProcess);
    checks.put("keys", Contract::aSecondStartWithOneKeyStartsNothing);
    checks.put("batch keys", Contract::aBatchStartsOnlyFreshKeys);
    checks.put("delay", Contract::tasksNotYetDueAreNotPromoted);
    checks.put("follower", Contract::theNextStepStartsWithoutCrashes);
    checks.put("halting guard", Contract::aHaltingRunRefusesOldTokensAndStrangers);
    checks.put("grace", Contract::aCanceledRunRecordsResultsWithinTheGrace);
    checks.put("cut off", Contract::aBodyCutOffByACancelCannotSettle);
    checks.put("cancel twice", Contract::aSecondCancelChangesNothing);
    checks.put("cancel late", Contract::aCancelLeavesEndedRunsAlone);
    checks.put("revive late", Contract::aStaleReviveIsRefused);
    checks.put("revived tokens", Contract::aReviveNeverReusesAToken);
    checks.put("put off", Contract::theStoreRemembersThatAStepSnoozed);
    checks.put("skipped while paused", Contract::aHaltedRunSkipsAPausedDownstream);
    checks.put("context", Contract::aContextKeyIsSetOnceUnlessReplaced);
    checks.put("sub-step", Contract::theNextTryGetsWhatTheLastOneWrote);
    checks.put("stranger's sub-step", Contract::nobodyElseWritesForATry);
    checks.put("late sub-step", Contract::aTryThatHasEndedWritesNothing);
    checks.put("sub-step again", Contract::aWriteThatIsSentAgainCountsAsWritten);
    checks.put("earlier sub-step", Contract::whatAnEarlierTryHasStoredIsNotReplaced);
    checks.put("progress", Contract::theLastReportOfAStepIsShown);
    checks.put("overdue", Contract::onlyRunsWithADeadlineAreEverOverdue);
    checks.put("in time", Contract::anEndedRunForgetsItsDeadline);
    checks.put("late", Contract::anOverdueRunGivesItsBodiesAGrace);
    checks.put("finishing", Contract::aFinishingRunIsNeitherCanceledNorOverdue);
    checks.put("marked", Contract::aFollowedRunIsMarkedWhenItEnds);
    checks.put("halt marked", Contract::haltedAndCanceledRunsAreMarked);
    checks.put("undone", Contract::aCompensatingRunCompletesTheRunItUndoes);
    checks.put("last upstream", Contract::aRunWaitsForItsLastUpstream);
    checks.put("waits again", Contract::aPausedRunWaitsAgainWhenResumed);
    checks.put("paused and released", Contract::aPausedRunThatWaitedBeginsWhenResumed);
    checks.put("counted once", Contract::anEndCountsOnceBeforeItsFollowUp);
    checks.put("paused", Contract::aPausedRunParksItsNextSteps);
    checks.put("paused chain", Contract::aBatchParksOnlyChainsOfPausedRuns);
    checks.put("paused last", Contract::theLastStepOfAPausedRunEndsIt);
    checks.put("paused end", Contract::anEndedRunLosesItsPauseMark);
    checks.put("paused revive", Contract::aRunFailedWhilePausedContinuesWhenRevived);
    checks.put("paused late", Contract::anEndedRunIsNotPaused);
    checks.put("paused twice", Contract::aSecondPauseAndASecondResumeChangeNothing);
    checks.put("reaped start", Contract::runsStartedByAReapedProcessAreReady);
    checks.put("paused retry", Contract::aRetryOfAPausedRunComesDueAndWaits);
    checks.put("paused claim", Contract::aReapedTaskOfAPausedRunIsParked);
    checks.put("paused suspect", Contract::aSuspectStaysSuspectThroughAPause);
    checks.put("paused token", Contract::aPausedRunRefusesOldTokensAndStrangers);
    checks.put("paused cancel", Contract::aCanceledPausedRunRevivesWithoutItsPause);
    checks.put("tolerated", Contract::aRunWithAToleratedFailureEndsFailed);
    checks.put("tolerated twice", Contract::twoFailedElementsTolerateTheirNodeOnce);
    checks.put("not tolerated", Contract::aLenientRunWithoutFailuresSucceeds);
    checks.put("failed or lost", Contract::endingsTellFailedNodesFromLostNodes);
    checks.put("revived whole", Contract::aReviveForgetsFailuresAndLostSteps);
    checks.put("failed marked", Contract::aFailedRunIsMarkedAndCanBeRevived);
    // the slow one comes last, when no other has noticed
    checks.put(RACE, Contract::racingReapersReapAProcessOnce);
    return checks;
  }

  /** Runs all checks on what is not broken, and hears which statements each of them needs. */
  @BeforeAll
  void listen() {
    sources.forEach(
        (dialect, source) -> {
          StoreFixture.in(source).close();
          Sql sql = new Sql(dialect, Tables.DEFAULT);
          whole.put(dialect, sql);
          CHECKS.forEach(
              (name, check) -> {
                for (Way way : Way.values()) {
                  Needs needs = new Needs(dialect, name, way);
                  Overheard heard = new Overheard(source);
                  failure(check, heard.dataSource(), sql, way)
                      .ifPresent(e -> failures.add(needs + ": " + e));
                  overheard.put(needs, heard);
                }
              });
        });
  }

  @AfterAll
  void delete() {
    pool.close();
    file.close();
  }

  static List<GuardMutant> killed() {
    return GuardMutants.killed();
  }

  static List<GuardMutant> survivors() {
    return GuardMutants.survivors();
  }

  @Test
  void theChecksPassOnTheIntactSql() {
    assertThat(failures).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("killed")
  void aCheckNoticesAMissingGuard(GuardMutant mutant) throws SQLException {
    Sql broken = broken(mutant);
    isStillSql(mutant, broken);
    Optional<String> killer = firstToFail(mutant, broken, KILLERS.likeliestFirst(mutant, CHECKS));
    assertThat(killer).as(mutant.breaks()).isPresent();
    KILLERS.found(mutant, killer.get());
  }

  /** One that is noticed after all belongs to the others. */
  @ParameterizedTest
  @MethodSource("survivors")
  void aRedundantGuardMayGo(GuardMutant mutant) throws SQLException {
    Sql broken = broken(mutant);
    isStillSql(mutant, broken);
    assertThat(firstToFail(mutant, broken, withoutRace())).as(mutant.breaks()).isEmpty();
  }

  @Test
  void aMutantOfChangedSqlIsReported() {
    GuardMutant mutant = GuardMutant.of("sqlite", "task_claim", "no such words", "", "");
    assertThatThrownBy(() -> mutant.edit("task_claim", "update standpipe.task"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("no such words");
  }

  private static Map<String, Consumer<Contract>> withoutRace() {
    Map<String, Consumer<Contract>> checks = new LinkedHashMap<>(CHECKS);
    checks.remove(RACE);
    return checks;
  }

  private static Sql broken(GuardMutant mutant) {
    return new Sql(mutant.dialect(), Tables.DEFAULT, mutant::edit);
  }

  /**
   * The name of the check. One that does not need the broken statement runs as if nothing were
   * broken.
   */
  private Optional<String> firstToFail(
      GuardMutant mutant, Sql broken, Map<String, Consumer<Contract>> checks) {
    String statement = whole.get(mutant.dialect()).get(mutant.statement()).text();
    DataSource source = sources.get(mutant.dialect());
    for (Map.Entry<String, Consumer<Contract>> check : checks.entrySet()) {
      for (Way way : Way.values()) {
        if (overheard.get(new Needs(mutant.dialect(), check.getKey(), way)).has(statement)) {
          if (failure(check.getValue(), source, broken, way).isPresent()) {
            return Optional.of(check.getKey());
          }
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<String> failure(
      Consumer<Contract> check, DataSource source, Sql sql, Way way) {
    try (StoreFixture store = StoreFixture.on(source, sql, way::through)) {
      clear(store);
      check.accept(new Contract(store));
      if (isPostgres(store)) {
        StoppedRuns.assertListed(source);
      }
      return Optional.empty();
    } catch (AssertionError | RuntimeException e) {
      return Optional.of(e.toString());
    } catch (SQLException e) {
      throw new IllegalStateException("Cannot clear the tables", e);
    }
  }

  private static boolean isPostgres(StoreFixture store) {
    return store.dialect().name().equals("postgres");
  }

  /** In one transaction, as each would have to reach the disk, and in one go where that can be. */
  private static void clear(StoreFixture store) throws SQLException {
    List<String> tables = RunTables.names(store.dialect());
    tables.addAll(List.of("serving", "process"));
    List<String> deletes = tables.stream().map(table -> "delete from standpipe_" + table).toList();
    if (isPostgres(store)) {
      deletes = List.of(String.join(";", deletes));
    }
    try (Connection connection = store.source().getConnection();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      for (String delete : deletes) {
        statement.execute(delete);
      }
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  /** A statement that no longer parses would be noticed by anything. */
  private void isStillSql(GuardMutant mutant, Sql broken) throws SQLException {
    try (Connection connection = sources.get(mutant.dialect()).getConnection()) {
      Sql.Statement statement = broken.get(mutant.statement());
      try (PreparedStatement prepared = connection.prepareStatement(statement.text())) {
        assertThat(prepared.getParameterMetaData().getParameterCount())
            .isEqualTo(statement.parameters().size());
      }
    }
  }
}
