package dev.standpipe.faults;

import dev.standpipe.Flow;
import dev.standpipe.Loop;
import dev.standpipe.Node;
import dev.standpipe.Pipeline;
import dev.standpipe.Retry;
import dev.standpipe.conformance.fixture.EngineFixture;
import dev.standpipe.spi.PayloadCodec;
import java.io.PrintWriter;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The places where the engine calls code of the user's for one step, each with a pipeline. */
enum UserCode {
  BODY {
    @Override
    Node<String> wire(Node<String> input, Trial mischief) {
      return special(mischief, input.step("it", String.class, (text, ctx) -> run(mischief, text)));
    }
  },
  TURN {
    @Override
    Node<String> wire(Node<String> input, Trial mischief) {
      return special(
          mischief,
          input.loop(
              "it",
              String.class,
              (text, ctx) -> ctx.turn() == 1 ? Loop.again(text) : Loop.done(run(mischief, text))));
    }
  },
  MESSAGE {
    @Override
    Node<String> wire(Node<String> input, Trial mischief) {
      return throwing(mischief, input, new Bad.Speaking(mischief, false));
    }
  },
  TO_STRING {
    @Override
    Node<String> wire(Node<String> input, Trial mischief) {
      return throwing(mischief, input, new Bad.Speaking(mischief, true));
    }
  },
  CAUSE {
    @Override
    Node<String> wire(Node<String> input, Trial mischief) {
      return throwing(mischief, input, new Bad.Caused(mischief));
    }
  },
  TRACE {
    @Override
    Node<String> wire(Node<String> input, Trial mischief) {
      return throwing(mischief, input, new Bad.Printing(mischief));
    }
  },
  PREDICATE {
    @Override
    Node<String> wire(Node<String> input, Trial mischief) {
      return input
          .step("it", String.class, (text, ctx) -> fail(new IllegalStateException("fails")))
          .timeout(mischief.timeout())
          .retry(Retry.fixed(Duration.ZERO).limit(1).when(error -> run(mischief, false)));
    }
  },
  PREDICATE_AFTER_TIMEOUT {
    @Override
    Node<String> wire(Node<String> input, Trial mischief) {
      return input
          .step(
              "it",
              String.class,
              (text, ctx) -> {
                EngineFixture.pause(SHORT.multipliedBy(100)); // until it is interrupted
                return text;
              })
          .timeout(SHORT)
          .retry(Retry.fixed(Duration.ZERO).limit(1).when(error -> run(mischief, false)));
    }
  },
  ENCODE {
    @Override
    Node<String> wire(Node<String> input, Trial mischief) {
      return special(mischief, input.step("it", Bad.class, (text, ctx) -> new Bad("ENCODE")))
          .step("after", String.class, (bad, ctx) -> bad.place());
    }
  },
  DECODE {
    @Override
    Node<String> wire(Node<String> input, Trial mischief) {
      return special(
          mischief,
          input
              .step("before", Bad.class, (text, ctx) -> new Bad("DECODE"))
              .step("it", String.class, (bad, ctx) -> bad.place()));
    }
  },
  SELECTOR {
    @Override
    Node<String> wire(Node<String> input, Trial mischief) {
      return input
          .divert("it", (text, ctx) -> run(mischief, "arm"))
          .timeout(mischief.timeout())
          .retry(Retry.never())
          .on("arm", arm -> arm.step("taken", String.class, (text, ctx) -> text))
          .orHalt()
          .converge();
    }
  },
  DELAY_UNTIL {
    @Override
    Node<String> wire(Node<String> input, Trial mischief) {
      return special(mischief, input.delayUntil("it", text -> run(mischief, Instant.EPOCH)));
    }
  },
  ELEMENT {
    @Override
    Node<String> wire(Node<String> input, Trial mischief) {
      return input
          .expand("it", String.class, (text, ctx) -> once(() -> run(mischief, text)))
          .timeout(mischief.timeout())
          .retry(Retry.never())
          .collapse("all", String.class, (all, ctx) -> String.join("", all));
    }
  },
  ITERATOR {
    @Override
    Node<String> wire(Node<String> input, Trial mischief) {
      return input
          .expand("it", String.class, (text, ctx) -> () -> run(mischief, List.of(text)).iterator())
          .timeout(mischief.timeout())
          .retry(Retry.never())
          .collapse("all", String.class, (all, ctx) -> String.join("", all));
    }
  },
  HAS_NEXT {
    @Override
    Node<String> wire(Node<String> input, Trial mischief) {
      return input
          .expandStream(
              "it",
              String.class,
              (text, ctx) -> Stream.iterate(text, one -> run(mischief, true), one -> one).limit(1))
          .timeout(mischief.timeout())
          .retry(Retry.never())
          .collapse("all", String.class, (all, ctx) -> String.join("", all));
    }
  },
  CONTEXT_SET {
    @Override
    Node<String> wire(Node<String> input, Trial mischief) {
      return special(
          mischief,
          input.step(
              "it",
              String.class,
              (text, ctx) -> {
                ctx.context().set("bad", new Bad("ENCODE"));
                return text;
              }));
    }
  },
  CONTEXT_GET {
    @Override
    Node<String> wire(Node<String> input, Trial mischief) {
      Node<String> before =
          input.step(
              "before",
              String.class,
              (text, ctx) -> {
                ctx.context().set("bad", new Bad("DECODE"));
                return text;
              });
      return special(
          mischief,
          special(mischief, before)
              .step(
                  "it",
                  String.class,
                  (text, ctx) -> ctx.context().get("bad", Bad.class).orElseThrow().place()));
    }
  },
  STREAM {
    @Override
    Node<String> wire(Node<String> input, Trial mischief) {
      return input
          .expandStream(
              "it", String.class, (text, ctx) -> Stream.of(text).peek(e -> mischief.run()))
          .timeout(mischief.timeout())
          .retry(Retry.never())
          .collapse("all", String.class, (all, ctx) -> String.join("", all));
    }
  },
  CLOSE {
    @Override
    Node<String> wire(Node<String> input, Trial mischief) {
      return input
          .expandStream("it", String.class, (text, ctx) -> Stream.of(text).onClose(mischief))
          .timeout(mischief.timeout())
          .retry(Retry.never())
          .collapse("all", String.class, (all, ctx) -> String.join("", all));
    }

    @Override
    boolean fails(Mischief mischief) {
      return mischief == Mischief.BLOCKS; // otherwise its elements are in, which is what counts
    }
  },
  REDUCER {
    @Override
    Node<String> wire(Node<String> input, Trial mischief) {
      return special(
          mischief,
          input
              .expand("elements", String.class, (text, ctx) -> List.of(text, text))
              .reduce("it", String.class, () -> "", (all, one) -> run(mischief, all + one)));
    }
  },
  CALLBACK {
    @Override
    Node<String> wire(Node<String> input, Trial mischief) {
      return input.step("it", String.class, (text, ctx) -> text);
    }

    @Override
    void follow(Flow<String> flow, Trial mischief) {
      flow.onComplete((end, ctx) -> mischief.run())
          .timeout(mischief.timeout())
          .retry(Retry.never());
    }

    @Override
    boolean fails(Mischief mischief) {
      return false;
    }
  },
  COMPENSATION {
    @Override
    Node<String> wire(Node<String> input, Trial mischief) {
      return input
          .step("done", String.class, (text, ctx) -> text)
          .timeout(mischief.timeout())
          .retry(Retry.never())
          .compensate((text, ctx) -> mischief.run())
          .step("it", String.class, (text, ctx) -> fail(new IllegalStateException("fails")))
          .retry(Retry.never());
    }

    @Override
    boolean fails(Mischief mischief) {
      return true;
    }
  };

