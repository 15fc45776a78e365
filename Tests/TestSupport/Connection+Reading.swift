package import SystemIO

extension Connection {
  /// All that comes until the other side ends, and what ended it if that was no ordinary end.
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
