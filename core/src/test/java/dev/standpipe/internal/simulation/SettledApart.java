package dev.standpipe.internal.simulation;

import dev.standpipe.internal.transaction.BodyTransaction;
import dev.standpipe.internal.transaction.StepTransactions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;

/** For {@link Mutation#SETTLED_APART}: what a body wrote is committed before its step is. */
final class SettledApart implements StepTransactions {
  private final StepTransactions real;
  private final Connection connection;

  SettledApart(StepTransactions real, Connection connection) {
    this.real = real;
    this.connection = connection;
  }

  @Override
  public void run(TransactionOwner owner, StepWork work) throws Exception {
    real.run(owner, transaction -> work.in(apart(transaction)));
  }

  private BodyTransaction apart(BodyTransaction transaction) {
    Object apart =
        Proxy.newProxyInstance(
            SettledApart.class.getClassLoader(),
            new Class<?>[] {BodyTransaction.class},
            (self, method, args) -> {
              if (method.getName().equals("settling")) {
                commitAndBegin();
              }
              try {
                return method.invoke(transaction, args);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    return (BodyTransaction) apart;
  }

  private void commitAndBegin() throws Exception {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("commit");
      statement.executeUpdate("begin immediate");
    }
  }

  @Override
  public boolean isConflict(Throwable error) {
    return real.isConflict(error);
  }
}
