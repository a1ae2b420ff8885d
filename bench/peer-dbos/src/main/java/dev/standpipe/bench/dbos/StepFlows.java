package dev.standpipe.bench.dbos;

import dev.dbos.transact.DBOS;
import dev.dbos.transact.workflow.Workflow;
import dev.dbos.transact.workflow.WorkflowHandle;
import dev.standpipe.bench.contract.Payload;
import dev.standpipe.bench.contract.Tally;
import java.util.ArrayList;
import java.util.List;

/** The workflows, their steps doing next to nothing. */
final class StepFlows implements Flows {
  private final DBOS dbos;
  private final Tally tally;
  private Flows proxy = this;

  StepFlows(DBOS dbos, Tally tally) {
    this.dbos = dbos;
    this.tally = tally;
  }

  @Override
  public void use(Flows proxy) {
    this.proxy = proxy;
  }

  @Override
  @Workflow(name = "chain")
  public int chain(int n, int steps) throws InterruptedException {
    int value = n;
    for (int i = 0; i < steps; i++) {
      int input = value;
      value = dbos.<Integer, InterruptedException>runStep(() -> add(input, 1), "step-" + i);
    }
    return value;
  }

  @Override
  @Workflow(name = "textChain")
  public String textChain(String text, int steps) throws InterruptedException {
    String value = text;
    for (int i = 0; i < steps; i++) {
      String input = value;
      value = dbos.<String, InterruptedException>runStep(() -> next(input), "step-" + i);
    }
    return value;
  }

  @Override
  @Workflow(name = "fan")
  public int fan(int n, int width) throws InterruptedException {
    int first = dbos.<Integer, InterruptedException>runStep(() -> add(n, 1), "split");
    List<WorkflowHandle<Integer, InterruptedException>> branches = new ArrayList<>(width);
    for (int i = 0; i < width; i++) {
      int input = first + i;
      branches.add(dbos.<Integer, InterruptedException>startWorkflow(() -> proxy.branch(input)));
    }
    int sum = 0;
    for (WorkflowHandle<Integer, InterruptedException> branch : branches) {
      sum += branch.getResult();
    }
    int all = sum;
    return dbos.<Integer, InterruptedException>runStep(() -> add(all, 0), "join");
  }

  @Override
  @Workflow(name = "branch")
  public int branch(int n) throws InterruptedException {
    return dbos.<Integer, InterruptedException>runStep(() -> add(n, 1), "work");
  }

  private int add(int n, int more) throws InterruptedException {
    tally.step(n);
    return n + more;
  }

  private String next(String text) throws InterruptedException {
    tally.step(0);
    return Payload.next(text);
  }
}
