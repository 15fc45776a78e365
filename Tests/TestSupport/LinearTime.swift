import Glibc
package import Testing

/// Checks that work takes linear time, and returns its result.
///
/// `seconds` is the processor time that this thread needs for it in an optimised build, without
/// other programs on the machine.
@discardableResult
package func expectLinearTime<Success>(
  usually seconds: Double, _ subject: String = "", at place: SourceLocation = #_sourceLocation,
  _ work: () throws -> Success
) rethrows -> Success {
  let start = processorTime()
  let result = try work()
  LinearTime(usually: seconds).expect(processorTime() - start, subject, at: place)
  return result
}

extension BuiltProgram.Run {
  /// Checks that the program took linear time.
  ///
  /// `seconds` is the processor time that its threads need together, without other programs on the
  /// machine.
  package func expectLinearTime(
    usually seconds: Double, _ subject: String = "", at place: SourceLocation = #_sourceLocation
  ) {
    LinearTime(usually: seconds).expect(processorTime, subject, at: place)
  }
}

/// A limit of processor time that only a faster growth than the linear one exceeds.
///
/// Other programs can double the processor time of the same work, so a limit of a few times the
/// usual one fails by chance. Inputs must be large enough that quadratic time exceeds this limit.
private struct LinearTime {
  private let seconds: Double

  init(usually seconds: Double) {
    #if DEBUG
      self.seconds = 10 * 40 * seconds
    #else
      self.seconds = 10 * seconds
    #endif
  }

  func expect(_ time: Double, _ subject: String, at place: SourceLocation) {
    #expect(
      time < seconds, "\(subject.isEmpty ? "" : subject + ": ")\(time) s", sourceLocation: place)
  }
}

/// Returns the processor time of this thread in seconds.
private func processorTime() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
