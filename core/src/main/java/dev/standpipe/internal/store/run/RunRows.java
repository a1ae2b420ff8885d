package dev.standpipe.internal.store.run;

import dev.standpipe.HaltReason;
import dev.standpipe.RunStatus;
import dev.standpipe.definition.EndCallback;
import dev.standpipe.info.AttemptInfo;
import dev.standpipe.info.AttemptOutcome;
import dev.standpipe.info.Cancellation;
import dev.standpipe.info.ForkPoint;
import dev.standpipe.info.PendingStep;
import dev.standpipe.info.RunInfo;
import dev.standpipe.info.RunLinks;
import dev.standpipe.info.RunLinks.EndCallbackRun;
import dev.standpipe.info.StepError;
import dev.standpipe.info.StepId;
import dev.standpipe.info.StepInfo;
import dev.standpipe.info.StepProgress;
import dev.standpipe.info.StepState;
import dev.standpipe.internal.Labels;
import dev.standpipe.internal.store.jdbc.Column;
import dev.standpipe.internal.store.jdbc.Micros;
import dev.standpipe.internal.store.jdbc.Words;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads runs and their tries from rows. */
final class RunRows {
  private static final UUID NOBODY = new UUID(0, 0);

  private RunRows() {}

  static StepInfo stepInfo(ResultSet row) throws SQLException {
    return new StepInfo(
        row.getString("node"),
        row.getInt("idx"),
        Words.parse(StepState.class, row.getString("state")),
        row.getInt("attempt"),
        row.getInt("crashes"),
        row.getLong("token"),
        row.getInt("turn"),
        row.getInt("sub_steps"),
        progress(row));
  }

  private static Optional<StepProgress> progress(ResultSet row) throws SQLException {
    Long reported = Column.longOrNull(row, "reported_us");
    return reported == null
        ? Optional.empty()
        : Optional.of(
            new StepProgress(
                row.getLong("done"),
                row.getLong("total"),
                row.getString("note"),
                Micros.instant(reported)));
  }

  private static RunStatus status(ResultSet row) throws SQLException {
    return Words.parse(RunStatus.class, row.getString("status"));
  }

  private static Optional<Cancellation> cancellation(ResultSet row) throws SQLException {
    String by = row.getString("actor");
    return by == null
        ? Optional.empty()
        : Optional.of(new Cancellation(by, row.getString("reason")));
  }

  private static Optional<ForkPoint> forkOf(ResultSet row) throws SQLException {
    UUID original = Column.uuidOrNull(row, "fork_of");
    return original == null
        ? Optional.empty()
        : Optional.of(new ForkPoint(original, row.getString("forked_at")));
  }

  private static List<UUID> ids(@Nullable String ids) {
    return ids == null ? List.of() : Stream.of(ids.split(",", -1)).map(UUID::fromString).toList();
  }

  private static RunLinks links(ResultSet row) throws SQLException {
    return new RunLinks(
        ids(row.getString("upstreams")),
        ids(row.getString("downstreams")),
        endCallbacks(row.getString("end_callbacks")),
        endCallbacks(row.getString("end_callback_of")).stream().findFirst(),
        ids(row.getString("calls")),
        Optional.ofNullable(row.getString("called_by")).map(StepId::parse),
        forkOf(row),
        ids(row.getString("forks")));
  }

  private static List<EndCallbackRun> endCallbacks(@Nullable String words) {
    return words == null
        ? List.of()
        : Stream.of(words.split(",", -1)).map(RunRows::endCallback).toList();
  }

  private static EndCallbackRun endCallback(String words) {
    int space = words.indexOf(' ');
    return new EndCallbackRun(
        Words.parse(EndCallback.class, words.substring(0, space)),
        UUID.fromString(words.substring(space + 1)));
  }

  static RunInfo runInfo(ResultSet row) throws SQLException {
    return new RunInfo(
        Column.uuid(row, "id"),
        row.getString("pipeline"),
        status(row),
        Optional.ofNullable(row.getString("key")),
        row.getInt("priority"),
        Labels.parse(row.getString("labels")),
        Optional.ofNullable(row.getString("halt_reason"))
            .map(reason -> Words.parse(HaltReason.class, reason)),
        Optional.ofNullable(row.getString("halt_node")),
        cancellation(row),
        Optional.ofNullable(Column.uuidOrNull(row, "rerun_of")),
        ids(row.getString("reruns")),
        links(row),
        Micros.instant(row.getLong("created_us")),
        Optional.ofNullable(Column.longOrNull(row, "finished_us")).map(Micros::instant));
  }

  static AttemptInfo attemptInfo(ResultSet row) throws SQLException {
    UUID process = Column.uuidOrNull(row, "process_id");
    return new AttemptInfo(
        row.getString("node"),
        row.getInt("idx"),
        row.getLong("token"),
        row.getInt("attempt"),
        Words.parse(AttemptOutcome.class, row.getString("outcome")),
        process == null ? NOBODY : process,
        Micros.instant(row.getLong("finished_us")),
        Micros.duration(row.getLong("elapsed_us")),
        error(row));
  }

  static PendingStep pendingStep(ResultSet row) throws SQLException {
    return new PendingStep(
        row.getString("node"),
        row.getInt("idx"),
        Words.parse(StepState.class, row.getString("state")),
        row.getInt("attempt"),
        Optional.ofNullable(Column.longOrNull(row, "due_in_us")).map(Micros::duration),
        Optional.ofNullable(row.getString("holder")),
        Optional.ofNullable(Column.uuidOrNull(row, "calls")),
        row.getInt("served") == 1,
        error(row));
  }

  private static Optional<StepError> error(ResultSet row) throws SQLException {
    String type = row.getString("error_type");
    return type == null
        ? Optional.empty()
        : Optional.of(new StepError(type, row.getString("error"), row.getString("trace")));
  }
}
