package dev.standpipe.cli.drill;

import dev.standpipe.cli.database.Address;
import dev.standpipe.cli.database.CleanUp;
import dev.standpipe.cli.database.GivenDatabase;
import java.io.IOException;
import java.nio.file.Path;
import javax.sql.DataSource;

/** Makes the stage of one drill, and clears it away when the drill is over. */
final class Theatre implements AutoCloseable {
  private final Address address;
  private final Story story;
  private final CleanUp cleanUp;

  Theatre(Address address, Story story, CleanUp cleanUp) {
    this.address = address;
    this.story = story;
    this.cleanUp = cleanUp;
  }

  /** A stage on the user's database. */
  Stage stage() {
    return stage(address);
  }

  /** A stage on another. */
  Stage stage(Address where) {
    GivenDatabase database = cleanUp.add(GivenDatabase.at(where, "drill"));
    DataSource source = where.open();
    if (source instanceof AutoCloseable pool) {
      cleanUp.add(pool);
    }
    return new Stage(where, source, database.tablePrefix(), story, cleanUp);
  }

  /** A server that may be killed. */
  DrillServer server() throws IOException {
    Path directory = cleanUp.newDirectory();
    return cleanUp.open(() -> DrillServer.in(directory));
  }

  @Override
  public void close() {
    cleanUp.close();
  }
}
