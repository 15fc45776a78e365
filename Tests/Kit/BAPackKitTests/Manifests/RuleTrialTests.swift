// Long because it contains the preparation of the inputs for each kind of trial.

import BAPackKit
import Foundation
import Glibc
import SourceDiagnostics
import SystemIO
import TerminalText
import TestSupport
import Testing

/// The examples of rules about other inputs than the text of a manifest: files, several manifests,
/// packs, publications.
///
/// ``Trial/byRule`` describes their inputs.
@Suite struct RuleTrialTests {
  /// Rules without a tested example, with the reason.
  static let withoutTrial = [
    "manifest.unreadable": "no manifest is a text; ManifestFolderTests and ProjectTests show it",
    "list.unreadable": "no list is a text; FileListTests shows it",
    "list.too-large": "the limit is 4,000,000 files; FileListTests shows it",
  ]

  /// Additional findings of some mistakes.
  private static let companions = [
    "archive.duplicate": ["archive.similar-names"],
    // The entries after such an entry cannot be read.
    "archive.size": ["archive.damaged"],
    // The publications of the examples have no version lock, and the second one removes a pack.
    "download.pack-vanished": ["download.no-record"],
    "download.unknown-pack": ["download.pack-vanished"],
    // Packs usually do not have these fields.
    "archive.recorded": ["archive.field"],
    "files.localized-difference": ["language.systems"],
    "packs.primary-language": ["language.systems"],
    // The finding that the wrong exception does not match.
    "project.unused-finding": ["files.junk"],
    // The findings that exceed the limit.
    "text.too-many-findings": ["json.wrong-type"],
  ]

  private static let rules = RuleCatalogue.all.filter { Trial.byRule[$0.id.name] != nil }

