package dev.standpipe.conformance;

import dev.standpipe.conformance.fixture.StoreFixture;
import dev.standpipe.conformance.store.process.CrashContract;
import dev.standpipe.conformance.store.process.NeedsContract;
import dev.standpipe.conformance.store.process.ProcessContract;
import dev.standpipe.conformance.store.process.QuarantineContract;
import dev.standpipe.conformance.store.process.SuspectGroupContract;
import dev.standpipe.conformance.store.run.CancelContract;
import dev.standpipe.conformance.store.run.ChainContract;
import dev.standpipe.conformance.store.run.DefinitionContract;
import dev.standpipe.conformance.store.run.ExpiryContract;
import dev.standpipe.conformance.store.run.FinishContract;
import dev.standpipe.conformance.store.run.FollowContract;
import dev.standpipe.conformance.store.run.HaltContract;
import dev.standpipe.conformance.store.run.PauseContract;
import dev.standpipe.conformance.store.run.PauseRaceContract;
import dev.standpipe.conformance.store.run.ReviveContract;
import dev.standpipe.conformance.store.run.RunQueriesContract;
import dev.standpipe.conformance.store.run.SchemaContract;
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
import dev.standpipe.conformance.store.task.SharedRowsRaceContract;
import dev.standpipe.conformance.store.task.SharedRowsStartContract;
import dev.standpipe.conformance.store.task.SignalContract;
import dev.standpipe.conformance.store.task.SkipContract;
import dev.standpipe.conformance.store.task.SubStepContract;
import dev.standpipe.conformance.store.task.ToleratedContract;
import dev.standpipe.conformance.store.task.TurnContract;
import dev.standpipe.conformance.store.task.WideExpandContract;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What every store must do, on a real database. A subclass says where databases come from; the
 * tests are in the parts, one for each thing a store does.
 */
public abstract class StoreContract
    implements DefinitionContract,
        StartContract,
        RunQueriesContract,
        ClaimContract,
        SettleContract,
        TurnContract,
        SkipContract,
        ToleratedContract,
        ChunkContract,
        WideExpandContract,
        SharedRowsContract,
        SharedRowsStartContract,
        SharedRowsPartedContract,
        SharedRowsLostContract,
        SharedRowsRaceContract,
        SignalContract,
        SubStepContract,
        FanInContract,
        ContextContract,
        HaltContract,
        CancelContract,
        PauseContract,
        PauseRaceContract,
        ExpiryContract,
        FinishContract,
        ReviveContract,
        FollowContract,
        ChainContract,
        LedgerContract,
        ProcessContract,
        NeedsContract,
        CrashContract,
        SuspectGroupContract,
        QuarantineContract,
        SchemaContract {
  private StoreFixture fixture;

  /** For subclasses. */
  protected StoreContract() {}

  @BeforeEach
  final void open() {
    fixture = StoreFixture.on(migratedDatabase());
  }

  @AfterEach
  final void close() {
    fixture.close();
  }

  /** A database with nothing in it, different for every call. */
  @Override
  public abstract DataSource emptyDatabase();

  /** A database with the tables of this version and nothing in them, different for every call. */
  public abstract DataSource migratedDatabase();

  @Override
  public final StoreFixture db() {
    return fixture;
  }
}
