package import SystemIO

extension Connection {
  /// Returns all bytes until the other side closes the connection, and the error if it did not
  /// close normally.
  package func readToEnd() -> (bytes: [UInt8], failure: Failure?) {
    var all: [UInt8] = []
    do throws(Failure) {
      while true {
        let more = try read(atMost: 1 << 16)
        if more.isEmpty { return (all, nil) }
        all += more
      }
    } catch {
      return (all, error)
    }
  }
}