  @Test(arguments: rules.indices)
  func `every wrong example has a finding of its rule, the right one has none`(index: Int) throws {
    let rule = Self.rules[index]
    let id = rule.id.name
    let wrong = try findings(rule, .wrong)
    let companions = Self.companions[id] ?? []
    #expect(
      Set(wrong.map(\.id.name)).subtracting(companions) == [id], "\(wrong.map(\.message))")
    let right = try findings(rule, .right)
    #expect(
      Set(right.map(\.id.name)).subtracting(companions) == [], "\(id): \(right.map(\.message))")
    #expect(!right.contains { $0.id == rule.id }, "\(id)")
    for finding in wrong where finding.id == rule.id {
      let weights = [rule.severity(for: rule.example.hosting), rule.exception?.severity]
      #expect(weights.contains(finding.severity), "\(id)")
    }
  }

  @Test func `every rule has a tested example, with the listed exceptions`() {
    let texts = RuleCatalogue.all.filter { rule in
      !Self.rules.contains { $0.id == rule.id } && Self.withoutTrial[rule.id.name] == nil
    }
    for rule in texts {
      let example = rule.example.wrong
      let found = ManifestDocument(
        parsing: RuleExampleTests.manifest(around: example), named: "m",
        for: rule.example.hosting
      ).findings
      #expect(found.contains { $0.id == rule.id }, "\(rule.id.name) needs a trial")
    }
    #expect(Set(Trial.byRule.keys).isSubset(of: RuleCatalogue.all.map(\.id.name)))
    #expect(texts.count + Self.rules.count + Self.withoutTrial.count == RuleCatalogue.all.count)
  }

  // MARK: - Building

  private enum Side { case wrong, right }

  private func findings(_ rule: Rule, _ side: Side) throws -> Ledger {
    let text = side == .wrong ? rule.example.wrong : rule.example.right
    let hosting = rule.example.hosting
    switch try #require(Trial.byRule[rule.id.name]) {
    case .made(let wrong, let right):
      let bytes = side == .wrong ? wrong : right
      let isMember = bytes.first == UInt8(ascii: "\"")
      let manifest =
        isMember
        ? RuleExampleTests.manifest(around: String(decoding: bytes, as: UTF8.self)) : bytes
      let document = ManifestDocument(parsing: manifest, named: "m", for: hosting)
      // A text that is not a manifest also lacks the keys.
      return Ledger(
        about: document.source,
        document.findings.filter { isMember || $0.id != "json.missing-key" })
    case .files(let files, let correct):
      return try selection(text, side == .wrong ? files : correct ?? files, hosting)
    case .app(let wrong, let right, let files, let primary):
      return try app(side == .wrong ? wrong : right, files, primary)
    case .list: return try listed(text, sources: rule.example.right)
    case .packs(let wrong, let right): return try verify(side == .wrong ? wrong : right)
    case .downloadManifest:
      return DownloadManifestDocument(
        parsing: Array(downloadManifest(around: text).utf8), named: "manifest.json"
      ).findings
    case .record:
      let others = ["format": "1", "published": "[]"].filter { !text.contains("\"\($0.key)\"") }
      let members = others.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value)" }
      return PublicationRecordDocument(
        parsing: Array("{\((members + [text]).joined(separator: ", "))}".utf8), named: "lock"
      ).findings
    case .collected(let ids, let wrong, let right):
      return collect(side == .wrong ? wrong : right, ofPacks: ids)
    case .project:
      var project = Self.project(around: text)
      project.findBaseline()
      return project.findings
    case .exception(let id, let path):
      return exceptions(in: Self.project(around: text), about: path, id)
    case .budget(let wrong, let right):
      let project = Self.project(around: text)
      var found = project.findings
      found.add(
        (project.settings?.budgets ?? []).map {
          BudgetUse(of: $0, by: side == .wrong ? wrong : right)
        })
      return found
    case .publishing(let wrong, let right): return try publish(side == .wrong ? wrong : right)
    case .archive(let wrong, let right):
      let folder = try TemporaryFolder()
      let bytes = side == .wrong ? wrong : right
      try folder.makeFile("a", bytes ?? PackBytes.sample.container())
      return try [PublishedArchive].read([folder.path("a")], .unstoppable).unreadable
    case .unmanagedManifest(let files, let correctFiles, let plist, let correctPlist):
      return try unmanaged(
        text, side == .wrong ? files : correctFiles ?? files,
        side == .wrong ? plist : correctPlist)
    }
  }

  /// Returns the findings of a list of files, whose sources are in a temporary folder.
  private func listed(_ text: String, sources: String) throws -> Ledger {
    let folder = try TemporaryFolder()
    func fields(_ text: String) -> [[Substring]] {
      text.split(separator: "\n").map { $0.split(separator: "\t") }
    }
    for line in fields(sources) { try folder.makeFile(String(line[1])) }
    let lines = fields(text).map { line in
      line.enumerated().map { $0 == 1 ? folder.path(String($1)) : String($1) }
        .joined(separator: "\t")
    }
    let list = FileList(Array(lines.joined(separator: "\n").utf8), named: "list")
    var findings = list.findings
    _ = try SourceRoot(listing: list, &findings, .unstoppable)
    return findings
  }

  private func exceptions(
    in project: ProjectDocument, about path: String, _ id: Finding.ID
  ) -> Ledger {
    let policy = FindingPolicy(project.settings?.findings ?? [])
    var found = project.findings
    var finding = Finding(id, .warning, "found")
    finding.path = path
    found.add(finding)
    found.follow(policy)
    CheckedRules.addUnused(policy, for: nil, into: &found)
    return found
  }

  private func collect(_ archives: [String], ofPacks ids: [String]) -> Ledger {
    let documents = ids.map { id in
      ManifestDocument(
        parsing: RuleExampleTests.manifest(around: "\"assetPackID\": \"\(id)\""), named: id)
    }
    return ShardRules.findings(
      collected: archives.enumerated().map {
        .init("\($0.offset)/\($0.element).aar", PackID($0.element))
      }, of: documents, in: "collected")
  }

  /// Returns an unmanaged manifest with an example, in which `…` is the other members of an asset.
  private func unmanaged(
    _ example: String, _ files: [Trial.File]?, _ plist: String?
  ) throws -> Ledger {
    let text = example.hasPrefix("\"") ? example : "\"assets\": []"
    let parts = text.split(separator: "…", omittingEmptySubsequences: false)
    let digest = hexadecimal(Array(try #require(Data(base64Encoded: Self.digest))))
    let assets =
      parts.enumerated().dropLast().map { number, part in
        let asset = part.split(separator: "{").last ?? ""
        let members = [
          ("identifier", "\"\(number).dat\""),
          ("url", "\"https://downloads.example.com/\(number).dat\""), ("fileSize", "10"),
          ("sha256", "\"\(digest)\""), ("version", "0"), ("essential", "false"),
          ("installationEventTypes", "[\"firstInstallation\"]"),
        ].filter { !asset.contains("\"\($0.0)\"") }
        return part + members.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ")
      }.joined() + (parts.last ?? "")
    let others = ["\"format\": 1", "\"assets\": []"].filter { member in
      let isOther = text.contains("assetPacks") && member.contains("assets")
      return !isOther && !text.contains(member.prefix { $0 != ":" })
    }
    let json = "{\((others + [assets]).joined(separator: ", "))}"
    var check = UnmanagedCheck(
      UnmanagedDocument(parsing: Array(json.utf8), named: "manifest.json"))
    if let files {
      let folder = try TemporaryFolder()
      _ = try make(files, in: folder, below: "root/")
      try folder.makeFolder("root")
      let root = FilePath(folder.path("root"))
      if !files.isEmpty { check.files = try UnmanagedFiles(reading: [root], .unstoppable) }
    }
    check.plist = plist.map {
      InfoPlistDocument(parsing: Array($0.utf8), named: "Info.plist", isManaged: false)
    }
    return check.findings()
  }

  /// The SHA-256 digest of ten letters x.
  private static let digest = "/BHW8o5Z08wzwLFM62RL8JAuvWPWEhjf/p59rHwlRUI="

  private func make(
    _ files: [Trial.File], in folder: borrowing TemporaryFolder, below root: String
  ) throws -> [ForcedFailure] {
    var faults: [ForcedFailure] = []
    for file in files {
      switch file {
      case .file(let path, let contents): try folder.makeFile(root + path, contents)
      case .folder(let path): try folder.makeFolder(root + path)
      case .link(let path, let target): try folder.makeLink(root + path, to: target)
      case .pipe(let path): try folder.makePipe(root + path)
      case .hole(let path, let size):
        try folder.makeFile(root + path, [])
        try folder.makeHole(root + path, size: size)
      case .refused(let path):
        try folder.makeFile(root + path, mode: 0o000)
        // The superuser can read all files.
        let name = path.split(separator: "/").last.map(String.init)
        faults.append(.always(.access, EACCES, path: name))
      }
    }
    return faults
  }

  private static func project(around text: String) -> ProjectDocument {
    let others =
      text.contains("\"packs\"") || text.contains("assetPackID") ? [] : ["\"packs\": [\"a\"]"]
    return ProjectDocument(
      parsing: Array("{\((others + [text]).joined(separator: ", "))}".utf8),
      at: ProjectPlace(named: "ba-package.json"))
  }

  private func selection(
    _ text: String, _ files: [Trial.File], _ hosting: Hosting?
  ) throws -> Ledger {
    let folder = try TemporaryFolder()
    // The source root is next to the folder of the manifest.
    let namesRoot = text.contains("\"sourceRoot\"")
    let faults = try make(files, in: folder, below: namesRoot ? "" : "root/")
    if namesRoot { try folder.makeFolder("game") }
    let member =
      text.hasPrefix("\"") ? text : #""fileSelectors": [{"directory": "Textures"}]"#
    let document = ManifestDocument(
      parsing: RuleExampleTests.manifest(around: member), named: folder.path("game/m.json"),
      for: hosting)
    let root = namesRoot ? nil : folder.path("root")
    var packs = [
      try ForcedFailures.inject(faults) { () throws(PackError) in
        try SelectedPack(document, sourceRoot: root, hosting: hosting, .unstoppable)
      }
    ]
    SelectedPack.check(together: &packs, hosting: hosting)
    return packs[0].allFindings
  }

  private func app(
    _ members: [String], _ files: [Trial.File], _ primary: LanguageTag?
  ) throws -> Ledger {
    let documents = members.enumerated().map { number, member in
      ManifestDocument(parsing: RuleExampleTests.manifest(around: member), named: "\(number).json")
    }
    var found = ManifestDocument.findings(together: documents, primaryLanguage: primary)
    if files.isEmpty { return found }
    let folder = try TemporaryFolder()
    _ = try make(files, in: folder, below: "")
    var packs = try documents.map { try SelectedPack($0, sourceRoot: folder.path, .unstoppable) }
    SelectedPack.check(together: &packs)
    for pack in packs { found.add(contentsOf: pack.findings) }
    return found
  }

  // MARK: Packs

  private func verify(_ pack: Trial.Pack) throws -> Ledger {
    let folder = try TemporaryFolder()
    try folder.makeFile("a.aar", bytes(of: pack))
    var verification = Verification()
    if pack.isOtherFile { verification.expectedSHA256 = [UInt8](repeating: 0, count: 32) }
    var sources: [Verification.Source] = []
    if let selectors = pack.selectors {
      _ = try make(pack.files, in: folder, below: "root/")
      let document = ManifestDocument(
        parsing: PackBytes.manifest(selecting: [selectors]), named: "m.json")
      let root = try SourceRoot(opening: folder.path("root"), .unstoppable)
      sources = [
        Verification.Source(
          try #require(document.manifest),
          try Selection.resolve(document, in: root, .unstoppable).selection,
          in: root)
      ]
    }
    let report = try verification.verify(folder.path("a.aar"), against: sources, .unstoppable)
    // The manifest of the pack has other rules.
    return Ledger(about: report.findings.pages[0].source, report.findings.pages[0].findings)
  }

  private func bytes(of pack: Trial.Pack) -> [UInt8] {
    var bytes = PackBytes()
    bytes.addFolder("")
    for entry in pack.entries { add(entry, to: &bytes) }
    let stream = bytes.stream
    switch pack.shape {
    case .whole: return stream
    case .cutOff: return stream.dropLast(10)
    case .shortBlock:
      return PackBytes.container(
        of: [stream.prefix(100), stream.dropFirst(100)], blockSize: 1 << 20)
    }
  }

  private func add(_ entry: Trial.Entry, to pack: inout PackBytes) {
    func add(_ path: String, type: Character = "F", _ fields: [[UInt8]], _ data: [UInt8] = []) {
      pack.add(type: type, [PackBytes.path(path), PackBytes.attributes(0o644)] + fields, data)
    }
    let oneByte = PackBytes.field("DATA", [1, 0])
    switch entry {
    case .file(let path, let contents): pack.addFile(path, contents)
    case .folder(let path): pack.addFolder(path)
    case .link(let path, let target):
      add(
        path, type: "L",
        [PackBytes.field("LNKP", PackBytes.little(target.utf8.count, 2) + target.utf8)])
    case .claiming(let path, let size):
      add(path, [PackBytes.field("DATC", PackBytes.little(size, 8))], [0])
    case .swallowing(let path, let next):
      var swallowed = PackBytes()
      swallowed.addFile(next)
      pack.addFile(path, swallowed.stream)
    case .recording(let path, let size): add(path, [PackBytes.field("SIZ1", [size]), oneByte], [0])
    case .extended(let path): add(path, [PackBytes.field("XATA", [0, 0]), oneByte], [0])
    case .manifest(let selectors): pack.addManifest(selecting: [selectors])
    }
  }

  // MARK: Publications

  /// Returns a download manifest with an example, in which `…` is the other members of a pack.
  private func downloadManifest(around example: String) -> String {
    let text =
      example.hasPrefix("\"assetPacks\"")
      ? "{\(example)}"
      : example.hasPrefix("\"") ? "{\"assetPacks\": [{\(example), …}]}" : example
    let parts = text.split(separator: "…", omittingEmptySubsequences: false)
    return parts.enumerated().dropLast().map { number, part in
      let members = [
        ("id", "\"tutorial\""), ("url", "\"https://downloads.example.com/\(number).aar\""),
        ("version", "4"), ("downloadSize", "596"), ("downloadPolicy", "{\"onDemand\": {}}"),
        ("host", "{\"thirdParty\": {}}"),
      ].filter { !part.contains("\"\($0.0)\"") }
      return part + members.map { "\"\($0.0)\": \($0.1)" }.joined(separator: ", ")
    }.joined() + (parts.last ?? "")
  }

  private func publish(_ given: Trial.Publishing) throws -> Ledger {
    let manifest = DownloadManifest(packs: given.packs)
    let archives = given.archives ?? []
    switch given.step {
    case .check:
      func document(_ manifest: DownloadManifest, _ name: String) -> DownloadManifestDocument {
        DownloadManifestDocument(parsing: manifest.json(), named: name)
      }
      var check = DownloadManifestCheck(document(manifest, "manifest.json"))
      check.record = given.record
      check.archives = given.archives.map { ArchiveFolder(path: "Packs", archives: $0) }
      check.previous = given.previous.map {
        .init(document(DownloadManifest(packs: $0), "previous.json"))
      }
      check.plist = given.plist.map {
        InfoPlistDocument(parsing: Array($0.utf8), named: "Info.plist")
      }
      return check.findings()
    case .create:
      var publication = DownloadManifest.create(
        from: archives.map { (archive: $0, version: nil) }, for: .iOS,
        at: try PackURLs(base: "https://downloads.example.com"))
      _ = publication.text()
      return publication.findings
    case .update(let removed):
      return manifest.updated(
        with: archives, removing: removed, for: .iOS, at: nil, record: given.record,
        named: "manifest.json"
      ).findings
    }
  }
}
