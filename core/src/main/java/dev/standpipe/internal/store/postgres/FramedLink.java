package dev.standpipe.internal.store.postgres;

import dev.standpipe.internal.store.connection.EngineLink;
import dev.standpipe.internal.store.connection.Purpose;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A connection on which nothing may be set beyond a transaction: a borrowed one, or one whose other
 * end changes from transaction to transaction, as PgBouncer's does. Whatever a statement needs is
 * sent in front of it, in the same round trip: the driver sends several statements parted by
 * semicolons at once and waits for all answers.
 */
final class FramedLink implements EngineLink {
  private static final String BEGIN = "begin isolation level read committed;\n";
  private static final String COMMIT = "\n;commit";

  /** The results in front of the statement's own: of the begin, and of the settings. */
  private static final int IN_FRONT = 2;

  private final Connection connection;
  private final DriverState state;
  private final String open;
  private final String openForSeveral;
  private Transaction transaction = Transaction.NONE;

  private enum Transaction {
    NONE,
    /** To be opened by its first statement. */
    DUE,
    OPEN
  }

  private FramedLink(Connection connection, DriverState state, Purpose purpose) {
    this.connection = connection;
    this.state = state;
    this.open = BEGIN + "select " + PlanSettings.local(purpose) + ";\n";
    this.openForSeveral =
        BEGIN + "select " + PlanSettings.local(purpose) + ", " + PlanSettings.IDLE_LOCAL + ";\n";
  }

  /** Prepares nothing on the server: what is left there would be somebody else's. */
  static FramedLink on(Connection connection, DriverState state, Purpose purpose)
      throws SQLException {
    state.prepareNothing();
    return new FramedLink(connection, state, purpose);
  }

  @Override
  public Connection connection() {
    return connection;
  }

  @Override
  public Prepared prepare(String sql) throws SQLException {
    return switch (transaction) {
      case NONE -> new Framed(connection.prepareStatement(open + sql + COMMIT), IN_FRONT, true);
      case DUE -> new Framed(connection.prepareStatement(openForSeveral + sql), IN_FRONT, false);
      case OPEN -> new PlainStatement(connection.prepareStatement(sql));
    };
  }

  @Override
  public void execute(String sql) throws SQLException {
    if (transaction == Transaction.DUE) {
      run(openForSeveral);
      transaction = Transaction.OPEN;
    }
    run(sql);
  }

  @Override
  public void begin() {
    transaction = Transaction.DUE;
  }

  @Override
  public void beginReading() throws SQLException {
    run("begin isolation level repeatable read, read only; set local jit = off");
    transaction = Transaction.OPEN;
  }

  @Override
  public void commit() throws SQLException {
    end("commit");
  }

  @Override
  public void rollback() throws SQLException {
    end("rollback");
  }

  private void end(String how) throws SQLException {
    boolean open = transaction == Transaction.OPEN;
    transaction = Transaction.NONE;
    if (open) {
      run(how);
    }
  }

  @Override
  public boolean keepsSession() {
    return false;
  }

  @Override
  public void restore() throws SQLException {
    rollback();
    state.restore();
  }

  private void run(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** A statement with others in front of it, and perhaps the end of its transaction behind it. */
  private final class Framed implements Prepared {
    private final PreparedStatement statement;
    private final int inFront;
    private final boolean alone;

    Framed(PreparedStatement statement, int inFront, boolean alone) {
      this.statement = statement;
      this.inFront = inFront;
      this.alone = alone;
    }

    @Override
    public PreparedStatement statement() {
      return statement;
    }

    @Override
    public ResultSet rows() throws SQLException {
      run();
      ResultSet rows = statement.getResultSet();
      if (rows == null) {
        throw new SQLException("A statement that was to return rows has not");
      }
      return rows;
    }

    @Override
    public int count() throws SQLException {
      run();
      return statement.getUpdateCount();
    }

    private void run() throws SQLException {
      transaction = Transaction.OPEN; // whatever becomes of it
      statement.execute();
      for (int i = 0; i < inFront; i++) {
        statement.getMoreResults();
      }
      if (alone) {
        transaction = Transaction.NONE;
      }
    }

    /** One that failed has left its transaction open; nobody else ends it if it was alone. */
    @Override
    public void close() throws SQLException {
      statement.close();
      if (alone && transaction == Transaction.OPEN) {
        rollback();
      }
    }
  }
}
