import BAPackKit
import Foundation
import TestSupport
import Testing

/// The documentation of the library, run: what stands between `// snippet` and `// end` stands
/// there, too, word for word.
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

  @Test func `getting started works as the documentation says`() async throws {
    let folder = try Self.game()
    try await Self.start(folder.filePath("Packs"), folder.filePath("out"))
    #expect(try folder.contents("out/one.aar").isEmpty == false)
  }

  private static func start(_ packs: FilePath, _ output: FilePath) async throws {
    // snippet
    let project = Project([packs], hosting: .apple)
    let checked = try await project.check()
    print(checked.report.text())
    guard let ready = checked.packs else { return }
    for pack in ready { _ = try await pack.pack(into: output) }
    // end
  }

  @Test func `mistakes stand where an editor can jump to them`() async throws {
    let text = #"{"assetPackID": "one", "plattforms": ["iOS"]}"#
    let checked = try await Project([.text(Array(text.utf8), named: "t")]).check()
    #expect(checked.report.text().contains("t:1:24: error: a manifest has no key 'plattforms'"))
    // snippet
    for manifest in checked.report.findings.pages {
      for finding in manifest.findings {
        let place = manifest.source.position(of: finding.span?.start ?? 0)
        print("\(manifest.source.name):\(place.line):\(place.column): \(finding.message)")
        for fix in finding.fixes { print("  \(fix.message)") }
      }
    }
    // end
  }

  @Test func `a manifest that was never a file`() async throws {
    let folder = try Self.game()
    let files = folder.filePath("Packs/files")
    let manifest = String(decoding: try folder.contents("Packs/one.json"), as: UTF8.self)
    // snippet
    var project = Project([.text(Array(manifest.utf8), named: "levels")])
    project.sourceRoot = files
    let packs = try await project.check().packs
    // end
    #expect(packs?.map(\.selection.fileCount) == [1])
  }

  @Test func `how far it is, and the wish to stop`() async throws {
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

  @Test func `an archive before it is uploaded, and what is in it`() async throws {
    let folder = try Self.game()
    let packs = try #require(try await Project([folder.filePath("Packs")]).check().packs)
    let archive = try await packs[0].pack(into: folder.filePath("out")).path
    try await Self.check(archive, packs)
    try await Self.inspect(archive, folder.filePath("taken"))
    #expect(try folder.contents("taken/deep/a.txt") == Array("a".utf8))
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
    let taken = try await pack.extract(["deep"], into: folder)
    // end
    #expect(taken.fileCount == 1)
  }

  @Test func `every snippet of the documentation is one that runs`() throws {
    let here = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
    let run = here.components(separatedBy: "// snippet\n").dropFirst().map { rest in
      Self.dedented(rest.components(separatedBy: "    // end")[0])
    }
    var shown: [String] = []
    let catalogue = Checkout.file("Sources/BAPackKit/BAPackKit.docc")
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

  /// The lines without what all of them begin with.
  private static func dedented(_ text: String) -> String {
    let lines = text.components(separatedBy: "\n")
    let margin = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(margin)) }.joined(separator: "\n")
  }
}
