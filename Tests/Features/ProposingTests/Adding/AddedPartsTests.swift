import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import Proposing

/// Tests that a project for a part of a folder is completed: the other files are added later.
struct AddedPartsTests {
  /// The files that exist when the project is created.
  enum Part: CaseIterable, Sendable {
    /// Each file with a probability of one half.
    case files
    /// The files in a part of the folders.
    case folders
    /// The files of a part of the top folders, or of the second level if there is one top folder.
    case tops

    func contains(_ path: [UInt8], _ seed: UInt64) -> Bool {
      let names = FilePath(path).components
      let key =
        switch self {
        case .files: FilePath(joining: names)
        case .folders: FilePath(joining: names.dropLast())
        case .tops: FilePath(joining: names.prefix(2).dropLast(names.count == 2 ? 1 : 0))
        }
      var random = Seeded(seed: fingerprint(of: key.bytes) &+ seed)
      return random.next(below: 3) > 0
    }
  }

  @Test(.heavy, arguments: Array(UInt64(1)...4), Part.allCases)
  func `files that are added later are in one pack each, or are left out with a reason`(
    seed: UInt64, part: Part
  ) async throws {
    for seeded in SeededTrees.all(seed: seed) + [SeededTrees.mixed(seed: seed)] {
      var old = seeded
      old.files.removeAll { !part.contains($0.path, seed) }
      try await Self.check(old, then: seeded, "\(seeded.name), \(part)")
    }
  }

  /// Creates a project for a tree, adds the files of another one, and checks the result.
  private static func check(
    _ old: SeededTree, then new: SeededTree, _ name: String
  ) async throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("Assets")
    let project = try AddedProject(in: folder, old.assetTree(root: folder.filePath("Assets")))
    for file in new.files {
      try folder.makeHole(named: Array("Assets/".utf8) + file.path, size: file.size)
    }
    // A folder of a pack also selects junk that is added later, and no file leaves a pack.
    let hasJunk = ["unwanted files", "mixed"].contains { new.name.hasPrefix($0) }
    try await project.complete(name, allowing: hasJunk ? ["files.junk"] : [])
  }
}

/// A project on the disk that was created for a part of its files.
struct AddedProject {
  let folder: FilePath
  let layout: ProjectLayout
  var settings = ProjectSettings()
  var options = ProposalOptions()
  let primaryLanguage: LanguageTag?

  /// Writes the manifests of the proposal for a tree.
  init(
    in folder: borrowing TemporaryFolder, _ tree: AssetTree, _ options: ProposalOptions = .init()
  ) throws {
    self.folder = FilePath(folder.path)
    self.options = options
    layout = ProjectLayout(projectFolder: self.folder, sourceRoot: "Assets")
    settings.packs = ["Packs/*.json"]
    settings.sourceRoot = "Assets"
    try folder.makeFolder("Packs")
    let proposal = Proposal(of: tree, in: FoundProject(), options)
    primaryLanguage = proposal.primaryLanguage
    for file in ProposedFiles(proposal, of: tree, in: layout).manifests {
      try folder.makeFile(file.path.text, file.bytes)
    }
  }

  var root: FilePath { folder.appending("Assets" as FileName) }

  var documents: [ManifestDocument] {
    get throws {
      try ManifestFolder(folder.appending("Packs" as FileName).text).manifests.map {
        try ManifestDocument(reading: $0, .unstoppable)
      }
    }
  }

  /// Returns the additions, and the tree and the proposal for all files.
  func additions() throws -> (Additions, AssetTree, Proposal) {
    let tree = try AssetTree(reading: root, .unstoppable)
    var options = options
    options.primaryLanguage = options.primaryLanguage ?? primaryLanguage
    let proposal = Proposal(of: tree, in: FoundProject(), options)
    let additions = try Additions(
      to: documents, of: settings, in: layout, finding: tree, proposal,
      excluding: options.exclusions, .unstoppable)
    return (additions, tree, proposal)
  }

