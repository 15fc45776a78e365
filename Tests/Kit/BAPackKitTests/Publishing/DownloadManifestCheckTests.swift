// Long because all comparisons of the check are tested in one place.
import BAPackKit
import SourceDiagnostics
import Testing

@Suite("Checking a download manifest")
struct DownloadManifestCheckTests {
  let urls: PackURLs
  let tutorial = PublishedArchive.sample(
    "tutorial", content: "a", size: 1000, installedSize: 4000, policy: .essential)
  let island = PublishedArchive.sample(
    "island", content: "b", size: 2000, installedSize: 5000, policy: .prefetch)

  init() throws { urls = try PackURLs(base: "https://cdn.example.com/packs") }

  private func publish(_ packs: (PublishedArchive, Int)...) throws -> Publication {
    DownloadManifest.create(
      from: packs.map { (archive: $0.0, version: $0.1) }, for: .iOS, at: urls)
  }

  /// The note of every check here: the files have the names that 'pack' creates.
  private func withoutNames(_ findings: Ledger) -> [String] {
    findings.lines.filter { !$0.hasSuffix("[download.upload-name]") }
  }

  private func check(
    _ publication: Publication, _ adjust: (inout DownloadManifestCheck) -> Void = { _ in }
  ) throws -> [String] {
    var check = DownloadManifestCheck(try #require(publication.manifest).document)
    check.record = publication.record
    adjust(&check)
    return withoutNames(check.findings())
  }

  private func folder(_ archives: PublishedArchive...) -> ArchiveFolder {
    ArchiveFolder(path: "Output", archives: archives)
  }

  // MARK: Archives

  @Test
  func `a new publication has no findings`() throws {
    #expect(
      try check(publish((tutorial, 0), (island, 0))) { $0.archives = folder(island, tutorial) }
        == [])
  }

