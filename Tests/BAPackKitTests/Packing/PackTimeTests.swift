import BAPackKit
import Testing

@Suite("Times of entries")
struct PackTimeTests {
  @Test(
    "Unix seconds and ISO 8601 are read",
    arguments: [
      ("0", 0), ("1700000000", 1_700_000_000), ("-5", -5), ("2001-01-01", 978_307_200),
      ("2001-01-01T00:00:00Z", 978_307_200), ("2001-01-01T01:00:00+01:00", 978_307_200),
      ("2000-02-29", 951_782_400), ("2000-12-31T19:00:00-05:00", 978_307_200),
    ])
  func read(text: String, seconds: Int64) {
    #expect(PackTime(text) == PackTime(seconds: seconds))
  }

  @Test("a part of a second is kept")
  func fraction() {
    #expect(
      PackTime("2001-01-01T00:00:00.250Z")
        == PackTime(seconds: 978_307_200, nanoseconds: 250_000_000))
  }

  @Test(
    "anything else is refused",
    arguments: [
      "", "now", "2001-13-01", "2001-01-01T00:00:00", "1.5", "+3", "2001-01-01junk", "2001-02-29",
      "2001-04-31T00:00:00Z", "2001-01-01T24:00:01Z", "2001-01-01T00:60:00Z",
      "2001-01-01T00:00:00.5", "2001-02-30T00:00:00.5+01:00",
    ])
  func refused(text: String) {
    #expect(PackTime(text) == nil)
  }

  @Test(
    "any moment is written, to the ends of 64 bits",
    arguments: [
      (Int64.max, "+292277026596-12-04T15:30:07Z"), (.min, "-292277022657-01-27T08:29:52Z"),
      (.min + 1, "-292277022657-01-27T08:29:53Z"), (-1, "1969-12-31T23:59:59Z"),
      (253_402_300_799, "9999-12-31T23:59:59Z"), (253_402_300_800, "+10000-01-01T00:00:00Z"),
      (-62_167_219_200, "0000-01-01T00:00:00Z"), (-62_167_219_201, "-0001-12-31T23:59:59Z"),
      (951_782_399, "2000-02-28T23:59:59Z"), (951_782_400, "2000-02-29T00:00:00Z"),
    ])
  func written(seconds: Int64, text: String) {
    #expect(PackTime(seconds: seconds).description == text)
  }
}