  static final Duration SHORT = Duration.ofMillis(700);

  /**
   * What the code does.
   *
   * @param mischief does it
   * @param timeout the time-out of the step
   */
  record Trial(Runnable mischief, Duration timeout) implements Runnable {
    @Override
    public void run() {
      mischief.run();
    }
  }

  abstract Node<String> wire(Node<String> input, Trial mischief);

  void follow(Flow<String> flow, Trial mischief) {}

  /** Whether the run fails of it. */
  boolean fails(Mischief mischief) {
    return mischief.isFatal()
        || switch (this) {
          case MESSAGE, TO_STRING, CAUSE, TRACE, PREDICATE, PREDICATE_AFTER_TIMEOUT -> true;
          default -> false;
        };
  }

  Pipeline<String, String> pipeline(Trial mischief) {
    return Pipeline.define(
        name().toLowerCase(Locale.ROOT),
        String.class,
        String.class,
        flow -> {
          follow(flow, mischief);
          return wire(flow.input(), mischief);
        });
  }

  private static <T> Node<T> special(Trial mischief, Node<T> step) {
    return step.timeout(mischief.timeout()).retry(Retry.never());
  }

  private static Node<String> throwing(Trial mischief, Node<String> input, Exception error) {
    return special(mischief, input.step("it", String.class, (text, ctx) -> fail(error)));
  }

