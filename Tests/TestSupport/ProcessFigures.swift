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
    return ProcessFigures(
      threads: count("task"), descriptors: count("fd"), memory: bytes("VmRSS:"))
  }

  /// The largest amount of memory, in bytes, that this process had at once.
  package static var peakMemory: Int { bytes("VmHWM:") }

  private static func bytes(_ name: String) -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix(name) }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) << 10
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
