import BAPackKit
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
  /// The scenario of the first launch, which passes with these packs.
  package var scenario: Text
  package var project: Text
  /// The lines for `.gitignore`.
  package var ignoreLines: [String]

  /// Creates the texts of a proposal whose sizes were estimated.
  package init(_ proposal: Proposal, of tree: AssetTree, in layout: ProjectLayout) {
    let limits = DownloadLimits(of: proposal)
    manifests = proposal.packs.map { $0.file(in: layout) }
    scenario = Text(
      path: layout.scenario, bytes: FirstLaunch(of: proposal, in: tree, limits).bytes)
    project = Self.projectFile(proposal, limits, layout)
    ignoreLines = [layout.ignoreLine]
  }

  /// The paths of all files, in the order in which they are written.
  package var paths: [FilePath] { (manifests + [scenario, project]).map(\.path) }

  private static func projectFile(
    _ proposal: Proposal, _ limits: DownloadLimits, _ layout: ProjectLayout
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
    let text = settings.text(
      TextComments(start: ["The asset packs of the app, and the settings for them."], keys: keys))
    return Text(path: FilePath(ProjectPlace.fileName.bytes), bytes: Array(text.utf8))
  }
}
