package dev.standpipe.conformance;

import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What users may rely on, through the public API alone, on a real database. A subclass says where
 * databases come from; the tests are in the parts.
 */
public abstract class EngineContract
    implements GraphShapeContract,
        DivertContract,
        EachDivertContract,
        StrategyContract,
        ElementStrategyContract,
        FailedRunContract,
        BarrierContract,
        FanOutContract,
        StreamContract,
        ExpandInsideContract,
        SignalingContract,
        CallContract,
        RetryContract,
        FailureContract,
        EndingContract,
        BodyContract,
        StartingContract,
        TimingContract,
        DelayContract,
        RunContextContract,
        DeadlineContract,
        FinishingContract,
        BadValueContract,
        DeclaredTypeContract,
        VersionContract,
        TakeOverContract,
        SharingContract,
        SuspectContract,
        ReleaseContract,
        CancelingContract,
        OverlapContract,
        RevivingContract,
        RerunContract,
        CallbackContract,
        ChainingContract,
        CompensationContract,
        ForkContract,
        BulkContract,
        SharedRowsEngineContract,
        PausingContract,
        ClosingContract,
        ListenerContract,
        OutageContract,
        AwaitContract,
        IdleContract,
        NullArgumentContract,
        RoleContract,
        TrustContract,
        PublicErrorContract,
        WhereaboutsContract,
        DoctorContract {
  private EngineFixture fixture;

  /** For subclasses. */
  protected EngineContract() {}

  @BeforeEach
  final void open() {
    fixture = new EngineFixture(migratedDatabase());
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
  public final EngineFixture engine() {
    return fixture;
  }
}
