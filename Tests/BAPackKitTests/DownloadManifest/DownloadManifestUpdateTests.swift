import BAPackKit
import SourceDiagnostics
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
    _ archives: PublishedArchive..., removing removed: [String] = [], at urls: PackURLs?? = nil,
    record: PublicationRecord?? = nil
  ) -> Publication {
    manifest.updated(
      with: archives, removing: removed, for: .iOS, at: urls ?? self.urls,
      record: record ?? self.record, named: "manifest.json")
  }

  private func versions(_ publication: Publication) -> [String: Int] {
    Dictionary(
      uniqueKeysWithValues: publication.manifest?.packs.map { ($0.id, $0.version) } ?? [])
  }

  @Test("only a pack whose bytes differ gets the next version; the others stay as they are")
  func raises() throws {
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

  @Test("a pack that is not given is kept, byte for byte")
  func keeps() {
    let changed = update(.sample("a", content: "c"))
    #expect(changed.changes.map(\.action) == [.raised, .kept])
    #expect(changed.manifest?.pack("b") == manifest.pack("b"))
  }

  @Test("an update with nothing new changes nothing")
  func changesNothing() {
    let same = update(.sample("b", content: "b"), .sample("a", content: "a"))
    #expect(same.manifest == manifest)
    #expect(same.record == record)
  }

  @Test("a language is spoken of when a pack is published, and not when it stays as it is")
  func language() {
    let german = LanguageTag(language: "de")
    #expect(
      update(.sample("a", content: "c", language: german)).findings.ids == ["language.self-hosted"])
    #expect(update(.sample("a", content: "a", language: german)).findings.isEmpty)
  }

  @Test("a new pack is added behind the others, with version 0")
  func adds() {
    let changed = update(.sample("c", content: "c"))
    #expect(changed.manifest?.packs.map(\.id) == ["a", "b", "c"])
    #expect(changed.manifest?.pack("c")?.version == 0)
    #expect(changed.manifest?.pack("c")?.url == "https://downloads.example.com/packs/c")
  }

  @Test("without a record a given pack counts as changed, and that is said")
  func noRecord() {
    let changed = update(.sample("a", content: "a"), record: .some(nil))
    #expect(versions(changed) == ["a": 5, "b": 0])
    #expect(
      changed.findings.lines == [
        "Output/a.aar: warning: 'a' is taken as changed, since there is no "
          + "'manifest.json.lock.json' [download.no-record]"
      ])
    #expect(changed.record.entries.map(\.version) == [5])
  }

  @Test("a record that does not know the version is no record of it")
  func incompleteRecord() {
    let changed = update(.sample("a", content: "a"), record: PublicationRecord(platform: .iOS))
    #expect(versions(changed)["a"] == 5)
    #expect(
      changed.findings.lines == [
        "Output/a.aar: warning: 'a' is taken as changed, since 'manifest.json.lock.json' does not "
          + "know version 4 [download.no-record]"
      ])
  }

  @Test("another size proves other bytes, record or not")
  func otherSize() {
    let changed = update(.sample("a", size: 597), record: .some(nil))
    #expect(versions(changed)["a"] == 5)
    #expect(changed.findings.isEmpty)
    #expect(changed.changes[0].reason == "it has 597 bytes, version 4 has 596")
  }

  @Test("a removed pack leaves the manifest with a warning, and stays on record")
  func removes() {
    let changed = update(removing: ["a"])
    #expect(changed.manifest?.packs.map(\.id) == ["b"])
    #expect(
      changed.findings.lines == [
        "manifest.json: warning: devices delete the pack 'a', which leaves the manifest "
          + "[download.pack-vanished]"
      ])
    #expect(changed.changes.map(\.action) == [.kept, .removed])
    #expect(changed.record.latest(of: "a")?.version == 4)
  }

  @Test("a pack that comes back goes on where it was")
  func comesBack() throws {
    let gone = update(removing: ["a"])
    let without = try #require(gone.manifest)
    func back(_ content: Character) -> Int? {
      without.updated(
        with: [.sample("a", content: content)], for: .iOS, at: urls, record: gone.record,
        named: "manifest.json"
      ).manifest?.pack("a")?.version
    }
    #expect(back("a") == 4)
    #expect(back("c") == 5)
  }

  @Test("a number that stood for other bytes is not given out again")
  func neverTwice() {
    var record = record
    record.add(.init(id: "a", version: 7, sha256: digest("d")))
    // The manifest went back to version 4 by hand; devices may have 7.
    #expect(versions(update(.sample("a", content: "c"), record: record))["a"] == 8)
    #expect(versions(update(.sample("a", content: "d"), record: record))["a"] == 7)
    #expect(versions(update(.sample("a", content: "a"), record: record))["a"] == 4)
  }

  @Test("old bytes get a new version: a version never falls")
  func neverFalls() throws {
    let second = update(.sample("a", content: "c"))
    let manifest = try #require(second.manifest)
    let third = manifest.updated(
      with: [.sample("a", content: "a")], for: .iOS, at: urls, record: second.record,
      named: "manifest.json")
    #expect(third.manifest?.pack("a")?.version == 6)
  }

  @Test("removing what is not there is refused with the name that was meant")
  func removesNothing() {
    let refused = update(removing: ["aa"])
    #expect(refused.manifest == nil)
    #expect(
      refused.findings.lines == [
        "manifest.json: error: there is no pack 'aa' to remove [download.unknown-pack]"
      ])
    #expect(refused.findings.first?.diagnostics.first?.fixes.map(\.message) == ["write 'a'"])
  }

  @Test("without a base URL packs stay at addresses that end in their ID")
  func keepsAddresses() {
    let changed = update(.sample("a", content: "c"), at: .some(nil))
    #expect(changed.manifest?.pack("a")?.url == "https://downloads.example.com/packs/a")
    let refused = update(.sample("new"), at: .some(nil))
    #expect(
      refused.findings.lines == [
        "Output/new.aar: error: where the new pack 'new' is served is not known [download.address]"
      ])
  }

  @Test("without a base URL an address from a template is not guessed")
  func doesNotGuess() throws {
    let urls = try PackURLs(base: nil, template: "https://d.example.com/{id}-{version}.aar")
    let first = DownloadManifest.create(
      from: [(.sample("a", content: "a"), 0)], for: .iOS, at: urls)
    let manifest = try #require(first.manifest)
    func next(_ content: Character, _ urls: PackURLs?) -> Publication {
      manifest.updated(
        with: [.sample("a", content: content)], for: .iOS, at: urls, record: first.record,
        named: "manifest.json")
    }
    #expect(next("c", nil).findings.ids == ["download.address"])
    #expect(next("c", nil).manifest == nil)
    #expect(next("a", nil).manifest == manifest)
    #expect(next("c", urls).manifest?.pack("a")?.url == "https://d.example.com/a-1.aar")
  }

  @Test("given packs move to the base URL, also when their bytes are the same")
  func moves() throws {
    let urls = try PackURLs(base: "https://new.example.com")
    let moved = update(.sample("b", content: "b"), at: urls)
    #expect(moved.manifest?.pack("b")?.url == "https://new.example.com/b")
    #expect(moved.manifest?.pack("b")?.version == 0)
    #expect(moved.manifest?.pack("a") == manifest.pack("a"))
  }

  @Test("a version that cannot rise is refused")
  func exhausted() throws {
    var manifest = manifest
    manifest.packs[0].version = .max
    let refused = manifest.updated(
      with: [.sample("a", content: "c")], for: .iOS, at: urls, record: nil, named: "manifest.json")
    #expect(refused.manifest == nil)
    #expect(refused.findings.ids.contains("download.version-limit"))
  }

  @Test("what the update does not understand stays in the manifest")
  func keepsOtherMembers() throws {
    var manifest = manifest
    manifest.otherMembers = [.init("primaryLanguage", .string("en"))]
    manifest.packs[0].otherMembers = [.init("language", .string("de"))]
    let document = manifest.document
    #expect(document.diagnostics.map(\.severity) == [.warning, .warning])
    let read = try #require(document.manifest)
    #expect(read == manifest)
    let changed = read.updated(
      with: [.sample("a", content: "c")], for: .iOS, at: urls, record: record,
      named: "manifest.json")
    #expect(changed.manifest?.otherMembers == manifest.otherMembers)
    #expect(changed.manifest?.pack("a")?.otherMembers == manifest.packs[0].otherMembers)
  }
}
