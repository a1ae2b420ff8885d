package dev.standpipe.info;

/**
 * What a process does at this moment, read from its memory alone: cheap enough for a gauge that is
 * read every second.
 *
 * @param concurrency how many bodies run at once at most; 0 for a client, which runs none
 * @param running how many bodies run
 * @param queued how many steps are leased to this process and wait for one of these to end
 * @param uncommitted how many steps have ended and wait for their commit
 * @param committed how many tries this process has committed so far, of whatever outcome
 * @param awaited how many runs callers in this process wait for
 * @param connected whether the process has the connections without which it cannot work
 * @param leaseTrusted whether it has renewed its lease lately, without which it begins nothing
 */
public record EngineStats(
    int concurrency,
    int running,
    int queued,
    int uncommitted,
    long committed,
    int awaited,
    boolean connected,
    boolean leaseTrusted) {
  /** Of a client, which serves nothing. */
  public static EngineStats ofClient(int awaited) {
    return new EngineStats(0, 0, 0, 0, 0, awaited, false, false);
  }
}
