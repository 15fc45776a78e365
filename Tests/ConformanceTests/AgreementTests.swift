import BAPackKit
import TestSupport
import Testing

/// Our reader and the referee, which share no code, say the same about the same bytes.
@Suite struct AgreementTests {
  @Test("our reader agrees with the referee on the annotated example", arguments: Example.allCases)
  func examples(_ example: Example) throws {
    let bytes = try example.bytes()
    let referee = try RefereeArchive(bytes)
    var reader = try PackReader(bytes, named: "example")
    #expect(reader.container?.blockSize == referee.container.map { UInt64($0.blockSize) })
    for expected in referee.entries {
      let entry = try #require(try reader.nextEntry())
      #expect(entry.pathBytes == expected.path)
      #expect(entry.streamOffset == UInt64(expected.offset))
      #expect(entry.permissions.map(Int.init) == expected.number("MOD"))
      #expect(entry.userID.map(Int.init) == expected.number("UID"))
      #expect(entry.groupID.map(Int.init) == expected.number("GID"))
      let time = entry.modified.map { RefereeEntry.Time(Int($0.seconds), Int($0.nanoseconds)) }
      #expect(time == expected.time("MTM"))
      #expect(entry.size.map(Int.init) == expected.blobs["DAT"]?.count)
      #expect(try reader.contents(of: entry, atMost: 1 << 20) ?? [] == expected.data)
    }
    let rest = try reader.nextEntry()
    #expect(rest == nil)
  }
}