  @Test
  func `a size that differs from the file is an error at its position`() throws {
    var longer = tutorial
    longer.size = 1001
    #expect(
      try check(publish((tutorial, 0))) { $0.archives = folder(longer) } == [
        "manifest.json:7:23: error: the download size of 'tutorial' is 1000, "
          + "but 'Output/tutorial.aar' has 1001 bytes [download.size-differs]"
      ])
  }

  @Test
  func `bytes that differ from the record under the same version are an error`() throws {
    var other = tutorial
    other.sha256 = digest("f")
    #expect(
      try check(publish((tutorial, 3))) { $0.archives = folder(other) } == [
        "manifest.json:6:18: error: the bytes of 'tutorial' changed, but its version is still 3 "
          + "[download.version-not-raised]"
      ])
  }

  @Test
  func `packs without archives and archives without packs are reported`() throws {
    let extra = PublishedArchive.sample("extra")
    #expect(
      try check(publish((tutorial, 0), (island, 0))) { $0.archives = folder(extra, island) } == [
        "manifest.json:4:13: error: there is no archive of 'tutorial' in 'Output' "
          + "[download.archive-missing]",
        "Output/extra.aar: warning: the pack 'extra' in 'Output/extra.aar' is not in the manifest "
          + "[download.archive-unlisted]",
      ])
  }

  @Test
  func `of several archives of a pack, the archive named like its address is used`() throws {
    var old = tutorial
    old.path = "Output/tutorial-old.aar"
    old.size = 7
    #expect(try check(publish((tutorial, 0))) { $0.archives = folder(old, tutorial) } == [])
    old.sha256 = digest("e")
    var older = old
    older.path = "Output/tutorial-older.aar"
    #expect(
      try check(publish((tutorial, 0))) { $0.archives = folder(old, older) } == [
        "manifest.json:4:13: error: 2 archives could be the pack 'tutorial' "
          + "[download.archive-missing]"
      ])
  }

  @Test
  func `a policy or a userInfo that differs from the archive is a warning`() throws {
    var other = tutorial
    other.manifest.downloadPolicy = .onDemand
    other.manifest.userInfo = .object([])
    #expect(
      try check(publish((tutorial, 0))) { $0.archives = folder(other) } == [
        "manifest.json:4:13: warning: the userInfo of 'tutorial' differs from the one in "
          + "'Output/tutorial.aar' [download.pack-differs]",
        "manifest.json:8:25: warning: the download policy of 'tutorial' differs from the one in "
          + "'Output/tutorial.aar' [download.pack-differs]",
      ])
  }

  @Test
  func `a pack that does not support the platform is an error`() throws {
    var other = tutorial
    other.manifest.platforms = [.tvOS]
    #expect(
      try check(publish((tutorial, 0))) {
        $0.archives = folder(other)
        $0.platform = .iOS
      } == [
        "manifest.json:4:13: error: the pack 'tutorial' supports 'tvOS', not 'iOS' "
          + "[download.platform]"
      ])
  }

  @Test
  func `of several archives with one name, the folders of the address select one`()
    throws
  {
    let urls = try PackURLs(base: nil, template: "https://d.example.com/{version}/{id}.aar")
    var old = tutorial
    old.path = "Output/3/tutorial.aar"
    old.sha256 = digest("e")
    var new = tutorial
    new.path = "Output/4/tutorial.aar"
    let publication = DownloadManifest.create(
      from: [(archive: new, version: 4)], for: .iOS, at: urls)
    #expect(try check(publication) { $0.archives = folder(old, new) } == [])
  }

  @Test
  func `a manifest older than its record, and a missing pack, are reported`() throws {
    let now = try publish((tutorial, 4))
    var record = try publish((tutorial, 7), (island, 2)).record
    let lines = try check(now) { $0.record = record }
    #expect(
      lines == [
        "manifest.json: warning: the pack 'island' is recorded with version 2, but is not in the "
          + "manifest: devices delete it [download.pack-vanished]",
        "manifest.json:6:18: error: 'tutorial' has version 4, but version 7 is recorded "
          + "[download.behind-record]",
      ])
    record.add(.init(id: "island", version: 2, sha256: nil, isRemoved: true))
    #expect(try check(now) { $0.record = record }.count == 1)
  }

  @Test(arguments: [
    ("{id}-{version}.aar", "tutorial-3.aar"),
    ("{sha256}/{id}", String(repeating: "b", count: 64) + "/tutorial"),
    ("{id}", "Tutorial"), ("{file}", "a/b"),
  ])
  func `an address that differs from the recorded template is an error`(
    template: String, wrong: String
  )
    throws
  {
    let urls = try PackURLs(base: "https://d.example.com", template: template)
    let publication = DownloadManifest.create(
      from: [(archive: tutorial, version: 4)], for: .iOS, at: urls)
    #expect(try check(publication) == [])
    var manifest = try #require(publication.manifest)
    manifest.packs[0].url = "https://d.example.com/" + wrong
    var check = DownloadManifestCheck(manifest.document)
    check.record = publication.record
    #expect(
      check.findings().lines == [
        "manifest.json:5:14: error: version 4 of 'tutorial' is not at the recorded address "
          + "[download.address]"
      ])
  }

  @Test
  func `files with other names than in their addresses are reported once`() throws {
    let publication = try publish((tutorial, 0), (island, 0))
    var check = DownloadManifestCheck(try #require(publication.manifest).document)
    check.record = publication.record
    check.archives = folder(tutorial, island)
    #expect(
      check.findings().lines == [
        "manifest.json: note: upload 'Output/tutorial.aar' as 'tutorial', and 1 more file "
          + "[download.upload-name]"
      ])
    let urls = try PackURLs(base: "https://d.example.com", template: "{base}/{id}.aar")
    let named = DownloadManifest.create(
      from: [(archive: tutorial, version: 0)], for: .iOS, at: urls)
    check = DownloadManifestCheck(try #require(named.manifest).document)
    check.record = named.record
    check.archives = folder(tutorial)
    #expect(check.findings().lines == [])
  }

  @Test
  func `every error has a remedy and names its pack`() throws {
    var other = tutorial
    other.sha256 = digest("f")
    other.manifest.platforms = [.tvOS]
    var larger = island
    larger.size += 1
    let publication = try publish((tutorial, 4), (island, 7))
    var check = DownloadManifestCheck(
      try #require(publish((tutorial, 3), (island, 7)).manifest).document)
    check.record = publication.record
    check.archives = folder(other, larger)
    check.platform = .iOS
    check.previous = .init(try #require(publication.manifest).document, record: publication.record)
    check.plist = InfoPlistDocument(
      parsing: Array("<plist version=\"1.0\"><dict/></plist>".utf8), named: "Info.plist")
    let errors = check.findings().filter { $0.severity == .error }
    #expect(errors.count > 8)
    for error in errors {
      #expect(!error.fixes.isEmpty, "\(error.message)")
      let isNamed = ["tutorial", "island", "key"].contains { error.message.contains($0) }
      #expect(isNamed, "\(error.message)")
    }
  }

  @Test
  func `without a record only sizes are compared, with a note`() throws {
    #expect(
      try check(publish((tutorial, 0))) {
        $0.record = nil
        $0.archives = folder(tutorial)
      } == [
        "manifest.json: note: there is no 'manifest.json.lock.json': only the sizes of packs are "
          + "compared [download.no-record]"
      ])
  }

  // MARK: The previous manifest

  private func compare(
    _ new: (PublishedArchive, Int)?, with old: (PublishedArchive, Int), recorded: Bool = true
  ) throws -> [String] {
    let before = try publish(old, (island, 0))
    let now = try new.map { try publish($0, (island, 0)) } ?? publish((island, 0))
    return try check(now) {
      let document = DownloadManifestDocument(
        parsing: before.manifest?.json() ?? [], named: "OLD.json")
      $0.previous = .init(document, record: recorded ? before.record : nil)
      if !recorded { $0.record = nil }
    }
  }

  private var changed: PublishedArchive {
    var changed = tutorial
    changed.sha256 = digest("f")
    return changed
  }

  @Test
  func `a version that increased exactly for changed bytes is valid`() throws {
    #expect(try compare((changed, 5), with: (tutorial, 4)) == [])
    #expect(try compare((changed, 7), with: (tutorial, 4)) == [])
    #expect(try compare((tutorial, 4), with: (tutorial, 4)) == [])
  }

  @Test
  func `an unchanged version with changed bytes is an error`() throws {
    #expect(
      try compare((changed, 4), with: (tutorial, 4)) == [
        "manifest.json:6:18: error: the bytes of 'tutorial' changed, but its version is still 4 "
          + "[download.version-not-raised]"
      ])
  }

  @Test
  func `another size proves a change, even without records`() throws {
    var longer = tutorial
    longer.size += 1
    #expect(
      try compare((longer, 4), with: (tutorial, 4), recorded: false) == [
        "manifest.json:6:18: error: the bytes of 'tutorial' changed, but its version is still 4 "
          + "[download.version-not-raised]",
        "manifest.json:21:13: note: it is unknown whether 'island' changed since the previous "
          + "manifest [download.no-record]",
      ])
  }

  @Test
  func `an increased version with unchanged bytes is a warning`() throws {
    #expect(
      try compare((tutorial, 5), with: (tutorial, 4)) == [
        "manifest.json:6:18: warning: the version of 'tutorial' increased from 4 to 5, but its "
          + "bytes are the same [download.version-raised]"
      ])
  }

  @Test
  func `a decreased version is an error`() throws {
    #expect(
      try compare((changed, 3), with: (tutorial, 4)) == [
        "manifest.json:6:18: error: the version of 'tutorial' decreases from 4 to 3 "
          + "[download.version-lowered]"
      ])
  }

  @Test
  func `a removed pack is a warning`() throws {
    #expect(
      try compare(nil, with: (tutorial, 4)) == [
        "manifest.json: warning: the pack 'tutorial' of 'OLD.json' is missing: devices delete it "
          + "[download.pack-vanished]"
      ])
  }

  @Test
  func `a version without a record is reported as unknown`() throws {
    let before = try publish((tutorial, 4))
    var check = DownloadManifestCheck(try #require(before.manifest).document)
    check.previous = .init(try #require(before.manifest).document)
    let findings = check.findings()
    #expect(findings.ids == ["download.no-record"])
    #expect(findings.all.map(\.severity) == [.note])
  }

  // MARK: The property list

  private func plist(
    _ edit: (String) -> String = { $0 }, for archives: [PublishedArchive]? = nil
  ) -> InfoPlistDocument {
    let xml = InfoPlistFragment(
      for: archives ?? [tutorial, island], at: urls, headroom: .none,
      app: .init(manifestURL: "https://cdn.example.com/m.json", appGroupID: "group.x")
    ).xml()
    return InfoPlistDocument(parsing: Array(edit(xml).utf8), named: "Info.plist")
  }

  private func checkPlist(_ edit: @escaping (String) -> String) throws -> [String] {
    try check(publish((tutorial, 0), (island, 0))) {
      $0.archives = folder(tutorial, island)
      $0.plist = plist(edit)
    }
  }

  @Test
  func `the keys that 'info-plist' computes are sufficient`() throws {
    #expect(try checkPlist { $0 } == [])
  }

  @Test
  func `a host outside the list is an error; a wildcard covers it`() throws {
    #expect(
      try checkPlist { $0.replacing(">cdn.example.com<", with: ">example.com<") } == [
        "manifest.json:5:14: error: BADownloadDomainAllowList does not cover 'cdn.example.com', "
          + "the host of 'tutorial' [download.domain]"
      ])
    #expect(try checkPlist { $0.replacing(">cdn.example.com<", with: ">*.example.com<") } == [])
  }

  @Test(arguments: [
    (InfoPlist.SizeKey.essentialDownload, UInt64(1000), "essential packs", "packed", "19:3"),
    (.download, 2000, "prefetched packs", "packed", "13:3"),
    (.essentialInstall, 4000, "essential packs", "unpacked", "7:2"),
    (.install, 5000, "prefetched packs", "unpacked", "24:2"),
  ])
  func `packs that exceed an allowance are an error at its key`(
    key: InfoPlist.SizeKey, size: UInt64, packs: String, state: String, place: String
  ) throws {
    let found = try checkPlist {
      $0.replacing("<integer>\(size)</integer>", with: "<integer>\(size - 1)</integer>")
    }
    #expect(
      found == [
        "Info.plist:\(place): error: \(key.rawValue) is \(size - 1), but the \(packs) have "
          + "\(size) bytes \(state) [download.allowance]"
      ])
  }

  @Test
  func `on-demand packs do not count for allowances`() throws {
    let level = PublishedArchive.sample("level", size: 1_000_000, installedSize: 2_000_000)
    #expect(
      try check(publish((tutorial, 0), (island, 0), (level, 0))) {
        $0.archives = folder(tutorial, island, level)
        $0.plist = plist()
      } == [])
  }

  @Test
  func `without archives the unpacked sizes are not checked`() throws {
    #expect(
      try check(publish((tutorial, 0), (island, 0))) {
        $0.plist = plist { $0.replacing("<integer>4000<", with: "<integer>1<") }
      } == [])
  }

  @Test
  func `missing keys of a self-hosted app are errors`() throws {
    let empty = InfoPlistDocument(
      parsing: Array("<plist version=\"1.0\"><dict/></plist>".utf8), named: "Info.plist")
    let lines = try check(publish((tutorial, 0))) {
      $0.plist = empty
    }
    #expect(
      lines
        == [
          "BAInitialDownloadRestrictions", "BAAppGroupID", "BAManifestURL",
          "BAEssentialMaxInstallSize",
        ].map { "Info.plist: error: the key '\($0)' is missing [download.info-plist]" })
  }

  @Test
  func `an app needs both allowances, even without downloads`() throws {
    let lines = try check(publish((tutorial, 0))) {
      $0.archives = folder(tutorial)
      $0.plist = plist(
        {
          $0.replacing("\t\t<key>BADownloadAllowance</key>\n\t\t<integer>0</integer>\n", with: "")
        },
        for: [tutorial])
    }
    #expect(
      lines == [
        "Info.plist:11:2: error: the key 'BADownloadAllowance' is missing [download.info-plist]"
      ])
  }

  @Test
  func `Apple's hosting and an address without https are errors`() throws {
    let apple = try checkPlist {
      $0.replacing(
        "<key>BAUsesAppleHosting</key>\n\t<false/>", with: "<key>BAUsesAppleHosting</key><true/>")
    }
    #expect(apple.count == 1 && apple[0].contains("'BAUsesAppleHosting' is true"))
    let http = try checkPlist { $0.replacing("https://cdn.example.com/m.json", with: "http://x/m") }
    #expect(
      http.count == 1
        && http[0].contains("'BAManifestURL' must be a complete https address, not 'http://x/m'"))
  }
}
