import BAPackKit
import Reporting
import SourceDiagnostics
import TestSupport
import Testing

/// An archive of a release is not decoded if an earlier release contains the same bytes.
@Suite("Archives of several releases")
struct KnownArchiveTests {
  private static let report: PackOutline.Detail = [.shares, .digests, .archiveDigest]
  /// Less than one block of the packs.
  private static let littleMemory: UInt64 = 1000

  private static func pack(_ files: [String: [UInt8]]) -> PackModel {
    var pack = PackModel()
    pack.files = files
    return pack
  }

  private static func bytes(_ seed: UInt64, _ count: Int = 500) -> [UInt8] {
    var random = Seeded(seed: seed)
    return random.noise(count)
  }

  private static let old = [
    "equal": pack(["a": bytes(1), "copy": bytes(1), "empty": []]),
    "renamed": pack(["before": bytes(2), "b": bytes(3)]),
    "source": pack(["moved": bytes(4), "empty": [], "c": bytes(5)]),
    "target": pack(["d": bytes(6)]),
    "changed": pack(["same": bytes(7), "size": bytes(8)]),
    "removed": pack(["e": bytes(9)]),
  ]
  private static let new = [
    "equal": pack(["a": bytes(1), "copy": bytes(1), "empty": []]),
    "renamed": pack(["after": bytes(2), "b": bytes(3)]),
    "source": pack(["c": bytes(5)]),
    "target": pack(["moved": bytes(4), "empty": [], "d": bytes(6)]),
    "changed": pack(["same": bytes(7), "size": bytes(10)]),
    "added": pack(["e": bytes(9), "f": bytes(1)]),
  ]

  private static func reader(_ detail: PackOutline.Detail = report) -> InventoryReader {
    var reader = InventoryReader()
    reader.detail = detail
    return reader
  }

  private static func read(
    _ path: String, by reader: InventoryReader
  ) throws -> Inventory {
    var findings = Ledger()
    return try #require(try reader.read([path], &findings, .unstoppable))
  }

  private func report(_ old: Inventory, _ new: Inventory) throws -> [UInt8] {
    let comparison = try Comparison(from: old, to: new, .unstoppable)
    return ReportJSON(of: Report(new, comparison: comparison)).bytes
  }

  @Test(arguments: [
    PackOutline.Detail.shares, [.shares, .digests], [.shares, .digests, .archiveDigest],
  ])
  func `a report is the same as when each archive is decoded`(detail: PackOutline.Detail) throws {
    let releases = try Releases()
    let paths = (
      old: try releases.release("old", Self.old), new: try releases.release("new", Self.new)
    )
    let (before, now) = (
      try Self.read(paths.old, by: Self.reader(detail)),
      try Self.read(paths.new, by: Self.reader(detail))
    )
    var reader = Self.reader(detail)
    reader.addKnown(before)
    let again = try Self.read(paths.new, by: reader)
    #expect(again.packs.map(\.id) == now.packs.map(\.id))
    for (one, other) in zip(again.packs, now.packs) {
      #expect(one.place == other.place)
      #expect(one.contents == other.contents)
      #expect(one.sha256 == other.sha256)
      #expect(one.form == other.form)
      guard case .archive(let left) = one.source, case .archive(let right) = other.source else {
        Issue.record("'\(one.place)' is not an archive")
        continue
      }
      #expect(left.path == right.path && left.path == one.place)
      #expect(left.manifest == right.manifest)
      #expect(left.document?.source.name == right.document?.source.name)
    }
    #expect(try report(before, again) == report(before, now))
    let lines = try Comparison(from: before, to: again, .unstoppable).lines.map { line in
      line.split(separator: " BREAKS")[0]
    }
    #expect(
      Set(lines) == [
        "renamed: renamed before -> after", "target: moved from source moved",
        "target: moved from source empty", "changed: changed size",
        "added: moved from removed e", "added: added f", "added: added Keep/added",
        "removed: removed Keep/removed",
      ])
  }

  @Test(arguments: [PackOutline.Detail.shares, [.shares, .digests, .archiveDigest]])
  func `only an archive with other bytes is decoded`(detail: PackOutline.Detail) throws {
    let releases = try Releases()
    let old = try releases.release("old", ["p": Self.pack(["a": Self.bytes(1)])])
    let same = try releases.release("same", ["p": Self.pack(["a": Self.bytes(1)])])
    // The same size, because noise is stored.
    let other = try releases.release("other", ["p": Self.pack(["a": Self.bytes(2)])])
    var reader = Self.reader(detail)
    let before = try Self.read(old, by: reader)
    reader.addKnown(before)
    // Decoding fails.
    reader.memory = Self.littleMemory
    let now = try Self.read(same, by: reader)
    #expect(now.packs.map(\.contents) == before.packs.map(\.contents))
    #expect(now.packs.map(\.downloadSize) == before.packs.map(\.downloadSize))
    #expect(throws: PackError.self) { try Self.read(other, by: reader) }
    reader.memory = PackReader.defaultMemory
    let changed = try Self.read(other, by: reader)
    #expect(changed.packs.map(\.downloadSize) == before.packs.map(\.downloadSize))
    if detail == Self.report {
      #expect(changed.packs.map(\.contents) != before.packs.map(\.contents))
      #expect(changed.packs.map(\.sha256) != before.packs.map(\.sha256))
    }
    let comparisons = try [now, changed].map { now in
      try Comparison(from: before, to: now, .unstoppable)
    }
    #expect(comparisons.map(\.unchanged) == [["p"], []])
  }

  @Test(arguments: [
    PackOutline.Detail(), .shares, [.shares, .digests], [.shares, .archiveDigest],
  ])
  func `an archive is decoded if details of the known one are missing`(
    detail: PackOutline.Detail
  ) throws {
    let releases = try Releases()
    let path = try releases.release("old", ["p": Self.pack(["a": Self.bytes(1)])])
    var reader = Self.reader()
    reader.addKnown(try Self.read(path, by: Self.reader(detail)))
    let now = try Self.read(path, by: reader)
    let expected = try Self.read(path, by: Self.reader())
    #expect(now.packs.map(\.contents) == expected.packs.map(\.contents))
    #expect(now.packs.map(\.sha256) == expected.packs.map(\.sha256))
    #expect(now.packs[0].contents?.digest(at: 0) != nil)
  }
}
