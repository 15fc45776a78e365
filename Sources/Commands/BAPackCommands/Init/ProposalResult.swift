import BAPackKit
import Proposing
import SourceDiagnostics
import SystemIO
import TerminalText

/// The result for programs: a proposal, and the files that were written.
struct ProposalResult: Described {
  private let proposal: Proposal
  private let layout: ProjectLayout
  private let files: ProposedFiles
  private var findings: [ReportedFinding] = []
  private let packs: [Pack]
  private let leftOut: [Group]
  /// The paths to write, relative to the project.
  var planned: [FilePath] = []
  /// The paths that were written, relative to the project.
  var written: [FilePath] = []

  init(
    _ proposal: Proposal, _ tree: AssetTree, _ files: ProposedFiles, _ layout: ProjectLayout
  ) {
    self.proposal = proposal
    self.layout = layout
    self.files = files
    packs = zip(proposal.packs, files.manifests).map { Pack(pack: $0, path: $1.path) }
    leftOut = proposal.leftOut.map { group in
      Group(group: group, paths: group.files.map { tree.path(ofFile: $0) })
    }
  }

  /// Adds the findings about the manifests and their files.
  mutating func add(_ findings: Ledger) { self.findings += findings.message.reported }

  /// A pack and the path of its manifest.
  fileprivate struct Pack {
    let pack: ProposedPack
    let path: FilePath
  }

  /// Files that are left out, with their paths.
  fileprivate struct Group {
    let group: LeftOut
    let paths: [[UInt8]]
  }
}

// MARK: - Texts

extension ProposalResult {
  /// Returns the proposed or written files as a phrase: "ba-package.json, Packs/ (12 manifests)
  /// and …".
  func list(isWritten: Bool) -> String {
    let isIgnoring = (isWritten ? written : planned).contains(".gitignore")
    let count = isIgnoring ? files.ignoreLines.count : 0
    var parts = [
      files.project.path.shown,
      "\(layout.packsFolder)/ (\(Quantity.count(files.manifests.count, "manifest")))",
    ]
    parts += files.scenarios.map(\.path.shown)
    if count > 0 { parts.append((count == 1 ? "a line" : "\(count) lines") + " in .gitignore") }
    return parts.dropLast().joined(separator: ", ") + " and " + parts[parts.count - 1]
  }

  /// The commands to run next, in lines.
  var nextSteps: [String] {
    let folder = layout.projectFolder.text
    let isPlain = folder.utf8.allSatisfy { $0.isDigit || $0.isLetter || "/._-".utf8.contains($0) }
    let steps = [
      "ba-package validate", "ba-package pack",
      "ba-package simulate --scenario \(layout.scenarios(of: files))",
    ]
    let change =
      folder == "." ? [] : ["cd \(isPlain ? folder : "'\(folder.replacing("'", with: "'\\''"))'")"]
    return ["Next steps:"] + (change + steps).map { "  " + $0 }
  }
}

extension ProjectLayout {
  /// The only scenario, or the folder of all.
  fileprivate func scenarios(of files: ProposedFiles) -> FilePath {
    files.scenarios.count == 1 ? scenario : scenario.folder
  }
}

// MARK: - JSON

