package import BAPackKit
import SourceDiagnostics
package import SystemIO

extension Additions {
  /// Checks the changed and the new manifests, and takes back changes that cause errors.
  ///
  /// - Parameters:
  ///   - settings: The settings of the project file.
  ///   - tree: The inspected folder.
  ///   - checksFiles: Whether the selected files are checked.
  package mutating func takeBackErrors(
    of settings: ProjectSettings, in tree: AssetTree, checkingFiles checksFiles: Bool, _ work: Work
  ) throws(PackError) {
    var project = Project([Project.Input](), hosting: settings.hosting)
    project.defaultSourceRoot = projectFolder.appending(FilePath(settings.sourceRoot ?? "."))
    func check(_ text: [UInt8], _ path: FilePath) throws(PackError) -> Ledger {
      let document = ManifestDocument(parsing: text, named: path.text, for: settings.hosting)
      return try project.check([document], lookingAtFiles: checksFiles, work).report.findings
    }
    func remainder(_ error: Finding, _ files: [Int], _ path: FilePath) -> Remainder {
      Remainder(
        reason: "'\(path.shown)' would have an error: \(error.message)",
        remedy: "change the manifest yourself", paths: files.map(tree.path(ofFile:)),
        isProblem: true)
    }
    for (index, edit) in edits.enumerated().reversed() {
      let after = try check(edit.after, edit.path)
      guard let error = after.first(where: { $0.severity == .error }),
        after.count(.error) > (try check(edit.before, edit.path)).count(.error)
      else { continue }
      edits.remove(at: index)
      notAdded.append(remainder(error, edit.files, edit.path))
    }
    for (index, file) in newManifests.enumerated().reversed() {
      let path = projectFolder.appending(file.path)
      let findings = try check(file.bytes, path)
      guard let error = findings.first(where: { $0.severity == .error }) else { continue }
      newManifests.remove(at: index)
      unselected.removeAll { $0 == file.path }
      notAdded.append(remainder(error, newFiles.remove(at: index), file.path))
    }
  }
}