  private static String fail(Exception error) throws Exception {
    throw error;
  }

  private static <T> T run(Trial mischief, T value) {
    mischief.run();
    return value;
  }

  private static Iterable<String> once(Supplier<String> element) {
    return () ->
        new Iterator<>() {
          private boolean read;

          @Override
          public boolean hasNext() {
            return !read;
          }

          @Override
          public String next() {
            read = true;
            return element.get();
          }
        };
  }

  /**
   * A value about which the codec is in a bad mood.
   *
   * @param place when it is
   */
  record Bad(String place) {
    /** Fails to say what it is. */
    static final class Speaking extends Exception {
      private static final long serialVersionUID = 1L;
      private final transient Runnable mischief;
      private final boolean inToString;

      Speaking(Runnable mischief, boolean inToString) {
        super("a bad exception");
        this.mischief = mischief;
        this.inToString = inToString;
      }

      @Override
      public @Nullable String getMessage() {
        if (!inToString) {
          mischief.run();
        }
        return super.getMessage();
      }

      @Override
      public String toString() {
        if (inToString) {
          mischief.run();
        }
        return super.toString();
      }
    }

    /** Has causes without end, and something else about them. */
    static final class Caused extends Exception {
      private static final long serialVersionUID = 1L;
      private final transient Runnable mischief;

      Caused(Runnable mischief) {
        super("a bad exception");
        this.mischief = mischief;
      }

      @Override
      public synchronized Throwable getCause() {
        mischief.run();
        return new Caused(mischief);
      }
    }

    /** Fails to print itself. */
    static final class Printing extends Exception {
      private static final long serialVersionUID = 1L;
      private final transient Runnable mischief;

      Printing(Runnable mischief) {
        super("a bad exception");
        this.mischief = mischief;
      }

      @Override
      public void printStackTrace(PrintWriter to) {
        mischief.run();
        super.printStackTrace(to);
      }
    }
  }

  /** Does mischief with some values and leaves the others to another codec. */
  record BadCodec(PayloadCodec codec, Runnable mischief) implements PayloadCodec {
    @Override
    public String encode(@Nullable Object value, Type type) {
      if (value instanceof Bad bad && bad.place().equals("ENCODE")) {
        mischief.run();
      }
      return codec.encode(value, type);
    }

    @Override
    public @Nullable Object decode(String text, Type type) {
      if (type == Bad.class && text.contains("DECODE")) {
        mischief.run();
      }
      return codec.decode(text, type);
    }
  }
}
