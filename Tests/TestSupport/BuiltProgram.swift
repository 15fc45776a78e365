import Foundation
import Glibc

/// The program itself, as the build left it beside the tests.
package enum BuiltProgram {
  /// How a run ended.
  package struct Run: Sendable {
    /// The exit status, or the number of the signal that ended it.
    package var status: Int32
    package var wasSignalled: Bool
    package var messages: String
    /// The largest amount of memory, in bytes, that it had at once.
    package var peakMemory: Int
  }

  /// Runs the program, and sends it a signal after a while if asked to.
  package static func run(
    _ words: [String], signal: (number: Int32, after: Double)? = nil
  ) throws -> Run {
    let program = URL(filePath: CommandLine.arguments[0])
      .deletingLastPathComponent().appending(path: "ba-package").path(percentEncoded: false)
    let folder = try TemporaryFolder()
    let child = try spawn([program] + words, messages: folder.path("messages"))
    if let signal {
      Thread.sleep(forTimeInterval: signal.after)
      kill(child, signal.number)
    }
    // What the kernel counts for a child begins with the memory of this process, which started it;
    // so its own high-water mark is looked at for as long as it runs.
    var status: Int32 = 0
    var peak = 0
    while unsafe waitpid(child, &status, WNOHANG) == 0 {
      peak = max(peak, highWaterMark(of: child))
      usleep(1_000)
    }
    let wasSignalled = status & 0x7F != 0
    return Run(
      status: wasSignalled ? status & 0x7F : (status >> 8) & 0xFF, wasSignalled: wasSignalled,
      messages: try String(contentsOfFile: folder.path("messages"), encoding: .utf8),
      peakMemory: peak)
  }

  /// The largest amount of memory that a running process had so far, in bytes.
  private static func highWaterMark(of process: pid_t) -> Int {
    let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
  }

  private static func spawn(_ words: [String], messages: String) throws -> pid_t {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { _ = unsafe posix_spawn_file_actions_destroy(&actions) }
    unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    unsafe posix_spawn_file_actions_addopen(&actions, 2, messages, O_WRONLY | O_CREAT, 0o600)
    // A thread of a test may have signals blocked, and the program would inherit that.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { _ = unsafe posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe []
    for word in words { unsafe arguments.append(strdup(word)) }
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    unsafe arguments.append(nil)
    var child = pid_t()
    let code = unsafe posix_spawn(
      &child, words[0], &actions, &attributes, &arguments, environ)
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
    return child
  }
}
