/// A moment: seconds since 1970-01-01T00:00:00Z and nanoseconds upward from there.
package struct Timestamp: Sendable, Hashable {
  package var seconds: Int64
  package var nanoseconds: UInt32

  package init(seconds: Int64, nanoseconds: UInt32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }
}
