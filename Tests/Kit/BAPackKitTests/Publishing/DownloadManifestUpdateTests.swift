import BAPackKit
import KitProperties
import SourceDiagnostics
import TestSupport
import Testing

@Suite("Updating a download manifest")
struct DownloadManifestUpdateTests {
  let urls: PackURLs
  let manifest: DownloadManifest
  let record: PublicationRecord

  init() throws {
    urls = try PackURLs(base: "https://downloads.example.com/packs")
    let published = DownloadManifest.create(
      from: [(.sample("a", content: "a"), 4), (.sample("b", content: "b"), 0)], for: .iOS, at: urls)
    manifest = try #require(published.manifest)
    record = published.record
  }

  private func update(
    _ archives: PublishedArchive..., removing removed: [PackID] = [], at urls: PackURLs?? = nil,
    record: PublicationRecord?? = nil
  ) -> Publication {
    manifest.updated(
      with: archives, removing: removed, for: .iOS, at: urls ?? self.urls,
      record: record ?? self.record, named: "manifest.json")
  }

  private func versions(_ publication: Publication) -> [PackID: Int] {
    Dictionary(
      uniqueKeysWithValues: publication.manifest?.packs.map { ($0.id, $0.version) } ?? [])
  }

  @Test
  func `only a pack with changed bytes gets the next version; others are unchanged`() throws {
    let changed = update(
      .sample("a", content: "c", size: 700, policy: .essential), .sample("b", content: "b"))
    #expect(versions(changed) == ["a": 5, "b": 0])
    #expect(changed.changes.map(\.action) == [.raised, .unchanged])
    #expect(changed.changes[0].previousVersion == 4)
    #expect(changed.changes[0].reason == "its bytes differ from those of version 4")
    #expect(changed.manifest?.pack("a")?.downloadSize == 700)
    #expect(changed.manifest?.pack("a")?.downloadPolicy == .essential)
    #expect(changed.manifest?.pack("b") == manifest.pack("b"))
    #expect(changed.record.sha256(of: "a", version: 4) == digest("a"))
    #expect(changed.record.sha256(of: "a", version: 5) == digest("c"))
    #expect(changed.findings.isEmpty)
  }

  @Test
  func `a pack that is not given is kept byte for byte`() {
    let changed = update(.sample("a", content: "c"))
    #expect(changed.changes.map(\.action) == [.raised, .kept])
    #expect(changed.manifest?.pack("b") == manifest.pack("b"))
  }

  @Test
  func `an update without changes changes no byte`() {
    let same = update(.sample("b", content: "b"), .sample("a", content: "a"))
    #expect(same.manifest == manifest)
    #expect(same.record == record)
  }