extension ProposalResult {
  static let table = Table<Self>(written: "a proposal") {
    Key(
      "engine", written: \.proposal.project.engine, .word,
      "The engine or the kind of project, if it was recognized.")
    Key("engineVersion", written: \.proposal.project.version, .text, "The version of the engine.")
    Key(
      "marker", written: \.proposal.project.marker, .text,
      "The file or folder by which the engine was recognized.")
    Key.path(
      "folder", written: { $0.layout.projectFolder.bytes[...] },
      "The folder of the project file.")
    Key.path(
      Manifest.key(of: \.sourceRoot), written: { $0.layout.sourceRoot.bytes[...] },
      "The folder of the assets, relative to the project.")
    Key(
      "primaryLanguage", written: \.proposal.primaryLanguage, .language,
      "The primary language of the app, if there is one.")
    Key(
      "primaryLanguageOrigin", written: \.proposal.primaryLanguageOrigin, .text,
      "The origin of the primary language.")
    Key("packs", written: \.packs, .list(of: .object(pack)), "The proposed packs.")
    Key(
      "leftOut", written: \.leftOut, .list(of: .object(group)), "The files that no pack contains.")
    Key(
      "notes", written: { $0.proposal.project.advice + $0.proposal.notes },
      .list(of: .object(reason)), "Notes about the project and the proposal.")
    Key("findings", written: \.findings, .list(of: .object), "Findings about the manifests.")
    Key(
      "devices", written: \.proposal.deviceCosts, .list(of: .object(device)),
      "The downloads of each kind of device, the largest first.")
    Key(
      "files", written: { $0.files.paths.map(\.text) }, .list(of: .text),
      "The files of the proposal, relative to the project.")
    Key(
      "ignoreLines", written: \.files.ignoreLines, .list(of: .text),
      "The lines for '.gitignore'.")
    Key(
      "written", written: { $0.written.map(\.text) }, .list(of: .text),
      "The files that were written, relative to the project.")
  }

  private static let pack = Table<Pack>(written: "a pack") {
    Key(Manifest.key(of: \.assetPackID), written: \.pack.manifest.assetPackID, .text, "The ID.")
    Key(
      Manifest.key(of: \.downloadPolicy), written: \.pack.manifest.downloadPolicy, .policy,
      "The download policy.")
    Key(
      Manifest.key(of: \.platforms), written: \.pack.manifest.platforms, .list(of: .word),
      "The platforms; empty for all platforms.")
    Key(
      Manifest.key(of: \.language), written: \.pack.manifest.language, .language,
      "The language of a localized pack.")
    Key("files", written: \.pack.count, .count, "The number of files.")
    Key("bytes", written: \.pack.bytes, .bytes, "The size of the files in bytes.")
    Key(
      "estimatedBytes", written: \.pack.compressed, .bytes,
      "The estimated size of the archive in bytes.")
    Key(
      "reasons", written: \.pack.reasons, .list(of: .object(reason)),
      "The reasons, the most important one first.")
    Key(
      "manifestPath", written: \.path.text, .text,
      "The path of the manifest, relative to the project.")
    Key(
      "manifest", written: { $0.pack.manifest.authoredValue() }, .anything,
      "The manifest, without the source root.")
  }

  private static let group = Table<Group>(written: "files that are left out") {
    Key("rule", written: \.group.reason.rule.id.name, .text, "The ID of the rule, for 'explain'.")
    Key("reason", written: \.group.reason.text, .text, "The reason.")
    Key("files", written: \.group.count, .count, "The number of files.")
    Key("bytes", written: \.group.bytes, .bytes, "The size of the files in bytes.")
    Key("paths", written: \.paths, .list(of: .object(path)), "The files and folders.")
  }

  private static let path = Table<[UInt8]>(written: "a path") {
    Key.path("path", written: { $0[...] }, "The path below the source root.")
  }

  private static let reason = Table<Reason>(written: "a reason") {
    Key("rule", written: \.rule.id.name, .text, "The ID of the rule, for 'explain'.")
    Key("text", written: \.text, .text, "The reason for this folder.")
  }

  private static let device = Table<DeviceCost>(written: "a device") {
    Key(
      "platform", written: \.platform, .word, "The platform; absent if all platforms are equal.")
    Key(
      "language", written: \.language, .language,
      "The language; absent if all languages are equal.")
    Key(
      "beforeLaunchBytes", written: \.beforeLaunch, .bytes,
      "The download before the first launch in bytes.")
    Key(
      "inBackgroundBytes", written: \.inBackground, .bytes,
      "The download in the background in bytes.")
    Key("totalBytes", written: \.total, .bytes, "The size of all packs of the device in bytes.")
  }
}
