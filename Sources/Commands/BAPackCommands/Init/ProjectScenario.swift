import BAPackKit
import Proposing
import SourceDiagnostics
import SystemIO

/// The run of `init --scenario`: the scenario of the first launch, from the packs as they are.
struct ProjectScenario {
  /// The path of the scenario.
  let path: FilePath
  /// The text of the existing file; empty if there is none.
  let before: [UInt8]
  let after: [UInt8]

  /// Reads a project; nil after errors, which are reported.
  init?(_ folder: String?, _ console: Console) throws(PackError) {
    guard let place = ProjectPlace(from: folder ?? ".") else {
      throw PackError(.missing, "there is no project file in '\(folder ?? ".")'")
    }
    var document = try ProjectDocument(reading: place, as: console.projectOwner, console.work)
    document.findPacks()
    var effective = EffectiveSettings()
    effective.add(document)
    let settings = document.settings ?? ProjectSettings()
    var project = Project(
      (effective.packs?.value ?? []).map { FilePath($0) }, hosting: settings.hosting)
    project.ownFile = place.path
    project.primaryLanguage = settings.primaryLanguage
    let projectFolder = FilePath(place.folder)
    project.defaultSourceRoot = projectFolder.appending(FilePath(settings.sourceRoot ?? "."))
    let manifests = project.found().inputs.map { [project] in project.read($0, console.work) }
    let checked = try project.check(manifests, console.work)
    guard !document.findings.hasErrors, let packs = checked.packs else {
      console.report(document.findings, as: .text)
      console.report(checked.report.findings.from(.error), as: .text)
      return nil
    }
    let output = projectFolder.appending(FilePath(settings.output ?? "build/packs"))
    let limit = settings.budgets?.first { $0.subject == .essential }
    let offered = packs.map { FirstLaunch.Pack(of: $0, in: output) }
    after =
      FirstLaunch(
        of: offered, primaryLanguage: settings.primaryLanguage, essential: limit?.text
      ).bytes
    path = projectFolder.appending(ProjectLayout(projectFolder: projectFolder).scenario)
    before = (try? FileRewrite(path.text).contents(atMost: Self.largest)) ?? []
  }

  /// The maximum size of an existing scenario in bytes.
  private static let largest = 1 << 20

  /// Writes the scenario; an existing one is replaced.
  func write() throws(PackError) {
    guard (try? FileStatus(ofLinkAt: path.text)) != nil else {
      return try FileChanges(newFiles: [.init(path: path, bytes: after)]).write()
    }
    try FileChanges(edits: [.init(path: path, before: before, after: after)]).write()
  }
}

extension FirstLaunch.Pack {
  /// Creates a pack with the size of its archive, or of its files if there is no archive.
  fileprivate init(of pack: ReadyPack, in output: FilePath) {
    let manifest = pack.manifest
    let selection = pack.selection
    let archive = try? FileStatus(
      ofFileAt: output.appending(FileName(manifest.assetPackID + ".aar")).text)
    let size = PackSize(
      download: archive?.size ?? selection.totalSize, unpacked: selection.totalSize)
    let path = selection.indices.lazy.filter(selection.isFile).compactMap {
      String(validating: selection.pathInContents(at: $0).bytes, as: UTF8.self)
    }.first
    self.init(
      OfferedPack(
        id: PackID(manifest.assetPackID), policy: manifest.downloadPolicy,
        platforms: manifest.platforms, language: manifest.language, size: size),
      path: path)
  }
}
