import SystemIO
import Testing

/// Durations and rates as users write them.
@Suite struct WrittenValueTests {
  @Test func `durations are written in the notation that is read`() {
    #expect(Duration(written: "200ms") == .milliseconds(200))
    #expect(Duration(written: "1.5s") == .milliseconds(1500))
    #expect(Duration(written: "2m") == .seconds(120))
    #expect(Duration(written: "2h") == .seconds(7200))
    for text in ["1ms", "1500ms", "2s", "86400s"] {
      #expect(Duration(written: text)?.written == text)
    }
    for wrong in [
      "", "10", "s", "1H", "25h", "2d", "25000m", "1.s", ".5s", "1e3s", "-1s", "1.2.3s",
    ] {
      #expect(Duration(written: wrong) == nil, "\(wrong)")
    }
  }

  @Test func `rates are written in the notation that is read`() {
    #expect(BitRate.bytesPerSecond(written: "3mbit") == 375_000)
    #expect(BitRate.bytesPerSecond(written: "0.5Mbit") == 62_500)
    for text in ["8kbit", "3mbit", "62.504kbit", "1000mbit", "0.008kbit"] {
      let rate = BitRate.bytesPerSecond(written: text)
      #expect(rate.map { BitRate.written(bytesPerSecond: $0) } == text)
    }
    for wrong in ["", "3", "3m", "mbit", "0kbit", "0.001kbit", "99999999999gbit"] {
      #expect(BitRate.bytesPerSecond(written: wrong) == nil, "\(wrong)")
    }
  }
}
