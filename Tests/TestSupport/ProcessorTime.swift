import Glibc

/// The seconds that the processor worked for this thread in `work`: unlike the time that passes,
/// they say little of what else the machine does meanwhile.
package func processorTime(_ work: () throws -> Void) rethrows -> Double {
  func now() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  let start = now()
  try work()
  return now() - start
}
