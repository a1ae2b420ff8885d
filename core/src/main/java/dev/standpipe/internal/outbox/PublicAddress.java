package dev.standpipe.internal.outbox;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** Tells addresses of the internet from those of this machine and of private networks. */
public final class PublicAddress {
  private PublicAddress() {}

  /** Whether it is one of the internet. */
  public static boolean is(InetAddress address) {
    if (address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isSiteLocalAddress()
        || address.isAnyLocalAddress()
        || address.isMulticastAddress()) {
      return false;
    }
    byte[] bytes = address.getAddress();
    return address instanceof Inet4Address ? isPublic4(bytes) : isPublic6(bytes);
  }

  private static boolean isPublic4(byte[] bytes) {
    int a = bytes[0] & 0xff;
    int b = bytes[1] & 0xff;
    int c = bytes[2] & 0xff;
    boolean shared = a == 100 && b >= 64 && b < 128; // carriers
    boolean benchmarks = a == 198 && (b == 18 || b == 19);
    boolean protocols = a == 192 && b == 0 && c == 0;
    return a != 0 && a < 224 && !shared && !benchmarks && !protocols;
  }

  /** Addresses that carry one of version 4 inside are as public as that one. */
  private static boolean isPublic6(byte[] bytes) {
    boolean unique = (bytes[0] & 0xfe) == 0xfc;
    boolean translated = starts(bytes, 0x00, 0x64, 0xff, 0x9b);
    boolean sixToFour = starts(bytes, 0x20, 0x02);
    boolean compatible = starts(bytes, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    if (translated || compatible) {
      return isInner(bytes, 12);
    }
    return !unique && (!sixToFour || isInner(bytes, 2));
  }

  private static boolean isInner(byte[] bytes, int from) {
    try {
      return is(InetAddress.getByAddress(Arrays.copyOfRange(bytes, from, from + 4)));
    } catch (UnknownHostException e) {
      throw new IllegalStateException("Four bytes are an address", e);
    }
  }

  private static boolean starts(byte[] bytes, int... prefix) {
    for (int i = 0; i < prefix.length; i++) {
      if ((bytes[i] & 0xff) != prefix[i]) {
        return false;
      }
    }
    return true;
  }
}
