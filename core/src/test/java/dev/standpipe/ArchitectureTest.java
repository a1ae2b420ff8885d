package dev.standpipe;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMembers;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.standpipe.internal.engine.client.Opening;
import dev.standpipe.internal.engine.client.Service;
import dev.standpipe.internal.engine.client.Uuid7;
import dev.standpipe.internal.engine.lease.EngineConnections;
import dev.standpipe.internal.store.jdbc.GroupSize;
import dev.standpipe.spi.PayloadCodec;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.invoke.MethodHandles;
import java.time.Clock;
import java.util.Calendar;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.NullMarked;

/** The layers and the habits of the design, kept by the build. */
@AnalyzeClasses(
    packages = "dev.standpipe",
    importOptions = {ImportOption.DoNotIncludeTests.class, ArchitectureTest.OfThisModule.class})
class ArchitectureTest {
  /** The checker is on the class path of the tests; it is a program of its own, and prints. */
  static final class OfThisModule implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("/dev/standpipe/checker/");
    }
  }

  private static final String[] API = {
    "dev.standpipe",
    "dev.standpipe.definition",
    "dev.standpipe.error",
    "dev.standpipe.info",
    "dev.standpipe.operate",
    "dev.standpipe.spi"
  };

  @ArchTest
  static final ArchRule THE_API_DOES_NOT_SEE_INTERNALS_BUT_FOR_ITS_THREE_DOORS =
      noClasses()
          .that()
          .resideInAnyPackage(API)
          .and()
          .doNotBelongToAnyOf(Standpipe.class, StandpipeBuilder.class, PayloadCodec.class)
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.standpipe.internal.*..")
                  .and(outside("dev.standpipe.internal.define")));

  @ArchTest
  static final ArchRule ONE_SEES_THE_PRODUCT =
      classes()
          .that()
          .resideInAPackage("dev.standpipe")
          .and()
          .areTopLevelClasses()
          .and()
          .doNotHaveSimpleName("package-info")
          .should()
          .bePublic()
          .because("the machinery of defining is in dev.standpipe.internal.define");

  @ArchTest
  static final ArchRule A_DEFINITION_KNOWS_NOTHING_OF_HOW_IT_RUNS =
      noClasses()
          .that()
          .resideInAPackage("dev.standpipe.internal.define")
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.standpipe.internal.*..")
                  .and(outside("dev.standpipe.internal.define")));

  @ArchTest
  static final ArchRule A_GRAPH_KNOWS_ONLY_GRAPHS =
      noClasses()
          .that()
          .resideInAPackage("dev.standpipe.definition")
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.standpipe..").and(outside("dev.standpipe.definition")));

  @ArchTest
  static final ArchRule THE_COORDINATOR_KNOWS_ONLY_GRAPHS =
      classes()
          .that()
          .resideInAPackage("dev.standpipe.internal.coordinate")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                      "dev.standpipe.internal.coordinate",
                      "dev.standpipe.definition",
                      "java.lang..",
                      "java.util",
                      "java.util.function",
                      "java.util.stream",
                      "org.jspecify.annotations")
                  .and(DescribedPredicate.not(reachingTheMachine())));

  @ArchTest
  static final ArchRule A_STORE_DOES_NOT_KNOW_ITS_ENGINE =
      noClasses()
          .that()
          .resideInAnyPackage("dev.standpipe.internal.store..", "dev.standpipe.internal.codec..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.standpipe.internal.engine..", "dev.standpipe.internal.coordinate..");

  @ArchTest
  static final ArchRule THE_PORT_KNOWS_NEITHER_OF_ITS_SIDES =
      noClasses()
          .that()
          .resideInAPackage("dev.standpipe.internal.port")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.standpipe.internal.engine..", "dev.standpipe.internal.store..");

  @ArchTest
  static final ArchRule THE_ENGINE_KNOWS_ITS_STORE_BY_THE_PORT_BUT_WHERE_IT_OPENS_ONE =
      noClasses()
          .that()
          .resideInAPackage("dev.standpipe.internal.engine..")
          .and()
          .doNotBelongToAnyOf(Service.class, Opening.class, EngineConnections.class)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.standpipe.internal.store..");

  @ArchTest
  static final ArchRule ONE_PACKAGE_KNOWS_WHAT_SHARES_A_ROW =
      noMembers()
          .that()
          .areDeclaredInClassesThat(
              outside("dev.standpipe.internal.store.sharedrows")
                  .and(DescribedPredicate.not(type(GroupSize.class))))
          .should()
          .haveNameMatching("(?i).*bundle.*");

  @ArchTest
  static final ArchRule ONE_SEES_THE_FURNITURE_OF_A_ROOM =
      classes()
          .that()
          .resideInAPackage("dev.standpipe.internal..")
          .and()
          .areTopLevelClasses()
          .should(standInARoomOf(20));

  @ArchTest static final ArchRule ONE_NAME_IS_ONE_THING = classes().should(haveANameOfTheirOwn());

  @ArchTest
  static final ArchRule THE_DATABASE_HAS_THE_ONLY_CLOCK =
      noClasses()
          .that()
          .doNotBelongToAnyOf(Uuid7.class)
          .should()
          .accessTargetWhere(describe("read this machine's clock", ArchitectureTest::readsAClock));

  @ArchTest
  static final ArchRule STORED_TEXT_NEVER_BECOMES_CODE =
      noClasses()
          .should()
          .dependOnClassesThat(type(ObjectInputStream.class).or(type(ObjectOutputStream.class)))
          .orShould()
          .accessTargetWhere(describe("load a class by name", ArchitectureTest::loadsAClass));

  @ArchTest static final ArchRule ONE_WAY_TO_LOG = NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING;

  @ArchTest
  static final ArchRule A_LIBRARY_DOES_NOT_PRINT = NO_CLASSES_SHOULD_ACCESS_STANDARD_STREAMS;

  @ArchTest
  static final ArchRule EVERY_PACKAGE_IS_NULL_MARKED =
      classes().should(resideInANullMarkedPackage());

  @ArchTest
  static final ArchRule NAMES_SAY_WHAT_A_CLASS_DOES =
      noClasses()
          .should()
          .haveNameMatching(".*(Manager|Helper|Util|Utils)")
          .because("such a name hides what the class is for");

  @ArchTest
  static final ArchRule NO_STATE_FOR_ALL_TO_CHANGE =
      fields().that().areStatic().and().areNotPrivate().should().beFinal();

  private static DescribedPredicate<JavaClass> outside(String aPackage) {
    return DescribedPredicate.not(resideInAPackage(aPackage));
  }

  /** What is in {@code java.lang} and yet reaches the machine. */
  private static DescribedPredicate<JavaClass> reachingTheMachine() {
    return belongToAnyOf(
        Thread.class, System.class, Runtime.class, Process.class, ProcessBuilder.class);
  }

  private static boolean readsAClock(JavaAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    String name = access.getTarget().getName();
    boolean now = owner.getPackageName().startsWith("java.time") && name.equals("now");
    boolean millis = owner.isEquivalentTo(System.class) && name.equals("currentTimeMillis");
    boolean clock = owner.isEquivalentTo(Clock.class);
    boolean date = owner.isEquivalentTo(Date.class) || owner.isAssignableTo(Calendar.class);
    return now || millis || clock || date;
  }

  private static boolean loadsAClass(JavaAccess<?> access) {
    JavaClass owner = access.getTargetOwner();
    String name = access.getTarget().getName();
    return (owner.isEquivalentTo(Class.class) && name.equals("forName"))
        || (owner.isAssignableTo(ClassLoader.class) && name.equals("loadClass"))
        || (owner.isEquivalentTo(MethodHandles.Lookup.class) && name.equals("findClass"));
  }

  /** Arrays of classes count as classes of their package, too. */
  private static boolean hasAFile(JavaClass item) {
    return item.isTopLevelClass()
        && !item.isArray()
        && !item.getSimpleName().equals("package-info");
  }

  private static ArchCondition<JavaClass> standInARoomOf(int most) {
    return new ArchCondition<>("stand in a package of at most " + most + " classes") {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        long all =
            item.getPackage().getClasses().stream().filter(ArchitectureTest::hasAFile).count();
        String message = "%s stands among %d classes of its package".formatted(item.getName(), all);
        events.add(new SimpleConditionEvent(item, all <= most, message));
      }
    };
  }

  private static ArchCondition<JavaClass> haveANameOfTheirOwn() {
    Set<String> shared = Set.of("package-info", "");
    Map<String, String> owners = new HashMap<>();
    return new ArchCondition<>("have a simple name of their own") {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        String name = item.getSimpleName();
        String other = owners.putIfAbsent(name, item.getName());
        boolean own = shared.contains(name) || other == null || other.equals(item.getName());
        events.add(new SimpleConditionEvent(item, own, item.getName() + " and " + other));
      }
    };
  }

  private static ArchCondition<JavaClass> resideInANullMarkedPackage() {
    return new ArchCondition<>("reside in a package that is @NullMarked") {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        boolean marked =
            item.getPackage()
                .tryGetPackageInfo()
                .filter(info -> info.isAnnotatedWith(NullMarked.class))
                .isPresent();
        events.add(
            new SimpleConditionEvent(
                item, marked, item.getPackageName() + " of " + item.getSimpleName()));
      }
    };
  }
}
