/** Durable pipelines on the database you already run. */
module dev.standpipe {
  requires transitive java.sql;
  requires transitive org.slf4j;
  requires static transitive org.jspecify;
  requires com.cronutils;
  requires java.net.http;
  requires static org.postgresql.jdbc;
  requires transitive tools.jackson.databind;

  exports dev.standpipe;
  exports dev.standpipe.definition;
  exports dev.standpipe.error;
  exports dev.standpipe.info;
  exports dev.standpipe.operate;
  exports dev.standpipe.outbox;
  exports dev.standpipe.schedule;
  exports dev.standpipe.spi;
  exports dev.standpipe.supervisor;

  opens dev.standpipe.internal to
      tools.jackson.databind;
  opens dev.standpipe.internal.codec to
      tools.jackson.databind;
}
