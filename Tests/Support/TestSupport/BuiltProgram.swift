import Foundation
import Glibc
import SystemIO

/// The built program.
package enum BuiltProgram {
  /// The end of a run.
  package struct Run: Sendable {
    /// The exit status, or the number of the terminating signal.
    package var status: Int32
    package var wasSignalled: Bool
    package var messages: String
    /// The peak memory in bytes.
    package var peakMemory: Int
  }

  /// A signal that is sent as soon as the running program is ready for it.
  package struct Interruption {
    var signal: Int32
    var isDue: (Progress) -> Bool

    package init(signal: Int32, when isDue: @escaping (Progress) -> Bool) {
      self.signal = signal
      self.isDue = isDue
    }
  }

  /// The state of a running program that other processes can read.
  package struct Progress {
    fileprivate let process: pid_t

    /// Returns the number of bytes in the open files whose paths have this prefix.
    package func openBytes(below path: String) -> Int {
      let folder = "/proc/\(process)/fd"
      let numbers = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
      return numbers.reduce(0) { total, number in
        var status = stat()
        let target = try? FileManager.default.destinationOfSymbolicLink(
          atPath: "\(folder)/\(number)")
        guard target?.hasPrefix(path) == true, unsafe stat("\(folder)/\(number)", &status) == 0
        else { return total }
        return total + Int(status.st_size)
      }
    }
  }

  /// The path of the program: `PROGRAM_UNDER_TEST` in the environment, or the build product.
  package static let program =
    ProcessInfo.processInfo.environment["PROGRAM_UNDER_TEST"]
    ?? URL(filePath: CommandLine.arguments[0])
    .deletingLastPathComponent().appending(path: "ba-package").path(percentEncoded: false)

  /// Runs the program, with changed environment variables and after shell commands such as `umask
  /// 077`.
  ///
  /// It receives a signal when that is due. The results are written to a file.
  package static func run(
    _ arguments: [String], environment: [String: String] = [:], after setUp: String? = nil,
    interrupted interruption: Interruption? = nil, output: String = "/dev/null"
  ) throws -> Run {
    let folder = try TemporaryFolder()
    let shell = setUp.map { ["/bin/sh", "-c", "\($0); exec \"$@\"", "sh"] } ?? []
    let child = try spawn(
      shell + [program] + arguments, environment, output: output, messages: folder.path("messages"))
    // 'ru_maxrss' of a child process includes the memory of this process, so the loop reads the
    // child's own high-water mark. Between 'fork' and 'exec', that mark is also the one of this
    // process: readings count only after the child has started the program.
    var status: Int32 = 0
    var peak = 0
    var hasStarted = false
    var isSent = interruption == nil
    while unsafe waitpid(child, &status, WNOHANG) == 0 {
      hasStarted = hasStarted || isProgram(child)
      if hasStarted { peak = max(peak, highWaterMark(of: child)) }
      if let interruption, !isSent, interruption.isDue(Progress(process: child)) {
        kill(child, interruption.signal)
        isSent = true
      }
      usleep(1_000)
    }
    let wasSignalled = status & 0x7F != 0
    return Run(
      status: wasSignalled ? status & 0x7F : (status >> 8) & 0xFF, wasSignalled: wasSignalled,
      messages: try String(contentsOfFile: folder.path("messages"), encoding: .utf8),
      peakMemory: peak)
  }

  /// Returns whether a child process has replaced its memory with that of the program.
  private static func isProgram(_ process: pid_t) -> Bool {
    let target = try? FileManager.default.destinationOfSymbolicLink(
      atPath: "/proc/\(process)/exe")
    return target.map { URL(filePath: $0).lastPathComponent }
      == URL(filePath: program).lastPathComponent
  }

  /// Returns the current peak memory of a running process in bytes.
  private static func highWaterMark(of process: pid_t) -> Int {
    let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
  }

  /// Starts a program whose results and messages are written to files.
  static func spawn(
    _ arguments: [String], _ changes: [String: String], output: String = "/dev/null",
    messages: String
  ) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(
      &actions, 1, output, O_WRONLY | O_CREAT, 0o600)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, messages, O_WRONLY | O_CREAT, 0o600)
    // The program would inherit descriptors of tests that run at the same time. A number that is
    // not open is not an error here.
    for number: Int32 in 3..<1024 { unsafe posix_spawn_file_actions_addclose(&actions, number) }
    // A thread of a test may have blocked signals, which the program would inherit.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let environment = ProcessInfo.processInfo.environment.merging(changes) { $1 }
    var child = pid_t()
    let code = unsafe withCStrings(arguments) { strings in
      unsafe withCStrings(environment.map { "\($0)=\($1)" }) { variables in
        unsafe posix_spawn(&child, arguments[0], &actions, &attributes, strings, variables)
      }
    }
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    return child
  }

  private static func copy(of bytes: [UInt8]) -> UnsafeMutablePointer<CChar>? {
    unsafe (bytes + [0]).withUnsafeBytes { buffer in
      unsafe strdup(buffer.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self))
    }
  }

  /// Passes arguments as C strings; one that is not a text is the bytes of a path.
  private static func withCStrings(
    _ arguments: [String],
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
  ) -> Int32 {
    var pointers: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map {
      unsafe copy(of: FilePath($0).bytes)
    }
    defer { for index in unsafe pointers.indices { unsafe free(pointers[index]) } }
    unsafe pointers.append(nil)
    return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return EINVAL }
      return unsafe body(base)
    }
  }
}
