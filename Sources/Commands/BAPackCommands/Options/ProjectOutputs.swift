import BAPackKit
import SourceDiagnostics
import SystemIO

/// The packs of a project file, at the output paths of 'pack'.
struct ProjectOutputs: Sendable {
  /// The output folder; nil if the output is one file.
  let folder: String?
  /// The manifests, in the order of the project.
  let documents: [ManifestDocument]
  /// The path of each of them.
  let paths: [String]

  /// Throws if a pack does not exist.
  func checkMade() throws(PackError) {
    for path in paths where (try? FileStatus(ofFileAt: path)) == nil {
      throw Self.notMade(path)
    }
  }

  /// Returns the error for a pack that does not exist.
  static func notMade(_ path: String) -> PackError {
    PackError(
      .missing, "there is no '\(path)', which is a pack of the project",
      remedy: "'ba-package pack' builds the packs of the project")
  }

  /// Reads the manifests; nil after errors that hide the ID of a pack, which have been reported.
  init?(
    _ input: ManifestInput, _ console: Console, otherwise nothing: String
  ) throws(PackError) {
    guard let output = try input.run.output() else {
      throw PackError(
        .missing, "the project file has no 'output'",
        remedies: [
          "add 'output' to the project file", .argument("specify the packs"),
        ])
    }
    let project = try input.project(input.run.settings.packs?.value ?? [], console)
    let documents = project.inputs(saying: console).map { project.read($0, console.work) }
    var findings = Ledger()
    for document in documents where document.manifest == nil {
      findings.add(contentsOf: document.findings)
    }
    guard documents.allSatisfy({ $0.manifest != nil }) else {
      console.report(findings, as: .text)
      console.finding(text: "\(nothing): \(findings.tally)\n")
      return nil
    }
    self.init(documents, at: output)
  }

  /// Reads the manifests for operands that can be IDs: nil if there is no project, if it has no
  /// output folder, or if a manifest has no ID.
  init?(quietly input: ManifestInput, _ work: Work) {
    guard let document = input.run.document, let output = try? input.run.output() else {
      return nil
    }
    var project = Project((input.run.settings.packs?.value ?? []).map { FilePath($0) })
    project.ownFile = document.place.path
    let documents = project.found().inputs.map { project.read($0, work) }
    guard documents.allSatisfy({ $0.assetPackID != nil }) else { return nil }
    self.init(documents, at: output)
  }

  private init(_ documents: [ManifestDocument], at output: String) {
    let isFile = FilePath(output).hasSuffix(".aar")
    folder = isFile ? nil : output
    self.documents = documents
    paths =
      isFile
      ? [output]
      : documents.compactMap(\.assetPackID).map {
        FilePath(output).appending(FilePath(($0 + ".aar").utf8)).text
      }
  }
}
