package dev.standpipe.internal;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.standpipe.error.ErrorCode;
import dev.standpipe.error.StandpipeException;
import java.security.CodeSource;
import tools.jackson.databind.json.JsonMapper;

/**
 * Libraries that another framework brings in a wrong version. The first call reports them, and says
 * what to do, before a class turns out to be missing somewhere in the engine.
 */
public final class Requirements {
  private static volatile boolean met;

  private Requirements() {}

  /**
   * Checks that the libraries fit: Jackson 3 shares its annotations with Jackson 2, which
   * frameworks keep at an older version.
   *
   * @throws StandpipeException with {@code INVALID_SETTING} if it is not
   */
  public static void check() {
    if (met) {
      return;
    }
    try {
      JsonMapper.builder().build();
      met = true;
    } catch (LinkageError e) {
      throw missing(e);
    }
  }

  private static StandpipeException missing(LinkageError error) {
    CodeSource source = JsonTypeInfo.class.getProtectionDomain().getCodeSource();
    return new StandpipeException(
        ErrorCode.INVALID_SETTING,
        "Jackson 3 cannot work with the annotations it finds ("
            + (source == null ? "from an unknown place" : source.getLocation())
            + "): set com.fasterxml.jackson.core:jackson-annotations to 2.22 or newer. A framework"
            + " that manages Jackson 2, as Spring Boot 3 does, sets an older one: name the version"
            + " in your own dependencyManagement",
        error);
  }
}