  /// Adds all files, and checks that the project is complete and valid.
  @discardableResult func complete(
    _ name: String, allowing warnings: Set<String> = [], isHandmade: Bool = false
  ) async throws -> Additions {
    let (first, tree, proposal) = try additions()
    let before = try selected()
    try first.write()
    let after = try selected()
    for (id, files) in before {
      let lost = files.subtracting(after[id] ?? [])
      #expect(lost.isEmpty, "\(name): '\(id)' lost \(lost.sorted().prefix(3))")
    }
    let second = try additions().0
    let again = second.edits.map { "\($0.packID): \($0.paths) \($0.exclusions)" }
    #expect(second.isEmpty, "\(name): \(again) \(second.newManifests.map(\.path))")
    #expect(second.unselected == [])
    var project = Project(try documents.map { .path(FilePath($0.source.name)) }, hosting: .apple)
    project.primaryLanguage = primaryLanguage ?? proposal.primaryLanguage
    let checked = try await project.check()
    let fills = try self.fills
    let errors = checked.report.findings.pages.flatMap { Array($0.findings) }
      .filter { $0.severity == .error }
    #expect(errors.isEmpty, "\(name): \(checked.report.text())")
    for warning in checked.report.findings.pages.flatMap({ Array($0.findings) })
    where warning.severity == .warning {
      #expect(
        Self.aboutFiles.union(warnings).contains(warning.id.name),
        "\(name): \(warning.id.name) \(warning.message)")
    }
    var places = try places(in: checked.packs ?? [], tree)
    func add(_ remainders: [Additions.Remainder], _ word: String) {
      for path in remainders.flatMap(\.paths) { places[path, default: []].append(word) }
    }
    add(second.leftOut, "left out")
    add(second.notAdded, "not added")
    for file in proposal.leftOut.flatMap(\.files) {
      let path = tree.path(ofFile: file)
      if places[path] == nil { places[path] = ["rule"] }
    }
    for file in tree.files.indices {
      let path = tree.path(ofFile: file)
      let packs = places[path] ?? []
      let own = packs.filter { fills[$0]?.contains(path) != true }
      let count = own.isEmpty ? min(packs.count, 1) : own.count
      // Packs of the user may have common files.
      #expect(
        isHandmade ? count > 0 : count == 1,
        "\(name): \(FilePath(path).shown) \(places[path] ?? [])")
    }
    return first
  }

  /// The files that localized packs have for missing ones of their languages, by the ID.
  private var fills: [String: Set<[UInt8]>] {
    get throws {
      var fills: [String: Set<[UInt8]>] = [:]
      for manifest in try documents.compactMap(\.manifest) where manifest.language != nil {
        let sources = manifest.fileSelectors.compactMap { selector -> [UInt8]? in
          if case .renamedFile(let source, _) = selector { Array(source.utf8) } else { nil }
        }
        if !sources.isEmpty { fills[manifest.assetPackID] = Set(sources) }
      }
      return fills
    }
  }

  /// Returns the files of each pack by their paths in it; of a pack with errors only the paths.
  private func selected() throws -> [String: Set<String>] {
    var packs: [String: Set<String>] = [:]
    for document in try documents {
      let root = SourceRoot.path(for: document, defaultRoot: folder.text)
      let found = try Selection.resolve(
        document, in: SourceRoot(opening: root, .unstoppable), .unstoppable)
      let selection = found.selection
      for index in selection.indices where selection.isFile(at: index) {
        let path = "\(selection.pathInContents(at: index))"
        packs[document.assetPackID ?? "", default: []].insert(path)
        if !found.findings.hasErrors {
          let source = FilePath(selection.sourceBytes(at: index)).shown
          packs[document.assetPackID ?? "", default: []].insert("\(source) -> \(path)")
        }
      }
    }
    return packs
  }

  /// Returns the packs of each file of a tree.
  private func places(in packs: [ReadyPack], _ tree: AssetTree) throws -> [[UInt8]: [String]] {
    var offsets: [String: RootOffset] = [:]
    for document in try documents {
      let root = SourceRoot.path(for: document, defaultRoot: folder.text)
      offsets[document.assetPackID ?? ""] = RootOffset(of: root, to: tree.root.text)
    }
    var places: [[UInt8]: [String]] = [:]
    for pack in packs {
      let id = pack.manifest.assetPackID
      let selection = pack.selection
      for index in selection.indices where selection.isFile(at: index) {
        let path = offsets[id]?.treePath(of: Array(selection.sourceBytes(at: index)))
        if let path { places[path, default: []].append(id) }
      }
    }
    return places
  }

  /// The IDs of warnings that are caused by the files alone.
  private static let aboutFiles: Set<String> = [
    // The project file has the decision about older systems.
    "language.systems",
    "files.empty-file", "files.similar-names", "files.localized-difference", "files.mac-program",
    "files.working-file",
  ]
}
