import BAPackKit
import Proposing
import SourceDiagnostics
import SystemIO
import TerminalText

/// The run of `init --add`: the files that no pack of an existing project contains.
struct ProjectAdditions {
  /// The project file.
  let place: ProjectPlace
  private let document: ProjectDocument
  private let manifests: [ManifestDocument]
  private let layout: ProjectLayout
  private let settings: ProjectSettings

  /// Reads a project; nil after errors, which are reported.
  ///
  /// - Parameters:
  ///   - folder: A folder of the project; nil is the current folder.
  ///   - packsFolder: The folder of new manifests in the project; nil is the folder of the first
  ///     manifest.
  init?(
    _ folder: String?, packsFolder: FilePath?, _ console: Console
  ) throws(PackError) {
    guard let place = ProjectPlace(from: folder ?? ".") else {
      throw PackError(
        .missing, "there is no project file in '\(folder ?? ".")' or above it in the repository",
        remedy: "'ba-package init' proposes packs and writes a project file")
    }
    var document = try ProjectDocument(reading: place, as: console.projectOwner, console.work)
    document.findPacks()
    var effective = EffectiveSettings()
    effective.add(document)
    var project = Project((effective.packs?.value ?? []).map { FilePath($0) })
    project.ownFile = place.path
    let manifests = project.found().inputs.map { [project] in project.read($0, console.work) }
    var findings = document.findings
    for manifest in manifests where manifest.findings.hasErrors {
      findings.add(contentsOf: manifest.findings)
    }
    guard let settings = document.settings, !findings.hasErrors else {
      console.report(findings, as: .text)
      console.finding(text: "No file was added: \(findings.tally)\n")
      return nil
    }
    self.place = place
    self.document = document
    self.manifests = manifests
    self.settings = settings
    let first = manifests.first.flatMap { FilePath($0.source.name).folder.relative(to: place) }
    let root = FilePath(settings.sourceRoot ?? ".").normalized
    layout = ProjectLayout(
      projectFolder: FilePath(place.folder), packsFolder: packsFolder ?? first ?? "Packs",
      sourceRoot: root.bytes.isEmpty ? "." : root,
      output: FilePath(settings.output ?? "build/packs").normalized, hosting: settings.hosting)
  }

  /// Returns the path of a manifest relative to the project.
  func shownPath(_ path: FilePath) -> String { (path.relative(to: place) ?? path).shown }

  /// Finds the files that no pack contains, and the pack for each of them.
  func additions(
    _ options: ProposalOptions, _ console: Console
  ) throws(PackError) -> Additions {
    let root = layout.projectFolder.appending(layout.sourceRoot)
    guard (try? FileStatus(ofFileAt: root.text))?.kind == .directory else {
      throw PackError(
        .conflict, "'\(root)', the source root of the project, is not a folder",
        remedy: "unpack it, and change 'sourceRoot' in '\(place.path)'")
    }
    var options = options
    options.primaryLanguage = options.primaryLanguage ?? settings.primaryLanguage
    let platforms = manifests.compactMap(\.manifest?.platforms)
    if options.platforms.isEmpty, !platforms.contains(where: \.isEmpty) {
      // An app without packs for all platforms is for those of its packs.
      options.platforms = Platform.allCases.filter(platforms.joined().contains)
    }
    options.outputPaths = layout.outputPaths
    options.ownPaths =
      layout.ownPaths
      + manifests.compactMap { manifest in
        FilePath(manifest.source.name).relative(to: place)?.below(layout.sourceRoot)?.text
      }
    let (project, tree) = try console.showing("Searching") { work throws(PackError) in
      // The source root is known, even if the engine has no exported content.
      let project = try? FoundProject.find(at: layout.projectFolder, work)
      return (project ?? FoundProject(), try AssetTree(reading: root, work))
    }
    let proposal = Proposal(of: tree, in: project, options)
    return try Additions(
      to: manifests, of: settings, in: layout, finding: tree, proposal, console.work)
  }
}

extension FilePath {
  /// The path relative to the folder of a project; nil if it is not below it.
  fileprivate func relative(to place: ProjectPlace) -> FilePath? {
    below(FilePath(place.folder))
  }

  /// The path relative to a folder; nil if it is not below the folder.
  fileprivate func below(_ folder: FilePath) -> FilePath? {
    let (names, outer) = (components, folder.components)
    guard names.starts(with: outer) else { return nil }
    return FilePath(joining: names.dropFirst(outer.count))
  }
}

/// The result of `init --add` for programs.
struct AdditionsResult: Described {
  private let project: String
  private let additions: Additions
  private let isWritten: Bool

  init(_ additions: Additions, of project: ProjectAdditions, isWritten: Bool) {
    self.project = project.place.path
    self.additions = additions
    self.isWritten = isWritten
  }

  static let table = Table<Self>(written: "additions to a project") {
    Key("project", written: \.project, .text, "The path of the project file.")
    Key(
      "changed", written: \.additions.edits, .list(of: .object(edit)),
      "The manifests that get more selectors.")
    Key(
      "new", written: { $0.additions.newManifests.map(\.path.text) }, .list(of: .text),
      "The new manifests, relative to the project.")
    Key(
      "unselected", written: { $0.additions.unselected.map(\.text) }, .list(of: .text),
      "The new manifests that no entry of 'packs' selects.")
    Key("written", written: \.isWritten, .flag, "Whether the files were written.")
  }

  private static let edit = Table<Additions.Edit>(written: "a changed manifest") {
    Key("path", written: \.path.text, .text, "The path of the manifest.")
    Key(Manifest.key(of: \.assetPackID), written: \.packID, .text, "The ID of the pack.")
    Key(
      Manifest.key(of: \.downloadPolicy), written: \.policy, .policy,
      "The download policy of the pack.")
    Key("paths", written: \.paths, .list(of: .text), "The files and folders that are added.")
  }

  /// The additions as text: a line for each manifest and its first paths.
  static func text(of additions: Additions, to project: ProjectAdditions) -> String {
    var lines: [String] = []
    func add(_ title: String, _ paths: [String]) {
      lines.append(title)
      lines += paths.prefix(8).map { "  " + shown($0) }
      if paths.count > 8 { lines.append("  and \(paths.count - 8) more") }
    }
    for edit in additions.edits {
      add(
        "\(project.shownPath(edit.path)) ('\(edit.packID)', \(edit.policy.phrase)) gets:",
        edit.paths)
    }
    for file in additions.newManifests { add("\(file.path) is a new manifest.", []) }
    return lines.joined(separator: "\n") + "\n"
  }
}
