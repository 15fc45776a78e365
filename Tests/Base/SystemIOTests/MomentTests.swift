import SystemIO
import TestSupport
import Testing

@Suite("Times of entries")
struct MomentTests {
  @Test(arguments: [
    ("0", 0), ("1700000000", 1_700_000_000), ("-5", -5), ("2001-01-01", 978_307_200),
    ("2001-01-01T00:00:00Z", 978_307_200), ("2001-01-01T01:00:00+01:00", 978_307_200),
    ("2000-02-29", 951_782_400), ("2000-12-31T19:00:00-05:00", 978_307_200),
    ("2001-01-01T05:45:00+0545", 978_307_200), ("2001-01-01T01:00:00+01", 978_307_200),
    ("2001-01-01 00:00:00Z", 978_307_200), ("2001-01-01t00:00z", 978_307_200),
    ("9999-12-31T23:59:59Z", 253_402_300_799),
    // The values of 'date -u -d 1582-10-04 +%s': there is one calendar.
    ("1582-10-15", -12_219_292_800), ("1582-10-14", -12_219_379_200),
    ("1582-10-04", -12_220_243_200), ("1500-01-01", -14_831_769_600),
    ("0000-03-01", -62_162_035_200), ("0001-01-01T00:00:00Z", -62_135_596_800),
  ])
  func `Unix seconds and ISO 8601 are read`(text: String, seconds: Int64) {
    #expect(Moment(text) == Moment(seconds: seconds))
  }

  @Test(arguments: [
    ("250", 250_000_000), ("1", 100_000_000), ("123456789", 123_456_789), ("000000001", 1),
    ("999999999", 999_999_999), ("0", 0),
  ])
  func `a part of a second after a point or a comma is kept to the nanosecond`(
    digits: String, nanoseconds: UInt32
  ) {
    for sign in [".", ","] {
      #expect(
        Moment("2001-01-01T01:00:00\(sign)\(digits)+01:00")
          == Moment(seconds: 978_307_200, nanoseconds: nanoseconds))
      // Nanoseconds count upwards, also before 1970.
      #expect(
        Moment("1969-12-31T23:59:59\(sign)\(digits)Z")
          == Moment(seconds: -1, nanoseconds: nanoseconds))
    }
  }

  @Test(arguments: [
    "", "now", "2001-13-01", "2001-01-01T00:00:00", "1.5", "+3", "2001-01-01junk", "2001-02-29",
    "2001-04-31T00:00:00Z", "2001-01-01T24:00:01Z", "2001-01-01T00:60:00Z",
    "2001-01-01T00:00:00.5", "2001-02-30T00:00:00.5+01:00", "2001-01-01T00:00:00.1234567890Z",
    "2001-01-01T00:00:00.Z", "2001-01-01T00:00:00,Z", "2001-01-01T00:00:00+25:00",
    "2001-01-01T00:00:00+01:60", "2001-01-01T00:00:00+1:00", "2001-01-01T00:00:00Z noon",
    "2001-01-01T00:00:00+01:00Z", "2001-01-01T00:00:60Z", "2001-01-01T", "2001-1-1",
    "2001-01-01T00Z", "2001-00-01", "2001-01-00", "1900-02-29", "12001-01-01",
    "2001-01-01T00:00:00 +01:00", "２００１-01-01", "99999999999999999999",
  ])
  func `other texts are rejected`(text: String) {
    #expect(Moment(text) == nil)
  }

  @Test(arguments: [
    (Int64.max, "+292277026596-12-04T15:30:07Z"), (.min, "-292277022657-01-27T08:29:52Z"),
    (.min + 1, "-292277022657-01-27T08:29:53Z"), (-1, "1969-12-31T23:59:59Z"),
    (253_402_300_799, "9999-12-31T23:59:59Z"), (253_402_300_800, "+10000-01-01T00:00:00Z"),
    (-62_167_219_200, "0000-01-01T00:00:00Z"), (-62_167_219_201, "-0001-12-31T23:59:59Z"),
    (951_782_399, "2000-02-28T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
  ])
  func `any moment is written, up to the limits of 64 bits`(seconds: Int64, text: String) {
    #expect(Moment(seconds: seconds).description == text)
  }

  @Test
  func `a time with text before or after it, or without one character, is not read`()
    throws
  {
    var seeded = Seeded(seed: 3)
    for text in ["2026-11-20T21:00:00,123456789+00:00", "2026-11-20T21:00:00.5Z", "1582-10-04"] {
      let time = try #require(Moment(text))
      for tail in [" ", "0", "Z", "junk", "\n", "\0"] {
        #expect(Moment(tail + text) == nil)
        #expect(Moment(text + tail).map { $0 != time } ?? true, "\(text)\(tail)")
      }
      for place in text.indices where "-:T".contains(text[place]) {
        var shorter = text
        shorter.remove(at: place)
        // Without the colon of its zone, '2026-11-20T21:00:00' is still a time.
        #expect(Moment(shorter).map { $0 == time } ?? true, "\(shorter)")
      }
    }
    // A written value is read as the same value.
    for _ in 0..<2000 {
      let time = Moment(
        seconds: -62_167_219_200 + Int64(seeded.next() % 315_569_520_000),
        nanoseconds: UInt32(seeded.next() % 1_000_000_000))
      #expect(Moment(time.description) == time)
    }
  }

  @Test(arguments: [Int64.min, .min + 1, -86_400, -1, 0, 1, 86_400, .max - 1, .max])
  func `sums and differences of moments are clamped to 64 bits`(seconds: Int64) {
    let numbers: [Int64] = [.min, .min + 1, -1, 0, 1, 1_700_000_000, .max - 1, .max]
    for number in numbers {
      let moment = Moment(seconds: number, nanoseconds: 5)
      let sum = moment.adding(seconds: seconds)
      let wide = Int128(number) + Int128(seconds)
      #expect(sum.seconds == Int64(clamping: wide))
      // A clamped sum has the most extreme nanoseconds, so sums keep their order.
      #expect(sum.nanoseconds == (wide > Int64.max ? 999_999_999 : wide < Int64.min ? 0 : 5))
      let difference = Int128(number) - Int128(seconds)
      let other = Moment(seconds: seconds, nanoseconds: 2_000_005)
      #expect(moment.seconds(since: other) == Int64(clamping: difference))
      #expect(moment.milliseconds(since: other) == Int64(clamping: difference * 1000 - 2))
    }
    #expect(Moment(seconds: .max).milliseconds(since: Moment(seconds: .min)) == .max)
    #expect(Moment(seconds: .min).milliseconds(since: Moment(seconds: .max)) == .min)
  }
}
