package dev.standpipe.conformance;

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
