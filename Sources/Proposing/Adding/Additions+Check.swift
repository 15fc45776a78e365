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
    func errors(_ text: [UInt8], _ path: FilePath) throws(PackError) -> [Finding] {
      let document = ManifestDocument(parsing: text, named: path.text, for: settings.hosting)
      let checked = try project.check([document], lookingAtFiles: checksFiles, work)
      return checked.report.findings.pages.flatMap(\.findings).filter { $0.severity == .error }
    }
    func remainder(_ error: Finding, _ files: [Int], _ path: FilePath) -> Remainder {
      Remainder(
        reason: "'\(path.shown)' would have an error: \(error.message)",
        remedy: "change the manifest yourself", paths: files.map(tree.path(ofFile:)),
        isProblem: true)
    }
    for (index, edit) in edits.enumerated().reversed() {
      let after = try errors(edit.after, edit.path)
      guard let error = after.first, after.count > (try errors(edit.before, edit.path)).count else {
        continue
      }
      edits.remove(at: index)
      notAdded.append(remainder(error, edit.files, edit.path))
    }
    for (index, file) in newManifests.enumerated().reversed() {
      let path = projectFolder.appending(file.path)
      guard let error = try errors(file.bytes, path).first else { continue }
      newManifests.remove(at: index)
      unselected.removeAll { $0 == file.path }
      notAdded.append(remainder(error, newFiles.remove(at: index), file.path))
    }
  }
}
