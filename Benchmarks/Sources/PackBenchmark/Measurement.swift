import Foundation
import Glibc

/// The cost of one finished run of a command.
struct Measurement {
  var wall: Double
  var processor: Double
  /// The peak of the total memory of the processes of the command in MiB.
  ///
  /// It is sampled while they run, since the kernel's figure for a child includes the memory of its
  /// parent.
  var peak: Double
  var bytesOut: Int
}

/// A shell command that writes its result to a path.
struct Contender {
  var name: String
  var command: String
  var output: String
  /// The preparation, which is not measured.
  var preparation: String?
  /// The file in which the command records its duration in seconds, if it measures that itself.
  var ownSeconds: String?
}

enum BenchmarkError: Error {
  case commandFailed(String, status: Int32)
  case cannotStart(String)
}

/// Runs a command once, with an idle disk, and reads the figures of the kernel.
func measure(_ contender: Contender) throws -> Measurement {
  try? FileManager.default.removeItem(atPath: contender.output)
  if let preparation = contender.preparation { try run(preparation) }
  sync()
  let begin = ContinuousClock.now
  let (status, usage, peak) = try runShell(contender.command, watched: true)
  let wall = (ContinuousClock.now - begin) / .seconds(1)
  guard status == 0 else { throw BenchmarkError.commandFailed(contender.command, status: status) }
  let own = contender.ownSeconds.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) }
  return Measurement(
    wall: own.flatMap(Double.init) ?? wall,
    processor: seconds(usage.ru_utime) + seconds(usage.ru_stime),
    peak: Double(peak) / 1024,
    bytesOut: sizeOnDisk(contender.output))
}

/// Runs contenders alternately, round after round, so that a slower machine affects all of them.
///
/// A contender that fails is omitted, with a message.
func measureInTurn(_ contenders: [Contender], rounds: Int) -> [String: [Measurement]] {
  var results: [String: [Measurement]] = [:]
  var failed: Set<String> = []
  for _ in 0..<rounds {
    for contender in contenders where !failed.contains(contender.name) {
      do {
        results[contender.name, default: []].append(try measure(contender))
      } catch {
        failed.insert(contender.name)
        say("\(contender.name) is omitted: \(error)")
      }
    }
  }
  for contender in contenders { try? FileManager.default.removeItem(atPath: contender.output) }
  return results
}

/// Runs a command without measurement.
func run(_ command: String) throws {
  let (status, _, _) = try runShell(command)
  guard status == 0 else { throw BenchmarkError.commandFailed(command, status: status) }
}

/// Reads every file once, so that no contender reads from a cold page cache.
func warm(_ corpus: Corpus) {
  _ = try? runShell("find '\(corpus.folder)' -type f -exec cat {} + > /dev/null")
}

func say(_ words: String) {
  FileHandle.standardError.write(Data("\(words)\n".utf8))
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  guard !sorted.isEmpty else { return .nan }
  let middle = sorted.count / 2
  return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/// Returns the median of the ratios of consecutive runs.
func medianRatio(
  _ left: [Measurement], _ right: [Measurement], _ figure: KeyPath<Measurement, Double>
) -> Double {
  median(zip(left, right).map { $0[keyPath: figure] / $1[keyPath: figure] })
}

/// Runs a command; `peak` in KiB is sampled every millisecond if it is `watched`.
private func runShell(
  _ command: String, watched: Bool = false
) throws -> (status: Int32, usage: rusage, peak: Int) {
  var child = pid_t()
  var arguments: [UnsafeMutablePointer<CChar>?] = []
  for word in ["sh", "-c", command] { arguments.append(strdup(word)) }
  defer { for argument in arguments { free(argument) } }
  arguments.append(nil)
  guard posix_spawn(&child, "/bin/sh", nil, nil, &arguments, environ) == 0 else {
    throw BenchmarkError.cannotStart(command)
  }
  var status: Int32 = 0
  var usage = rusage()
  var marks: [pid_t: Int] = [:]
  while true {
    let ended = wait4(child, &status, watched ? WNOHANG : 0, &usage)
    if ended == child || (ended < 0 && errno != EINTR) { break }
    for process in family(of: child) {
      marks[process] = max(marks[process] ?? 0, highWaterMark(of: process))
    }
    usleep(2_000)
  }
  return (status, usage, marks.values.reduce(0, +))
}

/// Returns a process and its descendants.
private func family(of process: pid_t) -> [pid_t] {
  let children = try? String(
    contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
  return [process]
    + (children ?? "").split(separator: " ").compactMap { pid_t($0) }.flatMap { family(of: $0) }
}

/// Returns the current peak memory of a running process in KiB.
private func highWaterMark(of process: pid_t) -> Int {
  let text = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
  let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
  return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
}

private func seconds(_ time: timeval) -> Double {
  Double(time.tv_sec) + Double(time.tv_usec) / 1_000_000
}

private func sizeOnDisk(_ path: String) -> Int {
  (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0
}
