package dev.standpipe.bench.dbos;

/** The workflows. */
interface Flows {
  /** Says through what to call workflows from workflows. */
  void use(Flows proxy);

  /** Steps one after the other. */
  int chain(int n, int steps) throws InterruptedException;

  /** The same with texts. */
  String textChain(String text, int steps) throws InterruptedException;

  /** A step, a child workflow for each branch, a step on their results. */
  int fan(int n, int width) throws InterruptedException;

  /** One branch: a step. */
  int branch(int n) throws InterruptedException;
}
