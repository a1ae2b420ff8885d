package dev.standpipe.faults;

import java.util.concurrent.CountDownLatch;

/** What user code may do to whoever calls it. */
enum Mischief {
  OVERFLOWS_THE_STACK {
    @SuppressWarnings("InfiniteRecursion") // that is the mischief
    @Override
    void run(CountDownLatch over) {
      run(over);
    }
  },
  RUNS_OUT_OF_MEMORY {
    @Override
    void run(CountDownLatch over) {
      throw new OutOfMemoryError("made up");
    }
  },
  LACKS_A_CLASS {
    @Override
    void run(CountDownLatch over) {
      throw new NoClassDefFoundError("com/acme/Missing");
    }
  },
  BLOCKS {
    @Override
    void run(CountDownLatch over) {
      boolean interrupted = false;
      while (over.getCount() > 0) {
        try {
          over.await();
        } catch (InterruptedException e) {
          interrupted = true; // and goes on nevertheless
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  },
  INTERRUPTS_ITSELF {
    @Override
    void run(CountDownLatch over) {
      Thread.currentThread().interrupt();
    }
  },
  INTERRUPTS_EVERYBODY {
    @Override
    void run(CountDownLatch over) {
      Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().startsWith("standpipe-"))
          .forEach(Thread::interrupt);
    }
  };

  /** Does it; one that blocks does so until it is over. */
  abstract void run(CountDownLatch over);

  /** Whether whoever calls it gets no answer, or an Error. */
  boolean isFatal() {
    return this != INTERRUPTS_ITSELF && this != INTERRUPTS_EVERYBODY;
  }
}
