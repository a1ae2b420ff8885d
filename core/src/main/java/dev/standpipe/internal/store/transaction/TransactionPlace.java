package dev.standpipe.internal.store.transaction;

import dev.standpipe.internal.store.jdbc.Tables;
import javax.sql.DataSource;

/**
 * The database and the tables that a transaction can change.
 *
 * @param source where its connections come from
 * @param tables where the tables are
 */
public record TransactionPlace(DataSource source, Tables tables) {}
