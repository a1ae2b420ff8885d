package dev.standpipe;

import java.io.OutputStream;
import java.net.URI;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;

/** Lets a compiler find what it needs, and throws away what it makes. */
final class Discarding extends ForwardingJavaFileManager<JavaFileManager> {
  Discarding(JavaFileManager files) {
    super(files);
  }

  @Override
  public JavaFileObject getJavaFileForOutput(
      Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
    return new SimpleJavaFileObject(URI.create("mem:///" + name.replace('.', '/')), kind) {
      @Override
      public OutputStream openOutputStream() {
        return OutputStream.nullOutputStream();
      }
    };
  }
}
