package dev.standpipe.internal.engine.execute;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.standpipe.Retry;
import dev.standpipe.StepContext;
import dev.standpipe.StepDefinition;
import dev.standpipe.internal.engine.client.ExternalValue;
import dev.standpipe.internal.engine.client.RunHandle;
import dev.standpipe.internal.engine.client.Service;
import dev.standpipe.internal.engine.client.Starter;
import dev.standpipe.internal.engine.event.Events;
import dev.standpipe.internal.engine.event.ListenerQueue;
import dev.standpipe.internal.engine.expand.ElementChunks;
import dev.standpipe.internal.engine.expand.ElementReader;
import dev.standpipe.internal.engine.maintain.EndCallbackRuns;
import dev.standpipe.internal.engine.operate.Forker;
import dev.standpipe.internal.engine.operate.SignalOperations;
import dev.standpipe.internal.engine.outbox.StepEvents;
import dev.standpipe.internal.engine.schedule.ScheduleInputs;
import dev.standpipe.internal.engine.substep.TryMemory;
import dev.standpipe.internal.store.transaction.BridgedTransactions;
import dev.standpipe.outbox.Sink;
import dev.standpipe.spi.Listener;
import dev.standpipe.spi.PayloadCodec;
import dev.standpipe.spi.TransactionBridge;
import java.util.Set;

/**
 * Where the engine calls code of the user's. Such code may do anything, so it runs on a thread for
 * bodies, within the time-out of its step, or on the thread of a caller of the API, or behind a
 * guard on a thread of its own. Whoever adds a place to these lists says which of them it is, and
 * adds it to {@code faults/UserCode}, which has all of them misbehave.
 */
@AnalyzeClasses(
    packages = "dev.standpipe.internal",
    importOptions = ImportOption.DoNotIncludeTests.class)
class UserCodeTest {
  private static final Set<String> SELF_DESCRIPTION =
      Set.of(
          "getMessage",
          "getLocalizedMessage",
          "getCause",
          "getStackTrace",
          "printStackTrace",
          "toString");

  @ArchTest
  static final ArchRule BODIES_RUN_ON_THREADS_FOR_BODIES =
      only(BodyRunner.class, AwaitStep.class)
          .should()
          .accessTargetWhere(calls(StepDefinition.Body.class).or(calls(StepDefinition.Wait.class)));

  @ArchTest
  static final ArchRule CALLS_INSIDE_OF_BODIES_ARE_MADE_ON_THREADS_OF_THE_BODY =
      only(AttemptContext.class, TryMemory.class)
          .should()
          .accessTargetWhere(calls(StepContext.OnceValue.class));

  @ArchTest
  static final ArchRule ELEMENTS_ARE_READ_AND_CLOSED_ON_THREADS_FOR_BODIES =
      only(ElementReader.class).should().accessTargetWhere(calls(StepDefinition.Elements.class));

  @ArchTest
  static final ArchRule PREDICATES_ARE_ASKED_ON_THREADS_FOR_BODIES =
      only(AttemptFailure.class)
          .should()
          .accessTargetWhere(
              calls(Retry.class)
                  .and(describe("ask", access -> access.getTarget().getName().equals("allows"))));

  @ArchTest
  static final ArchRule BRIDGES_OPEN_TRANSACTIONS_ON_THREADS_FOR_BODIES =
      only(BridgedTransactions.class).should().accessTargetWhere(calls(TransactionBridge.class));

  @ArchTest
  static final ArchRule LISTENERS_ARE_CALLED_ON_THREADS_OF_THEIR_OWN =
      only(Events.class, ListenerQueue.class).should().accessTargetWhere(calls(Listener.class));

  /** Names and policies are read when a program is set up and when workers are made. */
  @ArchTest
  static final ArchRule SINKS_ARE_CALLED_ON_THREADS_OF_THEIR_OWN =
      noClasses()
          .that()
          .resideInAPackage("dev.standpipe.internal..")
          .and()
          .doNotHaveSimpleName("GuardedSinkCaller")
          .should()
          .accessTargetWhere(
              calls(Sink.class)
                  .and(
                      describe(
                          "publish", access -> access.getTarget().getName().equals("publish"))));

  /** On threads for bodies down to {@link RetypedValue}, on threads of callers from there on. */
  @ArchTest
  static final ArchRule VALUES_ARE_CODED_ON_THREADS_FOR_BODIES_OR_OF_CALLERS =
      noClasses()
          .that()
          .resideInAPackage("dev.standpipe.internal.engine..")
          .and(
              not(
                  BodyRunner.class,
                  EarlyOutput.class,
                  CallStep.class,
                  StoredValues.class,
                  SharedContext.class,
                  StepEvents.class,
                  TryMemory.class,
                  AwaitStep.class,
                  ElementChunks.class,
                  RetypedValue.class,
                  ExternalValue.class,
                  Service.class,
                  Starter.class,
                  Forker.class,
                  RunHandle.class,
                  SignalOperations.class,
                  EndCallbackRuns.class,
                  ScheduleInputs.class))
          .should()
          .accessTargetWhere(calls(PayloadCodec.class));

  @ArchTest
  static final ArchRule EXCEPTIONS_OF_ANY_KIND_DESCRIBE_THEMSELVES_BEHIND_A_GUARD =
      noClasses()
          .that()
          .resideInAPackage("dev.standpipe.internal.engine..")
          .and(not(ErrorText.class))
          .should()
          .accessTargetWhere(
              describe(
                  "has an exception of any kind describe itself",
                  access ->
                      isAnyException(access.getTargetOwner())
                          && SELF_DESCRIPTION.contains(access.getTarget().getName())));

  /** What wraps a body when a pipeline is defined is called where the body is. */
  private static com.tngtech.archunit.lang.syntax.elements.GivenClassesConjunction only(
      Class<?>... places) {
    return noClasses()
        .that(not(places))
        .and()
        .resideOutsideOfPackage("dev.standpipe.internal.define");
  }

  private static DescribedPredicate<JavaClass> not(Class<?>... places) {
    return DescribedPredicate.not(belongToAnyOf(places));
  }

  private static DescribedPredicate<JavaAccess<?>> calls(Class<?> type) {
    return describe(
        "call a " + type.getSimpleName(),
        access -> access.getTargetOwner().isEquivalentTo(type) && isMethod(access));
  }

  private static boolean isMethod(JavaAccess<?> access) {
    return !access.getTarget().getName().equals("<init>");
  }

  private static boolean isAnyException(JavaClass type) {
    return type.isEquivalentTo(Throwable.class)
        || type.isEquivalentTo(Exception.class)
        || type.isEquivalentTo(RuntimeException.class)
        || type.isEquivalentTo(Error.class);
  }
}
