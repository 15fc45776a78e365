import BAPackKit
import Foundation
import TestSupport
import Testing

/// Runs the code of the documentation: each Swift block of a page is the text between `// snippet`
/// and `// end` of a test.
@Suite struct RecipeTests {
  private static func game() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.makeFile("Packs/files/deep/a.txt", "a")
    try folder.makeFile(
      "Packs/one.json",
      """
      {"assetPackID": "one", "downloadPolicy": {"onDemand": {}}, "platforms": ["iOS"],
       "sourceRoot": "files", "fileSelectors": [{"directory": "deep"}]}
      """)
    return folder
  }

  @Test func `getting started writes an archive`() async throws {
    let folder = try Self.game()
    try await Self.start(folder.filePath("Packs"), folder.filePath("out"))
    #expect(try folder.contents("out/one.aar").isEmpty == false)
  }

  private static func start(_ packs: FilePath, _ output: FilePath) async throws {
    // snippet
    let project = Project([packs], hosting: .apple)
    let checked = try await project.check()
    print(checked.report.text())
    if checked.report.hasErrors { return }
    let summaries = try await checked.pack(into: output)
    // end
    #expect(summaries.map(\.assetPackID) == ["one"])
  }

  @Test func `findings have positions for editors`() async throws {
    let text = #"{"assetPackID": "one", "plattforms": ["iOS"]}"#
    let checked = try await Project([.text(Array(text.utf8), named: "t")]).check()
    #expect(checked.report.text().contains("t:1:24: error: "))
    // snippet
    for manifest in checked.report.findings.pages {
      for finding in manifest.findings {
        let place = manifest.source.position(of: finding.span?.start ?? 0)
        print("\(manifest.source.name):\(place.line):\(place.column): \(finding.message)")
        for fix in finding.fixes { print("  \(fix.message)") }
      }
    }
    // end
    // snippet
    let json = JSONLinesRenderer().render(checked.report.findings)
    let hasErrors = checked.report.hasErrors
    // end
    #expect(json.contains("json.unknown-key"))
    #expect(hasErrors)
  }

  @Test func `generated manifests select files`() async throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("Cave/map.json", "{}")
    try folder.makeFile("Forest/map.json", "{}")
    let files = folder.filePath(".")
    // snippet
    let levels = ["Cave", "Forest"].map { level in
      Manifest(
        assetPackID: "level-\(level.lowercased())", downloadPolicy: .onDemand,
        fileSelectors: [.directory(level)], platforms: [.iOS, .macOS])
    }
    var project = Project(levels.map { .manifest($0) })
    project.sourceRoot = files
    let packs = try await project.check().packs
    // end
    #expect(packs?.map(\.manifest.assetPackID) == ["level-cave", "level-forest"])
    for pack in packs ?? [] {
      // snippet
      for file in pack.selection where file.kind == .file {
        print(file.destination, file.size, file.source?.text ?? "-")
      }
      // end
      #expect(pack.selection.fileCount == 1)
    }
  }

  @Test func `packing reports progress and can be cancelled`() async throws {
    let folder = try Self.game()
    let output = folder.filePath("out")
    let pack = try #require(try await Project([folder.filePath("Packs")]).check().packs?.first)
    // snippet
    let packing = Task {
      try await pack.pack(into: output) { at in
        print(at.file ?? at.pack, at.done, at.total ?? 0)
      }
    }
    packing.cancel()
    // end
    switch await packing.result {
    case .success(let summary): #expect(summary.fileCount == 1)
    case .failure(let error): #expect((error as? PackError)?.kind == .interrupted)
    }
  }

  @Test func `settings of a pack are changed before it is written`() async throws {
    let folder = try Self.game()
    let output = folder.filePath("out")
    let pack = try #require(try await Project([folder.filePath("Packs")]).check().packs?.first)
    // snippet
    var best = pack
    best.settings.effort = .best
    best.settings.threads = 2
    let summary = try await best.pack(into: output, replacing: true)
    print("\(summary.contentBytes) bytes in, \(summary.archiveBytes) bytes out")
    // end
    #expect(summary.contentBytes == 1)
  }

  @Test func `an archive is listed, extracted and verified`() async throws {
    let folder = try Self.game()
    let packs = try #require(try await Project([folder.filePath("Packs")]).check().packs)
    let archive = try await packs[0].pack(into: folder.filePath("out")).path
    try await Self.check(archive, packs)
    try await Self.inspect(archive, folder.filePath("extracted"))
    #expect(try folder.contents("extracted/deep/a.txt") == Array("a".utf8))
  }

  private static func check(_ archive: FilePath, _ packs: [ReadyPack]) async throws {
    // snippet
    let report = try await AssetPack(archive).verify(against: packs, hosting: .apple)
    if report.hasErrors { print(report.findings.map(\.message)) }
    // end
    #expect(!report.hasErrors)
  }

  private static func inspect(_ archive: FilePath, _ folder: FilePath) async throws {
    // snippet
    let pack = AssetPack(archive)
    for entry in try await pack.entries() where entry.isAsset { print(entry.path) }
    let extracted = try await pack.extract(["deep"], into: folder)
    // end
    #expect(extracted.fileCount == 1)
    // snippet
    let manifest = try await pack.manifest()
    let info = try await pack.info()
    print("\(manifest.assetPackID): \(info.contentSize) bytes in \(info.fileSize)")
    // end
    #expect(manifest.assetPackID == "one")
    #expect(info.fileCount == 1)
  }

  @Test func `download sizes are sums of archives`() async throws {
    let folder = try Self.game()
    let output = folder.filePath("out")
    let checked = try await Project([folder.filePath("Packs")]).check()
    // snippet
    var essential: UInt64 = 0
    var byLanguage: [String: UInt64] = [:]
    for (pack, summary) in zip(checked.packs ?? [], try await checked.pack(into: output)) {
      if case .essential = pack.manifest.downloadPolicy { essential += summary.archiveBytes }
      byLanguage[pack.manifest.language?.description ?? "all", default: 0] += summary.archiveBytes
    }
    print("before the first launch: \(essential) bytes; by language: \(byLanguage)")
    // end
    #expect(essential == 0)
    #expect(byLanguage.keys.sorted() == ["all"])
    let summaries = try await checked.pack(into: output, replacing: true)
    let released = [summaries[0].assetPackID: summaries[0].sha256]
    // snippet
    let update = summaries.filter { released[$0.assetPackID] != $0.sha256 }
    print("update: \(update.reduce(0) { $0 + $1.archiveBytes }) bytes")
    // end
    #expect(update.isEmpty)
  }

  @Test func `every Swift block of the documentation is a snippet`() throws {
    let here = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let run = here.components(separatedBy: "// snippet\n").dropFirst().map { rest in
      let lines = rest.components(separatedBy: "\n").prefix {
        $0.trimmingCharacters(in: .whitespaces) != "// end"
      }
      return Self.dedented(lines.map { $0 + "\n" }.joined())
    }
    var shown: [String] = []
    let catalogue = Checkout.file("Sources/Kit/BAPackKit/BAPackKit.docc")
    let pages = try FileManager.default.contentsOfDirectory(atPath: catalogue.path).sorted()
      .filter { $0.hasSuffix(".md") }.map { catalogue.appending(path: $0) }
    let guides = Checkout.file("docs/guides")
    let others = try FileManager.default.contentsOfDirectory(atPath: guides.path).sorted()
      .filter { $0.hasSuffix(".md") }.map { guides.appending(path: $0) }
    for page in pages + others {
      let text = try String(contentsOf: page, encoding: .utf8)
      shown += text.components(separatedBy: "```swift\n").dropFirst().map { rest in
        rest.components(separatedBy: "```")[0]
      }
    }
    #expect(shown.count >= 6)
    for snippet in shown { #expect(run.contains(snippet), "\(snippet)") }
  }

  @Test func `the program of the guide is the one that the checks run`() throws {
    let guide = try String(contentsOf: Checkout.file("docs/guides/library.md"), encoding: .utf8)
    let shown = guide.components(separatedBy: "```swift file=pack-levels/Sources/pack-levels/")
    let program = try String(
      contentsOf: Checkout.file("Tests/Client/Sources/pack-levels/main.swift"), encoding: .utf8)
    #expect(try #require(shown.last).hasPrefix("main.swift\n\(program)```\n"))
  }

  /// Returns the lines without their common indentation.
  private static func dedented(_ text: String) -> String {
    let lines = text.components(separatedBy: "\n")
    let margin = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(margin)) }.joined(separator: "\n")
  }
}
