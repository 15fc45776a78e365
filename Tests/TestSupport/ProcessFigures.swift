import Foundation

/// What this process uses of the machine just now.
package struct ProcessFigures: Sendable, CustomStringConvertible {
  package let threads: Int
  package let descriptors: Int
  /// The bytes of memory that are really there.
  package let memory: Int

  /// Looks (`/proc/self`).
  package static var now: ProcessFigures {
    func count(_ folder: String) -> Int {
      ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)")) ?? []).count
    }
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return ProcessFigures(
      threads: count("task"), descriptors: count("fd"), memory: kilobytes << 10)
  }

  /// Looks again and again, until there are no more threads and descriptors than before, or too much
  /// time is over.
  package static func settled(asBefore before: ProcessFigures) -> ProcessFigures {
    let end = ContinuousClock.now + .seconds(20)
    while true {
      let now = Self.now
      let isSettled = now.threads <= before.threads && now.descriptors <= before.descriptors
      if isSettled || .now > end { return now }
      usleep(10_000)
    }
  }

  package var description: String {
    "\(threads) threads, \(descriptors) descriptors, \(memory >> 10) KiB"
  }
}