  @Test
  func `a language is reported when a pack is published, not when it is unchanged`() {
    let german = LanguageTag(language: "de")
    #expect(
      update(.sample("a", content: "c", language: german)).findings.ids == ["language.self-hosted"])
    #expect(update(.sample("a", content: "a", language: german)).findings.isEmpty)
  }

  @Test
  func `a new pack is added after the others with version 0`() {
    let changed = update(.sample("c", content: "c"))
    #expect(changed.manifest?.packs.map(\.id) == ["a", "b", "c"])
    #expect(changed.manifest?.pack("c")?.version == 0)
    #expect(changed.manifest?.pack("c")?.url == "https://downloads.example.com/packs/c")
  }

  @Test
  func `without a record a given pack is treated as changed, with a warning`() {
    let changed = update(.sample("a", content: "a"), record: .some(nil))
    #expect(versions(changed) == ["a": 5, "b": 0])
    #expect(
      changed.findings.lines == [
        "Output/a.aar: warning: 'a' is treated as changed: there is no "
          + "'manifest.json.lock.json' [download.no-record]"
      ])
    // The digest of version 4 is unknown, but the version is recorded.
    #expect(changed.record.entries.map(\.version) == [4, 5, 0])
    #expect(changed.record.entries.map(\.sha256) == [nil, digest("a"), nil])
  }

  @Test
  func `a record without the version is treated as missing`() {
    let changed = update(.sample("a", content: "a"), record: PublicationRecord(platform: .iOS))
    #expect(versions(changed)["a"] == 5)
    #expect(
      changed.findings.lines == [
        "Output/a.aar: warning: 'a' is treated as changed: 'manifest.json.lock.json' does not "
          + "contain version 4 [download.no-record]"
      ])
  }

  @Test
  func `another size proves other bytes, with and without a record`() {
    let changed = update(.sample("a", size: 597), record: .some(nil))
    #expect(versions(changed)["a"] == 5)
    #expect(changed.findings.isEmpty)
    #expect(changed.changes[0].reason == "it has 597 bytes, but version 4 has 596")
  }

  @Test
  func `a removed pack is a warning and remains in the record`() {
    let changed = update(removing: ["a"])
    #expect(changed.manifest?.packs.map(\.id) == ["b"])
    #expect(
      changed.findings.lines == [
        "manifest.json: warning: the pack 'a' is removed from the manifest: devices delete it "
          + "[download.pack-vanished]"
      ])
    #expect(changed.changes.map(\.action) == [.kept, .removed])
    #expect(changed.record.latest(of: "a")?.version == 4)
  }

  @Test
  func `a pack that is added again continues its versions`() throws {
    let removal = update(removing: ["a"])
    let without = try #require(removal.manifest)
    func back(_ content: Character) -> Int? {
      without.updated(
        with: [.sample("a", content: content)], for: .iOS, at: urls, record: removal.record,
        named: "manifest.json"
      ).manifest?.pack("a")?.version
    }
    #expect(back("a") == 4)
    #expect(back("c") == 5)
  }

  @Test
  func `a version that was used for other bytes is not reused`() {
    var record = record
    record.add(.init(id: "a", version: 7, sha256: digest("d")))
    // The manifest was reset to version 4; devices may have 7.
    #expect(versions(update(.sample("a", content: "c"), record: record))["a"] == 8)
    #expect(versions(update(.sample("a", content: "d"), record: record))["a"] == 7)
    #expect(versions(update(.sample("a", content: "a"), record: record))["a"] == 8)
    #expect(
      update(.sample("b", content: "b"), record: record).findings.lines == [
        "manifest.json: warning: 'a' has version 4, but version 7 is recorded "
          + "[download.behind-record]"
      ])
  }

  @Test
  func `old bytes get a new version: a version never decreases`() throws {
    let second = update(.sample("a", content: "c"))
    let manifest = try #require(second.manifest)
    let third = manifest.updated(
      with: [.sample("a", content: "a")], for: .iOS, at: urls, record: second.record,
      named: "manifest.json")
    #expect(third.manifest?.pack("a")?.version == 6)
  }

  @Test
  func `a version never decreases, even if files were lost before the pack was added again`() throws
  {
    // Version 4 was published before the record existed.
    let removal = update(removing: ["a"], record: .some(nil))
    #expect(removal.record.entries.map(\.version) == [4, 0])
    #expect(removal.record.latest(of: "a")?.isRemoved == true)
    let without = try #require(removal.manifest)
    let back = without.updated(
      with: [.sample("a", content: "a")], for: .iOS, at: urls, record: removal.record,
      named: "manifest.json")
    #expect(versions(back)["a"] == 5)
    #expect(back.record.latest(of: "a")?.isRemoved == false)
  }

  @Test
  func `a pack that is missing from the manifest is reported until it is removed`()
    throws
  {
    let manifest = DownloadManifest(packs: [try #require(manifest.pack("b"))])
    func update(_ archives: [PublishedArchive], removing ids: [PackID] = []) -> Publication {
      manifest.updated(
        with: archives, removing: ids, for: .iOS, at: urls, record: record, named: "m.json")
    }
    let other = update([.sample("b", content: "b")])
    #expect(other.findings.ids == ["download.pack-vanished"])
    let meant = update([], removing: ["a"])
    #expect(meant.findings.isEmpty)
    #expect(meant.manifest == manifest)
    #expect(meant.record.latest(of: "a")?.isRemoved == true)
    #expect(versions(update([.sample("a", content: "c")]))["a"] == 5)
  }

  @Test
  func `IDs are compared as bytes; similar IDs are a warning`()
    throws
  {
    let composed = "caf\u{E9}"
    let decomposed = "cafe\u{301}"
    let first = DownloadManifest.create(
      from: [(.sample(decomposed, content: "a"), 3)], for: .iOS, at: urls)
    let manifest = try #require(first.manifest)
    let same = manifest.updated(
      with: [.sample(decomposed, content: "a")], for: .iOS, at: urls, record: first.record,
      named: "m.json")
    #expect(same.manifest == manifest && same.record == first.record)
    let other = manifest.updated(
      with: [.sample(composed, content: "a")], for: .iOS, at: urls, record: first.record,
      named: "m.json")
    #expect(other.manifest?.packs.map(\.version) == [3, 0])
    #expect(
      other.findings.lines == [
        "Output/\(composed).aar: warning: 'caf<U+00E9>' and 'cafe<U+0301>' look the same "
          + "but are different IDs [download.similar-ids]"
      ])
    #expect(other.manifest?.document.findings.map(\.id.name) == ["download.similar-ids"])
    let again = try #require(other.manifest).updated(
      with: [.sample(composed, content: "a"), .sample(decomposed, content: "b")], for: .iOS,
      at: urls, record: other.record, named: "m.json")
    #expect(again.manifest?.packs.map(\.version) == [4, 0])
  }

  @Test
  func `a pack at an address of an older template is not an error`() throws {
    let urls = try PackURLs(base: "https://new.example.com", template: "{id}-{version}")
    let moved = update(.sample("b", content: "c"), at: urls)
    #expect(moved.manifest?.pack("b")?.url == "https://new.example.com/b-1")
    #expect(moved.record.urlTemplate == "https://new.example.com/{id}-{version}")
    var check = DownloadManifestCheck(try #require(moved.manifest).document)
    check.record = moved.record
    #expect(check.findings().lines == [])
    // The next version of the other pack gets a new address, too.
    let next = try #require(moved.manifest).updated(
      with: [.sample("a", content: "d")], for: .iOS, at: nil, record: moved.record, named: "m.json")
    #expect(next.manifest?.pack("a")?.url == "https://new.example.com/a-5")
    check = DownloadManifestCheck(try #require(next.manifest).document)
    check.record = next.record
    #expect(check.findings().lines == [])
  }

  @Test(.heavy)
  func `a result that exceeds the limits of the reader is not written`() throws {
    var value = JSONValue.object([])
    for _ in 0..<510 { value = .object([.init("a", value)]) }
    var update = update(.sample("a", content: "c", userInfo: value))
    #expect(update.manifest != nil)
    #expect(update.text(over: manifest.document) == nil)
    #expect(update.findings.ids == ["download.too-large"])
    var large = self.update(
      .sample("a", content: "c", userInfo: .string(String(repeating: "x", count: 17 << 20))))
    #expect(large.text() == nil)
    #expect(large.findings.ids == ["download.too-large"])
  }

  @Test
  func `removing an unknown pack is an error with a suggestion`() {
    let refused = update(removing: ["aa"])
    #expect(refused.manifest == nil)
    #expect(
      refused.findings.lines == [
        "manifest.json: error: cannot remove the pack 'aa': it is not in the manifest "
          + "[download.unknown-pack]"
      ])
    #expect(refused.findings.all.first?.fixes.map(\.message) == ["write 'a'"])
  }

  @Test
  func `without a base URL packs get addresses from the recorded template`() {
    let changed = update(.sample("a", content: "c"), .sample("new"), at: .some(nil))
    #expect(changed.manifest?.pack("a")?.url == "https://downloads.example.com/packs/a")
    #expect(changed.manifest?.pack("new")?.url == "https://downloads.example.com/packs/new")
  }

  @Test
  func `without a base URL or template packs keep addresses that end in their ID`() {
    var record = record
    record.urlTemplate = nil
    let changed = update(.sample("a", content: "c"), at: .some(nil), record: record)
    #expect(changed.manifest?.pack("a")?.url == "https://downloads.example.com/packs/a")
    let refused = update(.sample("new"), at: .some(nil), record: record)
    #expect(
      refused.findings.lines == [
        "Output/new.aar: error: the address of the new pack 'new' is unknown [download.address]"
      ])
  }

  @Test(arguments: [
    "https://d.example.com/{id}-{version}.aar", "https://d.example.com/{version}/{id}",
    "https://d.example.com/v{version}/{id}", "https://d.example.com/{sha256}/{id}",
  ])
  func `without a base URL or template other addresses are not guessed`(
    template: String
  ) throws {
    let urls = try PackURLs(base: nil, template: template)
    let first = DownloadManifest.create(
      from: [(.sample("a", content: "a"), 0)], for: .iOS, at: urls)
    let manifest = try #require(first.manifest)
    var record = first.record
    #expect(record.urlTemplate == template)
    func next(_ content: Character, _ urls: PackURLs?) -> Publication {
      manifest.updated(
        with: [.sample("a", content: content)], for: .iOS, at: urls, record: record,
        named: "manifest.json")
    }
    let expected = urls.url(id: "a", version: 1, sha256: digest("c"), fileName: "a.aar")
    #expect(next("c", nil).manifest?.pack("a")?.url == expected)
    record.urlTemplate = nil
    #expect(next("c", nil).findings.ids == ["download.address"])
    #expect(next("c", nil).manifest == nil)
    #expect(next("a", nil).manifest == manifest)
    #expect(next("c", urls).manifest?.pack("a")?.url == expected)
  }

  @Test
  func `given packs move to the base URL, even with unchanged bytes`() throws {
    let urls = try PackURLs(base: "https://new.example.com")
    let moved = update(.sample("b", content: "b"), at: urls)
    #expect(moved.manifest?.pack("b")?.url == "https://new.example.com/b")
    #expect(moved.manifest?.pack("b")?.version == 0)
    #expect(moved.manifest?.pack("a") == manifest.pack("a"))
  }

  @Test
  func `a version that cannot be increased is an error`() throws {
    var manifest = manifest
    manifest.packs[0].version = .max
    let refused = manifest.updated(
      with: [.sample("a", content: "c")], for: .iOS, at: urls, record: nil, named: "manifest.json")
    #expect(refused.manifest == nil)
    #expect(refused.findings.ids.contains("download.version-limit"))
  }

  @Test
  func `unknown members of the manifest are kept by an update`() throws {
    var manifest = manifest
    manifest.otherMembers = [.init("primaryLanguage", .string("en"))]
    manifest.packs[0].otherMembers = [.init("language", .string("de"))]
    let document = manifest.document
    #expect(document.findings.map(\.severity) == [.warning, .warning])
    let read = try #require(document.manifest)
    #expect(read == manifest)
    let changed = read.updated(
      with: [.sample("a", content: "c")], for: .iOS, at: urls, record: record,
      named: "manifest.json")
    #expect(changed.manifest?.otherMembers == manifest.otherMembers)
    #expect(changed.manifest?.pack("a")?.otherMembers == manifest.packs[0].otherMembers)
  }
}
