import CSystem
import Glibc

/// A child process that this program starts and waits for, with the processes that the child
/// starts.
///
/// They run in a separate process group, so that a signal reaches all of them. If this program is
/// in the foreground of a terminal, they run in the same group as this program instead: only the
/// foreground group may read from the terminal and receives the signals of its keys, such as
/// Ctrl-C.
package final class ChildProcess: Sendable {
  /// The result of a program.
  package enum End: Sendable, Equatable {
    case status(Int32)
    case signal(Int32)
  }

  /// Rings when the program has ended.
  package let alarm: Alarm
  private let number: pid_t
  /// The kept standard output.
  private let output: FileDescriptor?
  /// Whether the child and its processes have a separate group, to which the terminal sends no
  /// signals.
  package let hasOwnGroup: Bool
  /// The result of the program; nil while it runs.
  ///
  /// A thread that sends a signal locks the value, so that the process ID of the child is not
  /// reused.
  private let ending = InTurn<End?>(nil)

  /// Starts a program without a shell (`posix_spawnp`).
  ///
  /// The program is searched for in `PATH`. It gets the environment of this process with some
  /// variables changed, or removed where the value is nil. It inherits the standard streams, but no
  /// other files and no ignored signals. If `input` is given, its standard input has these bytes
  /// instead. With `capturesOutput`, its standard output is kept in memory.
  package convenience init(
    _ words: [String], changing variables: [String: String?] = [:], input: [UInt8]? = nil,
    capturesOutput: Bool = false
  ) throws(Failure) {
    let inputFile = try Self.memoryFile(input ?? [])
    let outputFile = try Self.memoryFile([])
    try self.init(
      words, changing: variables,
      streams: [
        input == nil ? 0 : inputFile.number, capturesOutput ? outputFile.number : 1,
      ], keeping: outputFile, inOwnGroup: !(0...2).contains { tcgetpgrp($0) == getpgrp() })
  }

  /// Starts a program with these descriptors as its first streams, instead of those of this
  /// process.
  init(
    _ words: [String], changing variables: [String: String?], streams: [Int32],
    keeping output: consuming FileDescriptor?, inOwnGroup hasOwnGroup: Bool
  ) throws(Failure) {
    let alarm = try Alarm()
    self.alarm = alarm
    self.hasOwnGroup = hasOwnGroup
    number = try Self.spawn(
      words, Self.environment(changing: variables), streams, inOwnGroup: hasOwnGroup)
    self.output = output
    let (number, ending) = (number, ending)
    try WorkerThreads.startAlone {
      Self.waitForEnd(of: number, ending)
      alarm.ring()
    }
  }

  private static func waitForEnd(of number: pid_t, _ ending: InTurn<End?>) {
    // The process ID is not reused until its status is read: no other process receives the signal.
    var facts = unsafe siginfo_t()
    while unsafe waitid(P_PID, id_t(number), &facts, WEXITED | WNOWAIT) == -1, errno == EINTR {}
    ending.with { end in
      var status: Int32 = 0
      while unsafe waitpid(number, &status, 0) == -1, errno == EINTR {}
      let signal = status & 0x7F
      end = signal == 0 ? .status((status >> 8) & 0xFF) : .signal(signal)
    }
  }

  /// The result; nil while it runs.
  package var end: End? { ending.with { $0 } }

  /// Returns the kept standard output, after the program has ended.
  package func readOutput(atMost count: Int) throws(Failure) -> [UInt8] {
    guard output != nil else { return [] }
    try output?.seek(to: 0)
    return try output?.readToEnd(atMost: count) ?? []
  }

  /// Whether the child or one of its processes still runs.
  ///
  /// Without a separate group, only the child counts.
  package var isRunning: Bool {
    ending.with { $0 == nil || hasOwnGroup && kill(-number, 0) == 0 }
  }

  /// Sends a signal (`kill`) to the child and its processes, unless all of them have ended.
  ///
  /// Without a separate group, the processes of the child receive the signal only if this process
  /// is the leader of its group.
  package func signal(_ signal: Int32) {
    ending.with { end in
      if hasOwnGroup {
        // The system does not reuse the number of a group that contains a process.
        _ = kill(-number, signal)
      } else if signal != SIGKILL, getpgrp() == getpid() {
        let before = Glibc.signal(signal, SIG_IGN)
        _ = kill(0, signal)
        _ = Glibc.signal(signal, before)
      } else if end == nil {
        _ = kill(number, signal)
      }
    }
  }

  private static func environment(changing variables: [String: String?]) -> [String] {
    var lines: [String] = []
    var next = unsafe environ
    while let line = unsafe next.pointee {
      let text = unsafe String(cString: line)
      let name = text.prefix { $0 != "=" }
      if variables[String(name)] == nil { lines.append(text) }
      unsafe next += 1
    }
    for (name, value) in variables.sorted(by: { $0.key < $1.key }) {
      if let value { lines.append("\(name)=\(value)") }
    }
    return lines
  }

  private static func spawn(
    _ words: [String], _ environment: [String], _ streams: [Int32], inOwnGroup hasOwnGroup: Bool
  ) throws(Failure) -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (stream, number) in streams.enumerated() {
      unsafe posix_spawn_file_actions_adddup2(&actions, number, Int32(stream))
    }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe posix_spawnattr_destroy(&attributes) }
    // Signals that this process ignores have their default effect in the child.
    var defaults = sigset_t()
    unsafe sigemptyset(&defaults)
    for number in [SIGPIPE, SIGXFSZ] { unsafe sigaddset(&defaults, number) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
    let flags = POSIX_SPAWN_SETSIGDEF | (hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0)
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
    var started: pid_t = 0
    let program = words.first ?? ""
    var code: Int32 = 0
    unsafe withArray(of: words) { words in
      unsafe withArray(of: environment) { environment in
        code = unsafe posix_spawnp(&started, program, &actions, &attributes, words, environment)
      }
    }
    guard code == 0 else { throw Failure(.start, program, code: code) }
    return started
  }

  /// Returns a file in memory with these bytes (`memfd_create`).
  static func memoryFile(_ bytes: [UInt8]) throws(Failure) -> FileDescriptor {
    let number = try perform(.open, "") {
      unsafe memfd_create("stream", UInt32(memory_file_closed))
    }
    let file = FileDescriptor(owning: number, path: "")
    try file.write(bytes)
    try file.seek(to: 0)
    return file
  }

  /// Calls a function with texts as a C array: pointers with nil at the end.
  private static func withArray(
    of texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Void
  ) {
    var pointers = unsafe texts.map { unsafe strdup($0) } + [nil]
    unsafe body(&pointers)
    unsafe pointers.forEach { unsafe free($0) }
  }
}
