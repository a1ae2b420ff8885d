package dev.standpipe.conformance;

import dev.standpipe.conformance.engine.AwaitContract;
import dev.standpipe.conformance.engine.BodyContract;
import dev.standpipe.conformance.engine.CheckpointContract;
import dev.standpipe.conformance.engine.ClosingContract;
import dev.standpipe.conformance.engine.DeadlineContract;
import dev.standpipe.conformance.engine.EndingContract;
import dev.standpipe.conformance.engine.FailureContract;
import dev.standpipe.conformance.engine.IdleContract;
import dev.standpipe.conformance.engine.ListenerContract;
import dev.standpipe.conformance.engine.NullArgumentContract;
import dev.standpipe.conformance.engine.OnceContract;
import dev.standpipe.conformance.engine.OutageContract;
import dev.standpipe.conformance.engine.OverlapContract;
import dev.standpipe.conformance.engine.ProgressContract;
import dev.standpipe.conformance.engine.PublicErrorContract;
import dev.standpipe.conformance.engine.RetryContract;
import dev.standpipe.conformance.engine.RoleContract;
import dev.standpipe.conformance.engine.SharedRowsEngineContract;
import dev.standpipe.conformance.engine.SharingContract;
import dev.standpipe.conformance.engine.StartingContract;
import dev.standpipe.conformance.engine.SuspectContract;
import dev.standpipe.conformance.engine.TimingContract;
import dev.standpipe.conformance.engine.TrustContract;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.conformance.flow.BadValueContract;
import dev.standpipe.conformance.flow.BarrierContract;
import dev.standpipe.conformance.flow.CallContract;
import dev.standpipe.conformance.flow.CallbackContract;
import dev.standpipe.conformance.flow.ChainingContract;
import dev.standpipe.conformance.flow.CompensationContract;
import dev.standpipe.conformance.flow.DeclaredTypeContract;
import dev.standpipe.conformance.flow.DelayContract;
import dev.standpipe.conformance.flow.DivertContract;
import dev.standpipe.conformance.flow.EachDivertContract;
import dev.standpipe.conformance.flow.ElementStrategyContract;
import dev.standpipe.conformance.flow.ExpandInsideContract;
import dev.standpipe.conformance.flow.FailedRunContract;
import dev.standpipe.conformance.flow.FanOutContract;
import dev.standpipe.conformance.flow.FinishingContract;
import dev.standpipe.conformance.flow.GraphShapeContract;
import dev.standpipe.conformance.flow.LoopContract;
import dev.standpipe.conformance.flow.RunContextContract;
import dev.standpipe.conformance.flow.SignalingContract;
import dev.standpipe.conformance.flow.StrategyContract;
import dev.standpipe.conformance.flow.StreamContract;
import dev.standpipe.conformance.operate.BulkContract;
import dev.standpipe.conformance.operate.CancelingContract;
import dev.standpipe.conformance.operate.DoctorContract;
import dev.standpipe.conformance.operate.ForkContract;
import dev.standpipe.conformance.operate.LoopOperationContract;
import dev.standpipe.conformance.operate.OutboxContract;
import dev.standpipe.conformance.operate.PausingContract;
import dev.standpipe.conformance.operate.ReleaseContract;
import dev.standpipe.conformance.operate.RerunContract;
import dev.standpipe.conformance.operate.RevivingContract;
import dev.standpipe.conformance.operate.ScheduleContract;
import dev.standpipe.conformance.operate.TakeOverContract;
import dev.standpipe.conformance.operate.VersionContract;
import dev.standpipe.conformance.operate.WhereaboutsContract;
import dev.standpipe.conformance.transaction.TransactionBridgeContract;
import dev.standpipe.conformance.transaction.TransactionGuardContract;
import dev.standpipe.conformance.transaction.TransactionalContract;
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
        LoopContract,
        LoopOperationContract,
        RunContextContract,
        OnceContract,
        CheckpointContract,
        ProgressContract,
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
        ScheduleContract,
        OutboxContract,
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
        DoctorContract,
        TransactionalContract,
        TransactionGuardContract,
        TransactionBridgeContract {
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
