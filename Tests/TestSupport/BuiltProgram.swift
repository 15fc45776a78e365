import Foundation

/// The program itself, as the build left it beside the tests.
package enum BuiltProgram {
  /// How a run ended.
  package struct Run: Sendable {
    /// The exit status, or the number of the signal that ended it.
    package var status: Int32
    package var wasSignalled: Bool
    package var messages: String
  }

  /// Runs the program, and sends it a signal after a while if asked to.
  package static func run(
    _ words: [String], signal: (number: Int32, after: Double)? = nil
  ) throws -> Run {
    let process = Process()
    process.executableURL = URL(filePath: CommandLine.arguments[0])
      .deletingLastPathComponent().appending(path: "ba-package")
    process.arguments = words
    let messages = Pipe()
    process.standardError = messages
    process.standardOutput = FileHandle.nullDevice
    // A thread of a test may have signals blocked, and the program would inherit that.
    var none = sigset_t()
    var before = sigset_t()
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run()
    if let signal {
      Thread.sleep(forTimeInterval: signal.after)
      kill(process.processIdentifier, signal.number)
    }
    let bytes = try messages.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Run(
      status: process.terminationStatus,
      wasSignalled: process.terminationReason == .uncaughtSignal,
      messages: String(decoding: bytes, as: UTF8.self))
  }

  /// The largest amount of memory, in bytes, that any program run so far had at once.
  package static var peakMemory: Int {
    var usage = rusage()
    unsafe getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
    return Int(usage.ru_maxrss) * 1024
  }
}
