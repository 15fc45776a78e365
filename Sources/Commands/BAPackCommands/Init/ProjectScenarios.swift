import BAPackKit
import Proposing
import SourceDiagnostics
import SystemIO

/// The run of `init --scenario`: the scenarios of the first launch, from the packs as they are.
struct ProjectScenarios {
  /// The scenarios that must be written; one without contents before is new.
  private(set) var changes: [FileChanges.Edit] = []
  /// The paths of all scenarios.
  private(set) var paths: [FilePath] = []

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
    var layout = ProjectLayout(projectFolder: projectFolder)
    // 'init' writes it to the folder of the manifests if 'Scenarios' has other files.
    if let folder = settings.packs.first.map({ FilePath($0).folder }) {
      let beside = folder.appending(layout.scenario.name)
      if (try? FileStatus(ofLinkAt: projectFolder.appending(beside).text)) != nil {
        layout.scenario = beside
      }
    }
    let isForOldSystems = Self.isForOldSystems(settings, packs)
    for path in [layout.scenario] + (isForOldSystems ? [layout.scenarioOfOldestSystem] : []) {
      let text = FirstLaunch(
        of: offered, primaryLanguage: settings.primaryLanguage, essential: limit?.text,
        onOldestSystem: path != layout.scenario
      ).bytes
      let place = projectFolder.appending(path)
      paths.append(place)
      let before = (try? FileRewrite(place.text).contents(atMost: Self.largest)) ?? []
      if before != text { changes.append(.init(path: place, before: before, after: text)) }
    }
  }

  /// Returns whether the app runs on systems that receive no localized packs; the project states
  /// the opposite if it turns the finding off.
  private static func isForOldSystems(_ settings: ProjectSettings, _ packs: [ReadyPack]) -> Bool {
    packs.contains { $0.manifest.language != nil }
      && settings.findings?.last { $0.names("language.systems") }?.level != .off
  }

  /// The maximum size of an existing scenario in bytes.
  private static let largest = 1 << 20

  /// Writes the scenarios; existing ones are replaced.
  func write() throws(PackError) {
    func exists(_ path: FilePath) -> Bool { (try? FileStatus(ofLinkAt: path.text)) != nil }
    try FileChanges(
      newFiles: changes.filter { !exists($0.path) }.map { .init(path: $0.path, bytes: $0.after) },
      edits: changes.filter { exists($0.path) }
    ).write()
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
