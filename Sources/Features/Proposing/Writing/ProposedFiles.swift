package import BAPackKit
import SourceDiagnostics
package import SystemIO

/// The texts of the files that a proposal becomes.
package struct ProposedFiles: Sendable {
  package struct Text: Sendable, Equatable {
    /// The path relative to the folder of the project.
    package var path: FilePath
    /// The contents.
    package var bytes: [UInt8]

    package init(path: FilePath, bytes: [UInt8]) {
      self.path = path
      self.bytes = bytes
    }
  }

  /// The manifests, in the order of the packs.
  package var manifests: [Text]
  /// The scenarios of the first launch, which pass with these packs; if some systems receive no
  /// localized packs, there is a second one for these.
  package var scenarios: [Text]
  package var project: Text
  /// The severities of findings in the project file, with the reasons.
  package var decisions: [FindingSetting]
  /// The lines for `.gitignore`.
  package var ignoreLines: [String]

  /// Creates the texts of a proposal whose sizes were estimated.
  package init(_ proposal: Proposal, of tree: AssetTree, in layout: ProjectLayout) {
    let limits = DownloadLimits(of: proposal)
    manifests = proposal.packs.map { $0.file(in: layout) }
    scenarios = [
      Text(path: layout.scenario, bytes: FirstLaunch(of: proposal, in: tree, limits).bytes)
    ]
    if proposal.runsWithoutLocalizedPacks {
      scenarios.append(
        Text(
          path: layout.scenarioOfOldestSystem,
          bytes: FirstLaunch(of: proposal, in: tree, limits, onOldestSystem: true).bytes))
    }
    decisions = [proposal.decision].compactMap(\.self)
    project = Self.projectFile(proposal, limits, decisions, layout)
    ignoreLines = [layout.ignoreLine]
  }

  /// The paths of all files, in the order in which they are written.
  package var paths: [FilePath] { (manifests + scenarios + [project]).map(\.path) }

  private static func projectFile(
    _ proposal: Proposal, _ limits: DownloadLimits, _ decisions: [FindingSetting],
    _ layout: ProjectLayout
  ) -> Text {
    var settings = ProjectSettings()
    settings.packs = layout.entries(for: proposal.packs.map(\.manifest.assetPackID))
    settings.hosting = layout.hosting
    settings.output = layout.output.text
    let root = layout.sourceRoot.normalized.text
    settings.sourceRoot = root.isEmpty ? "." : root
    settings.primaryLanguage = proposal.primaryLanguage
    let budgets = [("essential", limits.essential), ("total", limits.total)]
    settings.budgets = budgets.compactMap { name, limit in
      limit.flatMap { try? Budget(named: name, limit: $0) }
    }
    settings.findings = decisions.isEmpty ? nil : decisions
    var keys: [String: String] = [:]
    func explain(_ property: PartialKeyPath<ProjectSettings>, _ text: String) {
      keys[ProjectSettings.key(of: property)] = text
    }
    explain(\.packs, "The manifests; new files that match are further packs.")
    explain(\.hosting, "Some rules depend on the host: 'apple' is App Store Connect.")
    explain(\.output, "Packs are written to this folder, which version control ignores.")
    explain(\.sourceRoot, "The paths in manifests start here.")
    explain(
      \.primaryLanguage,
      "Devices use this language if no pack is in their language."
        + (proposal.primaryLanguageOrigin.map { " Origin: \($0)." } ?? ""))
    explain(
      \.budgets,
      """
      A larger download is an error. The limits are 25 % above the sizes at first: 'essential' is \
      the download of any device before the first launch, 'total' all packs of a device.
      """)
    explain(\.findings, "Decisions about findings, with their reasons.")
    let text = settings.text(
      TextComments(start: ["The asset packs of the app, and the settings for them."], keys: keys))
    return Text(path: FilePath(ProjectPlace.fileName.bytes), bytes: Array(text.utf8))
  }
}

extension Proposal {
  /// The decision about the finding that older systems receive no localized packs; nil without such
  /// packs.
  fileprivate var decision: FindingSetting? {
    guard packs.contains(where: { $0.manifest.language != nil }) else { return nil }
    let origin = project.oldestSystemOrigin.map { " (\($0))" } ?? ""
    var setting = FindingSetting("language.systems", runsWithoutLocalizedPacks ? .note : .off)
    if let system = project.oldestSystem {
      setting.reason =
        runsWithoutLocalizedPacks
        ? "version \(system) of the systems\(origin) has the other packs only"
        : "the app requires version \(system) of the systems\(origin)"
    } else {
      setting.reason =
        "if the app supports version 26 of the systems, these have the other packs only"
    }
    return setting
  }
}
