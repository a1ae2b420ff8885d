package dev.standpipe;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;

/** What people write as the body of a step compiles: references, constructors, lambdas. */
class WrittenShapesTest {
  private static final String AROUND =
      """
      import dev.standpipe.*;
      import java.io.*;
      import java.math.*;
      import java.time.*;
      import java.util.*;
      import java.util.stream.*;
      class Written {
        sealed interface Shape permits Circle, Square {}
        record Circle(int r) implements Shape { Circle(String r) { this(Integer.parseInt(r)); } }
        record Square(int a) implements Shape {}
        record Pair<A, B>(A a, B b) {}
        static String both(String in) { return in; }
        static String both(String in, StepContext ctx) { return in; }
        static String withContext(String in, StepContext ctx) throws IOException { return in; }
        static String throwing(String in) throws IOException { throw new IOException(in); }
        static <T> T same(T it) { return it; }
        static void print(String in) {}
        static void print(String in, int times) {}
        static String glue(String a, String b) { return a + b; }
        static String glue(String a, String b, String c) { return a + b + c; }
      """;

  private static final String WIRE =
      """
        static void wire%d(Node<String> text, Node<Integer> number, Each<String> each, Flow<String> flow) {
          %s;
        }
      """;

  private static final List<String> SHAPES =
      List.of(
          "Node<String> n = text.step(\"a\", String.class, String::toUpperCase)",
          "Node<String> n = text.step(\"a\", String.class, String::trim)",
          "Node<Integer> n = text.step(\"a\", Integer.class, Integer::parseInt)",
          "Node<Integer> n = text.step(\"a\", Integer.class, Integer::valueOf)",
          "Node<Integer> n = text.step(\"a\", Integer.class, String::length)",
          "Node<BigDecimal> n = text.step(\"a\", BigDecimal.class, BigDecimal::new)",
          "Node<Instant> n = text.step(\"a\", Instant.class, Instant::parse)",
          "Node<LocalDate> n = text.step(\"a\", LocalDate.class, LocalDate::parse)",
          "Node<Circle> n = text.step(\"a\", Circle.class, Circle::new)",
          "Node<Shape> n = number.step(\"a\", Shape.class, Circle::new)",
          "Node<String> n = number.step(\"a\", String.class, String::valueOf)",
          "Node<String> n = text.step(\"a\", String.class, Written::both)",
          "Node<String> n = text.step(\"a\", String.class, Written::withContext)",
          "Node<String> n = text.step(\"a\", String.class, Written::throwing)",
          "Node<String> n = text.step(\"a\", String.class, Written::same)",
          "Node<String> n = text.step(\"a\", String.class, in -> { throw new IOException(in); })",
          "Node<String> n = text.step(\"a\", String.class, (in, ctx) -> in + ctx.attempt())",
          "Node<String> n = text.step(\"a\", String.class, (in, ctx) -> { throw new IOException(in); })",
          "Node<List<String>> n = text.step(\"a\", new TypeToken<List<String>>() {}, List::of)",
          "Node<Pair<String, Integer>> n = text.step(\"a\", new TypeToken<Pair<String, Integer>>() {},"
              + " in -> new Pair<>(in, in.length()))",
          "Node<Void> n = text.step(\"a\", Written::print)",
          "Node<Void> n = text.step(\"a\", in -> print(in))",
          "Node<Void> n = text.step(\"a\", (in, ctx) -> ctx.log().info(in))",
          "Node<Void> n = text.step(\"a\", in -> { throw new IOException(in); })",
          "Each<Void> n = each.step(\"a\", Written::print)",
          "Each<Integer> n = each.step(\"a\", Integer.class, Integer::parseInt)",
          "Each<String> n = each.step(\"a\", String.class, String::toLowerCase)",
          "Each<String> n = text.expand(\"a\", String.class, List::of)",
          "Each<String> n = text.expand(\"a\", String.class, in -> List.of(in.split(\",\")))",
          "Each<String> n = text.expandStream(\"a\", String.class, String::lines)",
          "Each<String> n = text.expandStream(\"a\", String.class, Stream::of)",
          "Node<Integer> n = each.collapse(\"a\", Integer.class, List::size)",
          "Node<String> n = each.collapse(\"a\", String.class, (all, ctx) -> String.join(\",\", all))",
          "Node<Integer> n = each.reduce(\"a\", Integer.class, () -> 0, (sum, t) -> sum + t.length())",
          "Node<String> n = Node.join(text, text).step(\"a\", String.class, String::concat)",
          "Node<String> n = Node.join(text, text).step(\"a\", String.class, Written::glue)",
          "Node<Integer> n = Node.join(number, number).step(\"a\", Integer.class, Math::max)",
          "Node<Integer> n = Node.join(number, number).step(\"a\", Integer.class, Integer::sum)",
          "Node<String> n = Node.join(text, text, text).step(\"a\", String.class, Written::glue)",
          "Node<Integer> n = Node.all(List.of(text)).step(\"a\", Integer.class, List::size)",
          "Node<String> n = text.divert(\"a\", String::toLowerCase).on(\"x\", t -> t).orHalt().converge()",
          "Node<Shape> n = text.divert(\"a\", String::trim)"
              + ".on(\"circle\", t -> t.step(\"c\", Circle.class, Circle::new))"
              + ".on(\"square\", t -> t.step(\"s\", Square.class, s -> new Square(1)))"
              + ".orHalt().converge(Shape.class)",
          "Each<Shape> n = each.divert(\"a\", String::trim)"
              + ".on(\"circle\", t -> t.step(\"c\", Circle.class, Circle::new))"
              + ".otherwise(t -> t.step(\"s\", Square.class, s -> new Square(1)))"
              + ".converge(Shape.class)",
          "text.compensate(Written::print)",
          "text.compensate((in, ctx) -> ctx.log().info(in))",
          "Node<String> n = text.delayUntil(\"a\", Instant::parse)",
          "flow.onSuccess(end -> {})",
          "flow.onFailure((end, ctx) -> ctx.log().warn(\"{}\", end))",
          "flow.onComplete(System.out::println)");

  @Test
  void everyShapeCompiles() {
    assertThat(errors(SHAPES)).isEmpty();
  }

  @Test
  void aShapeOfTheWrongTypeDoesNotCompile() {
    assertThat(errors(List.of("Node<Integer> n = text.step(\"a\", Integer.class, String::trim)")))
        .isNotEmpty();
    assertThat(errors(List.of("Node<String> n = number.step(\"a\", String.class, String::trim)")))
        .isNotEmpty();
  }

  private static String source(List<String> written) {
    StringBuilder source = new StringBuilder(AROUND);
    for (int i = 0; i < written.size(); i++) {
      source.append(WIRE.formatted(i, written.get(i)));
    }
    return source.append("}").toString();
  }

  private static List<String> errors(List<String> written) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    List<String> options =
        List.of("--class-path", System.getProperty("java.class.path"), "-proc:none", "-Xlint:none");
    JavaFileObject source =
        new SimpleJavaFileObject(URI.create("string:///Written.java"), JavaFileObject.Kind.SOURCE) {
          @Override
          public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return source(written);
          }
        };
    JavaCompiler.CompilationTask task =
        compiler.getTask(
            null,
            new Discarding(compiler.getStandardFileManager(null, Locale.ROOT, null)),
            found,
            options,
            null,
            List.of(source));
    boolean compiled = task.call();
    List<String> errors = found.getDiagnostics().stream().map(Object::toString).toList();
    assertThat(compiled).isEqualTo(errors.isEmpty());
    return errors;
  }
}
