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
      throw PackError(
        .missing, "there is no '\(path)', which is a pack of the project",
        remedy: "'ba-package pack' builds the packs of the project")
    }
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
    var documents: [ManifestDocument] = []
    var findings = Ledger()
    var ids: [String] = []
    for input in project.inputs(saying: console) {
      let document = project.read(input, console.work)
      documents.append(document)
      if let id = document.manifest?.assetPackID {
        ids.append(id)
      } else {
        findings.add(contentsOf: document.findings)
      }
    }
    guard ids.count == documents.count else {
      console.report(findings, as: .text)
      console.finding(text: "\(nothing): \(findings.tally)\n")
      return nil
    }
    let isFile = FilePath(output).hasSuffix(".aar")
    folder = isFile ? nil : output
    self.documents = documents
    paths =
      isFile
      ? [output]
      : ids.map { FilePath(output).appending(FilePath(($0 + ".aar").utf8)).text }
  }
}
