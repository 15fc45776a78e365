import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import Proposing

/// Tests of files that are added to projects with random manifests of a user.
struct HandmadeProjectTests {
  @Test(.heavy, arguments: Array(UInt64(1)...12))
  func `additions to manifests of a user cause no errors`(seed: UInt64) async throws {
    var random = Seeded(seed: seed)
    for seeded in SeededTrees.all(seed: seed) + [SeededTrees.mixed(seed: seed)] {
      try await Self.complete(seeded, &random)
    }
  }

  @Test(.heavy, arguments: Array(UInt64(1)...60))
  func `packs keep their files when code, sources, keys and other languages are added`(
    seed: UInt64
  ) async throws {
    var random = Seeded(seed: seed)
    try await Self.complete(Self.mixture(seed, &random), &random)
  }

  /// Returns a few folders in which files of an app are next to files that a rule leaves out, and
  /// languages next to their regions and other spellings.
  private static func mixture(_ seed: UInt64, _ random: inout Seeded) -> SeededTree {
    var tree = SeededTree("mixture, seed \(seed)")
    let kinds = ["png", "png", "json", "lua", "swift", "md", "psd", "p8", "import", "bak"]
    for folder in ["Menu", "Hud", "Hud/Icons", "Art", "Levels/1", "Levels/2", ""] {
      for number in 0..<2 + random.next(below: 4) {
        let name = "item\(number).\(kinds[random.next(below: kinds.count)])"
        tree.add(folder.isEmpty ? name : "\(folder)/\(name)", size: 1 + random.next() % 90_000)
      }
    }
    let languages = ["en", "en_US", "english", "de", "de_DE", "zh_CN", "zh-Hans", "fr", "fr_CA"]
    for language in languages where random.next(below: 3) > 0 {
      for line in 0..<4 where random.next(below: 4) > 0 {
        tree.add("Voices/\(language)/\(line).wav", size: 40_000 + random.next() % 90_000)
      }
    }
    return tree
  }

  /// Writes random manifests for a part of the files of a tree, and adds the others.
  private static func complete(_ seeded: SeededTree, _ random: inout Seeded) async throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("Assets")
    var old = seeded
    old.files.removeAll { _ in random.next(below: 3) == 0 }
    for file in old.files {
      try folder.makeHole(named: Array("Assets/".utf8) + file.path, size: file.size)
    }
    let project = try AddedProject(in: folder, AssetTree(FilePath(folder.path), [:]))
    for number in 0..<1 + random.next(below: 4) {
      let manifest = Self.manifest(number, of: old, &random)
      try folder.makeFile("Packs/user-\(number).json", manifest.authoredJSON())
      let check = try await Project(
        [.path(folder.filePath("Packs/user-\(number).json"))], hosting: .apple
      ).check()
      if check.report.hasErrors { try folder.remove("Packs/user-\(number).json") }
    }
    for file in seeded.files {
      try folder.makeHole(named: Array("Assets/".utf8) + file.path, size: file.size)
    }
    var known: Set<String> = ["packs.primary-language"]
    let before = try await Project(
      project.documents.map { .path(FilePath($0.source.name)) }, hosting: .apple
    ).check()
    let findings = before.report.findings.pages.flatMap { Array($0.findings) }
    for finding in findings { known.insert(finding.id.name) }
    // Names that no pack can contain are excluded; other errors need the user.
    if findings.contains(where: { $0.severity == .error && $0.id.name != "files.name" }) { return }
    try await project.complete("\(seeded.name), user", allowing: known, isHandmade: true)
  }

  /// Returns a manifest for random folders and files.
  private static func manifest(
    _ number: Int, of tree: SeededTree, _ random: inout Seeded
  ) -> Manifest {
    let paths = tree.files.map(\.path).filter { String(validating: $0, as: UTF8.self) != nil }
    var selectors: [FileSelector] = []
    var root = ["../Assets", ".."][random.next(below: 2)]
    var prefix = root == ".." ? "Assets/" : ""
    var start: [FileName] = []
    if random.next(below: 4) == 0, let path = paths.first,
      let top = FilePath(path).components.dropLast().first
    {
      root = "../Assets/" + FilePath(top.bytes).text
      prefix = ""
      start = [top]
    }
    for _ in 0..<1 + random.next(below: 4) where !paths.isEmpty {
      let names = FilePath(paths[random.next(below: paths.count)]).components
      guard names.starts(with: start), names.count > start.count else { continue }
      let rest = names.dropFirst(start.count)
      let path = prefix + FilePath(joining: rest).text
      let folder = prefix + FilePath(joining: rest.dropLast()).text
      switch random.next(below: 6) {
      case 0: selectors.append(.file(path))
      case 1: selectors.append(.renamedFile(source: path, destination: "Other/\(number)/x"))
      case 2 where rest.count > 1: selectors.append(.directory(folder))
      case 3 where rest.count > 1:
        selectors.append(.renamedDirectory(source: folder, destination: "Moved"))
      case 4:
        let pattern = ["**/*.png", "**/item0.*", "**/*"][random.next(below: 3)]
        selectors.append(.filePattern(prefix + pattern))
      case 5 where rest.count > 1:
        let name = FilePath(joining: rest.suffix(1)).text
        selectors += [.directory(folder), .exclusion(name)]
      default: selectors.append(.filePattern(folder.isEmpty ? "*" : folder + "/*"))
      }
    }
    let languages = ["en", "de", "fr", "pt-BR"].map { LanguageTag($0) }
    return Manifest(
      assetPackID: ["core", "voices-en", "text", "user"][random.next(below: 4)] + "-\(number)",
      downloadPolicy: random.next(below: 2) == 0 ? .onDemand : .essential([.firstInstallation]),
      fileSelectors: selectors, platforms: [], sourceRoot: root,
      language: random.next(below: 4) == 0 ? languages[random.next(below: 4)] : nil)
  }
}
