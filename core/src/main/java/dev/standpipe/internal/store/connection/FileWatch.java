package dev.standpipe.internal.store.connection;

import dev.standpipe.internal.port.PendingWork.Written;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * Watches the files of a database for what is written, without asking the database. A hint only:
 * nothing depends on it being right. One thread at a time uses it.
 */
public interface FileWatch {
  /** For a database whose files are out of reach. */
  FileWatch BLIND =
      new FileWatch() {
        @Override
        public void learn(ResultSet look) {}

        @Override
        public Written written() {
          return Written.UNKNOWN;
        }
      };

  /** Takes from the row of a look what there is to watch. */
  void learn(ResultSet look) throws SQLException;

  /** What was written since this was asked last. */
  Written written();
}
