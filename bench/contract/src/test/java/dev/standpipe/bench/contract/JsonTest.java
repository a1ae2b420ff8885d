package dev.standpipe.bench.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void numbersTextsAndArraysAreWritten() {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("a", 1);
    members.put("b", 2.5);
    members.put("c", "say \"hi\"\n\\");
    members.put("d", new long[] {1, 2});

    assertThat(Json.object(members))
        .isEqualTo("{\"a\":1,\"b\":2.5,\"c\":\"say \\\"hi\\\"\\u000a\\\\\",\"d\":[1, 2]}");
  }
}
