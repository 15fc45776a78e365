import CSystem
import Glibc

/// What a process has of its own: its environment and what signals do to it.
package enum ProcessState {
  /// A variable of the environment.
  package static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe text(of: $0) }
  }

  /// How many processors there are to work on.
  package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Makes a write to a closed pipe, or beyond the limit on file sizes, fail, where it would end the
  /// process without a chance to clean up.
  package static func failInsteadOfEnding() {
    for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
  }

  /// Sees to it that no file we open gets the number of a standard stream that was closed before we
  /// began: what we say would go into that file.
  ///
  /// Reading from such a stream, or writing to it, still fails.
  package static func guardStandardStreams() {
    for (number, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] {
      // The lowest number that is free is the one that is missing.
      if fcntl(number, F_GETFD) == -1 { _ = unsafe open("/dev/null", mode) }
    }
  }

  /// The words of the command line behind the program's name; one that is no text stands for its
  /// bytes as the text of a ``FilePath`` does.
  package static var arguments: [String] {
    // Swift takes the words from '/proc', where there is one.
    if CommandLine.argc == 0 {
      return (1..<max(1, first_word_count())).compactMap { index in
        unsafe first_word(index).map { unsafe text(of: $0) }
      }
    }
    return (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { unsafe text(of: $0) }
    }
  }

  private static func text(of word: UnsafePointer<CChar>) -> String {
    unsafe FilePath(UnsafeRawBufferPointer(start: word, count: strlen(word))).text
  }

  /// A count that grows whenever this process has to wait for a disk, and stands still while all that
  /// it reads is in memory.
  package static var diskReads: Int {
    // A test that forces faults counts system calls; this one would come or not by chance.
    if Faults.areArmed { return 0 }
    var usage = rusage()
    guard unsafe getrusage(Int32(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
    return usage.ru_inblock
  }

  /// Makes UTC the local time of the process; for the main thread, before there are others.
  package static func useUniversalTime() {
    unsafe setenv("TZ", "UTC0", 1)
    tzset()
  }

  /// Ends the process by a signal, so that a shell sees what happened and stops its script.
  package static func end(bySignal number: Int32) -> Never {
    _ = signal(number, SIG_DFL)
    _ = raise(number)
    exit(128 + number)
  }
}

/// What is known about the terminal behind a descriptor.
package enum Terminal {
  /// Whether a person is at the other end.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// How many columns its window has; nil when it is no terminal, or does not say.
  package static func columns(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }
}
