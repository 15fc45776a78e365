import CSystem
import Glibc

/// State of the whole process: its environment, and its signal actions.
package enum ProcessState {
  /// Returns the value of an environment variable (`getenv`).
  package static func variable(_ name: String) -> String? {
    unsafe getenv(name).map { unsafe text(of: $0) }
  }

  /// The ID of the user whose permissions the process has (`geteuid`).
  package static var userID: UInt32 { geteuid() }

  /// Makes a folder the current one (`chdir`).
  package static func enter(_ folder: String) throws(Failure) {
    guard unsafe chdir(folder) == 0 else { throw Failure(.open, folder, code: errno) }
  }

  /// The number of available processors (`sysconf`).
  package static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// Makes a write to a closed pipe, or beyond the limit on file sizes, fail instead of ending the
  /// process, which then could not clean up (`signal`).
  package static func failInsteadOfEnding() {
    for number in [SIGPIPE, SIGXFSZ] { _ = signal(number, SIG_IGN) }
  }

  /// Makes the allocator return each large piece of memory to the system when it is freed
  /// (`mallopt`).
  ///
  /// Otherwise the pieces that a growing list leaves remain in memory: 55 MB for a million entries,
  /// and 3 MB for 100,000. A smaller limit than 1 MiB has no further effect.
  package static func returnFreedMemory() { _ = mallopt(M_MMAP_THRESHOLD, 1 << 20) }

  /// Raises the limit of open files and sockets to `count`, or to the maximum of the system
  /// (`getrlimit`, `setrlimit`).
  ///
  /// The usual limit of 1,024 exists for programs that use `select`, which supports no more.
  package static func allowOpenFiles(_ count: Int) {
    let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    var limit = rlimit()
    guard unsafe getrlimit(files, &limit) == 0, limit.rlim_cur < rlim_t(count) else { return }
    limit.rlim_cur = min(limit.rlim_max, rlim_t(count))
    _ = unsafe setrlimit(files, &limit)
  }

  /// Ensures that no file gets the descriptor number of a standard stream that was closed when the
  /// program started: messages would be written into that file.
  ///
  /// Reading from such a stream, or writing to it, still fails.
  package static func guardStandardStreams() {
    for (number, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] {
      // The lowest free number is the missing one.
      if fcntl(number, F_GETFD) == -1 { _ = unsafe open("/dev/null", mode) }
    }
  }

  /// The arguments of the command line after the program's name; an argument that is not UTF-8
  /// becomes the text of its ``FilePath``.
  package static var arguments: [String] {
    // Swift reads the arguments from `/proc`, which may be missing.
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

  /// The name with which this program was started, without folders; it may be the name of a link.
  package static var programName: String {
    let first =
      CommandLine.argc > 0
      ? unsafe CommandLine.unsafeArgv[0].map { unsafe text(of: $0) }
      : unsafe first_word(0).map { unsafe text(of: $0) }
    return FilePath(FilePath(first ?? "").name.bytes).text
  }

  /// The host name without its domain (`gethostname`); nil if there is none.
  package static var machineName: String? {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return nil }
    let bytes = name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    let first = String(decoding: bytes, as: UTF8.self).prefix { $0 != "." }
    return first.isEmpty ? nil : String(first)
  }

  /// Allows as many open files as the hard limit permits, and makes room for them in the table of
  /// open files (`setrlimit`, `fcntl`), for programs with many files and connections.
  ///
  /// In a process with several threads, each growth of the table waits for all processors, about
  /// 10 ms. Call this before the first other thread starts: then the growth does not wait.
  package static func allowManyOpenFiles() {
    var limit = rlimit()
    let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard unsafe getrlimit(kind, &limit) == 0 else { return }
    if limit.rlim_cur < limit.rlim_max {
      limit.rlim_cur = limit.rlim_max
      guard unsafe setrlimit(kind, &limit) == 0 else { return }
    }
    // The table grows to the highest number in use, and keeps its size.
    let last = Int32(clamping: min(limit.rlim_cur, roomForOpenFiles)) - 1
    let number = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, last)
    if number >= 0 { close(number) }
  }

  /// The number of open files that the table has room for; each uses a few bytes.
  private static let roomForOpenFiles: rlim_t = 4096

  /// A number that grows with each wait of this process for a disk, but not while all data is in
  /// memory (`getrusage`).
  package static var diskReads: Int {
    // In tests that force failures, system calls are counted; this one would be counted by chance.
    if ForcedFailures.areArmed { return 0 }
    var usage = rusage()
    guard unsafe getrusage(Int32(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
    return usage.ru_inblock
  }

  /// Makes UTC the local time zone of the process (`tzset`).
  ///
  /// It must be called on the main thread before other threads start.
  package static func useUniversalTime() {
    unsafe setenv("TZ", "UTC0", 1)
    tzset()
  }

  /// Ends the process with a signal, so that a shell script that runs it also stops (`raise`).
  package static func end(bySignal number: Int32) -> Never {
    _ = signal(number, SIG_DFL)
    _ = raise(number)
    exit(128 + number)
  }
}

/// Properties of the terminal of a descriptor.
package enum Terminal {
  /// Returns whether the descriptor is a terminal (`isatty`).
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Returns the number of columns of the terminal (`ioctl`); nil if the descriptor is not a
  /// terminal, or the number is unknown.
  package static func columns(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }
}
