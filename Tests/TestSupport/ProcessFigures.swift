import Foundation

/// What this process uses of the machine just now.
package struct ProcessFigures: Sendable, CustomStringConvertible {
  package let threads: Int
  /// The target of each open descriptor: a path, a kind of socket.
  package let targets: [String]
  /// The bytes of memory that are really there.
  package let memory: Int

  /// Looks (`/proc/self`).
  package static var now: ProcessFigures {
    func names(in folder: String) -> [String] {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)")) ?? []
    }
    let targets = names(in: "fd").map { name in
      // The descriptor of the listing itself is closed by now.
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"))
        ?? "closed"
    }
    return ProcessFigures(
      threads: names(in: "task").count, targets: targets.sorted(), memory: bytes("VmRSS:"))
  }

  /// The number of open descriptors.
  ///
  /// Timers are not counted: libdispatch opens one when its threads have to wait for processors,
  /// and keeps it. This project opens none.
  package var descriptors: Int { targets.count { $0 != "anon_inode:[timerfd]" } }

  /// The largest amount of memory, in bytes, that this process had at once.
  package static var peakMemory: Int { bytes("VmHWM:") }

  private static func bytes(_ name: String) -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
  }

  /// Looks again and again, until there are no more threads and descriptors than before, or too
  /// much time is over.
  package static func settled(asBefore before: ProcessFigures) -> ProcessFigures {
    let end = ContinuousClock.now + .seconds(60)
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
