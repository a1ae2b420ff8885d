package dev.standpipe.internal.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class FragmentsTest {
  private static final String SELECT = "-- name: pick\nselect id from standpipe.task where ";

  @Test
  void aFragmentIsPutInWhereverItIsNamed() {
    Sql sql = sql(SELECT + "{due}\n-- name: drop\ndelete from x where {due}", due("due"));
    assertThat(sql.get("pick").text())
        .isEqualTo("select id from standpipe_task where due_at <= now()");
    assertThat(sql.get("drop").text()).isEqualTo("delete from x where due_at <= now()");
  }

  @Test
  void whatStandsInParenthesesTakesThePlaceOfItsParameters() {
    Sql sql =
        sql(
            SELECT + "{leased(i.run, least(:token, 5))}",
            "-- fragment: leased(run, token)\nrun_id = {run} and token = {token} or {run} = 0");
    assertThat(sql.get("pick").text())
        .endsWith("where run_id = i.run and token = least(?, 5) or i.run = 0");
    assertThat(sql.get("pick").parameters()).containsExactly("token");
  }

  @Test
  void fragmentsMayUseOthersAndSoMayWhatStandsInParentheses() {
    Sql sql =
        sql(
            SELECT + "{before({now})}",
            "-- fragment: before(time)\n{column} < {time}",
            "-- fragment: column\ndue_at",
            "-- fragment: now\nnow()");
    assertThat(sql.get("pick").text()).endsWith("where due_at < now()");
  }

  @Test
  void aFragmentMayBeEmptyOrHaveComments() {
    Sql sql =
        sql(
            SELECT + "true {for_update} {due}",
            "-- fragment: for_update\n-- Nothing {here}.",
            "-- fragment: due\n-- Why.\nand due -- really");
    assertThat(sql.get("pick").text()).endsWith("where true  and due");
  }

  @Test
  void aNameThatIsNoFragmentsIsRefused() {
    refused("{gaurd}", SELECT + "{gaurd}");
    refused("{guard}", SELECT + "{due}", "-- fragment: due\n{guard}");
    refused("{Guard}", SELECT + "{Guard}");
  }

  @Test
  void aFragmentThatNothingUsesIsRefused() {
    refused("[due]", SELECT + "true", due("due"));
    refused("[time]", SELECT + "{at(1)}", "-- fragment: at(time)\n{time}", due("time"));
  }

  @Test
  void aFragmentThatIsSharedIsUsedThoughADialectHasAStatementOfItsOwn() {
    Sql sql =
        new Sql(
            new SqlSource(
                SqlFolder.parse(SELECT + "true"), SqlFolder.parse(SELECT + "{due}\n" + due("due"))),
            Tables.DEFAULT,
            (name, text) -> text);
    assertThat(sql.all().get("pick").text()).endsWith("where true");
  }

  @Test
  void theWrongNumberOfParametersIsRefused() {
    refused("takes [run]", SELECT + "{of}", "-- fragment: of(run)\nrun_id = {run}");
    refused("takes [run]", SELECT + "{of(1, 2)}", "-- fragment: of(run)\nrun_id = {run}");
    refused("takes []", SELECT + "{due(1)}", due("due"));
  }

  @Test
  void aFragmentThatUsesItselfIsRefused() {
    refused("uses itself", SELECT + "{a}", "-- fragment: a\n{b}", "-- fragment: b\n{a}");
  }

  @Test
  void aNameThatIsGivenTwiceOrMisspeltIsRefused() {
    refused("due twice", SELECT + "{due}", due("due"), due("due"));
    refused("pick twice", SELECT + "true", SELECT + "true");
    refused("-- fragment: due date", SELECT + "true", due("due date"));
    refused("-- name: pick-one", SELECT + "true", "-- name: pick-one\nselect 1");
  }

  @Test
  void anEditSeesTheStatementWhole() {
    SqlFolder folder = SqlFolder.parse(SELECT + "{due}\n" + due("due"));
    Sql sql =
        new Sql(
            new SqlSource(folder, SqlFolder.parse("")),
            Tables.DEFAULT,
            (name, text) -> text.replace("due_at <= now()", "true"));
    assertThat(sql.get("pick").text()).endsWith("where true");
  }

  private static String due(String name) {
    return "-- fragment: " + name + "\ndue_at <= now()";
  }

  private static Sql sql(String... blocks) {
    return new Sql(
        new SqlSource(SqlFolder.parse(String.join("\n", blocks)), SqlFolder.parse("")),
        Tables.DEFAULT,
        (name, text) -> text);
  }

  private static void refused(String message, String... blocks) {
    assertThatThrownBy(() -> sql(blocks).all())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }
}
