import Foundation

/// The current resources of this process.
package struct ProcessFigures: Sendable, CustomStringConvertible {
  package let threads: Int
  /// The target of each open descriptor: a path or a type of socket.
  package let targets: [String]
  /// The resident memory in bytes.
  package let memory: Int

  /// Reads the figures from `/proc/self`.
  package static var now: ProcessFigures {
    func names(in folder: String) -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)")) ?? []
    }
    let targets = names(in: "fd").map { name in
      // The descriptor of the listing is closed.
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"))
        ?? "closed"
    }
    return ProcessFigures(
      threads: names(in: "task").count, targets: targets.sorted(), memory: bytes("VmRSS:"))
  }

  /// The number of open descriptors.
  ///
  /// Timers are not counted: libdispatch opens one when its threads have to wait for processors,
  /// and does not close it. This project opens none.
  package var descriptors: Int { targets.count { $0 != "anon_inode:[timerfd]" } }

  /// The peak memory of this process in bytes.
  package static var peakMemory: Int { bytes("VmHWM:") }

  private static func bytes(_ name: String) -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
  }

  /// Reads the figures repeatedly, until the numbers of threads and descriptors have fallen to the
  /// earlier ones, or until the timeout.
  package static func settled(asBefore before: ProcessFigures) -> ProcessFigures {
    let end = ContinuousClock.now + .seconds(600)
    while true {
      let now = Self.now
      let isSettled = now.threads <= before.threads && now.descriptors <= before.descriptors
      if isSettled || .now > end { return now }
      usleep(10_000)
    }
  }

  package var description: String {
    "\(threads) threads, \(descriptors) descriptors (\(targets.joined(separator: " "))), "
      + "\(memory >> 10) KiB"
  }
}
