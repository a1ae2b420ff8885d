package dev.standpipe.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.standpipe.conformance.fixture.EngineFixture;
import javax.sql.DataSource;

/**
 * PostgreSQL has a list of the runs that do not go on for now, which must say what the runs say.
 * One that ends while it is being paused may stay on it until the pause is over.
 */
public final class StoppedRuns {
  private StoppedRuns() {}

  /** Compares the list with the runs, if the tables are there. */
  public static void assertListed(DataSource source) {
    if (EngineFixture.query(source, "select to_regclass('standpipe_stopped') is not null")
        .contains("t")) {
      assertThat(
              EngineFixture.query(
                  source,
                  """
                  select coalesce(s.run_id, r.id), r.status
                  from standpipe_stopped s
                       full join (select * from standpipe_run
                                  where status in ('paused', 'halting', 'finishing', 'canceling')) r
                         on r.id = s.run_id
                  where s.run_id is null
                     or (r.id is null
                         and not exists (select 1 from standpipe_pausing p where p.run_id = s.run_id))
                  """))
          .as("stopped and not listed, or the other way round")
          .isEmpty();
    }
  }
}
