public import SourceDiagnostics
import SystemIO

/// What is wrong with the packs of a project, and the packs when nothing is.
public struct CheckedProject: Sendable {
  /// What was found.
  public let report: ProjectReport
  /// The packs; nil when there is an error anywhere, or a manifest that has no pack.
  public let ready: ReadyProject?
  /// What kept files from being looked at, for each manifest that it did.
  package let troubles: [PackError]

  init(report: ProjectReport, packs: [ReadyPack], isWhole: Bool, troubles: [PackError]) {
    self.report = report
    self.troubles = troubles
    ready = isWhole && !report.hasErrors ? ReadyProject(packs: packs) : nil
  }
}

/// What was found in a project, manifest by manifest.
public struct ProjectReport: Sendable {
  /// The findings of each manifest, in order of position.
  public let findings: [Findings]

  /// How many findings have a severity.
  public func count(_ severity: Finding.Severity) -> Int {
    findings.reduce(0) { $0 + $1.count(severity) }
  }

  /// Whether anything has to be mended before there can be packs.
  public var hasErrors: Bool { count(.error) > 0 }

  /// The findings, a line each: `Packs/tutorial.json:3:17: error: … [json.unknown-key]`.
  public func text() -> String { LineRenderer().render(findings) }
}

/// Packs that can be made.
public struct ReadyProject: Sendable {
  /// A pack for each manifest, in their order.
  public let packs: [ReadyPack]
}

/// A pack that can be made: its manifest and its files have no errors.
public struct ReadyPack: Sendable {
  /// What the pack is.
  public let manifest: Manifest
  /// The files and folders that go into it.
  public let selection: Selection
  /// Where they come from.
  package let source: SourceRoot
  /// How it is written.
  public var settings: PackSettings

  /// Nil when something is wrong with the manifest or its files.
  init?(_ pack: SelectedPack, _ settings: PackSettings) {
    guard let manifest = pack.document.manifest, let root = pack.root, !pack.hasErrors else {
      return nil
    }
    self.manifest = manifest
    selection = pack.selection
    source = root
    self.settings = settings
  }

  /// What the archive will be, to the byte.
  package func plan() throws(PackError) -> PackPlan {
    try PackPlan(manifest, selection, from: source, settings: settings)
  }

  /// What a pack can be compared with.
  package var comparison: Verification.Source {
    Verification.Source(manifest, selection, in: source)
  }

  /// Packs into a folder, which is made if it is missing, as `<assetPackID>.aar`; or into a file, where
  /// the path ends in `.aar`.
  ///
  /// The archive appears whole or not at all. Its bytes depend on the manifest, the files and the
  /// settings alone, except for the threads in them.
  public func pack(
    to output: String, replacing: Bool = false,
    progress: @escaping @Sendable (WorkProgress) -> Void = { _ in }
  ) async throws(PackError) -> PackSummary {
    try await Work.run(progress) { work throws(PackError) in
      let isFile = FilePath(output).hasSuffix(".aar")
      let path =
        isFile
        ? output
        : FilePath(output).appending(FilePath((manifest.assetPackID + ".aar").utf8)).text
      var options = Packer.Options()
      options.replacesExisting = replacing
      options.makesFolder = !isFile
      options.computesSHA256 = true
      options.isCancelled = work.isCancelled
      let plan = try plan()
      let id = manifest.assetPackID
      let packer = Packer(plan, to: path, options) { at in
        let file =
          plan.selection.indices.contains(at.entry) ? plan.selection[at.entry].destination : nil
        work.progress?(
          WorkProgress(
            step: .packing, pack: id, file: file, done: at.bytes, total: at.totalBytes))
      }
      return isFile
        ? try packer.pack() : try Self.within(output) { () throws(PackError) in try packer.pack() }
    }
  }

  /// Does work that needs a folder; a folder that was made for it goes when nothing came into it.
  private static func within<Value>(
    _ folder: String, _ body: () throws(PackError) -> Value
  ) throws(PackError) -> Value {
    let made = try during(.writing) { () throws(Failure) in try OutputFolder(folder) }
    return try withExtendedLifetime(made) { (_) throws(PackError) in try body() }
  }
}
