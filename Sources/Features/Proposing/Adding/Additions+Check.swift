package import BAPackKit
import SourceDiagnostics
package import SystemIO

extension Additions {
  /// Checks the changed and the new manifests, and takes back changes that cause errors or that
  /// take files out of a pack.
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
      let root = project.defaultSourceRoot.text
      if let lost = try Self.lostFile(by: edit, defaultRoot: root, work) {
        edits.remove(at: index)
        notAdded.append(
          Remainder(
            reason: "'\(edit.path.shown)' would no longer select '\(lost.shown)'",
            remedy: "change the manifest yourself", paths: edit.files.map(tree.path(ofFile:)),
            isProblem: true))
        continue
      }
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

  /// Returns a file that a manifest selects, but not with a change, or not at its path in the pack;
  /// nil if there is none.
  private static func lostFile(
    by edit: Edit, defaultRoot: String, _ work: Work
  ) throws(PackError) -> FilePath? {
    func resolution(_ text: [UInt8]) throws(PackError) -> Selection.Resolution {
      let document = ManifestDocument(parsing: text, named: edit.path.text)
      let root = try SourceRoot(
        opening: SourceRoot.path(for: document, defaultRoot: defaultRoot), work)
      return try Selection.resolve(document, in: root, work)
    }
    let after = try resolution(edit.after).selection
    let replaced = Set(edit.removed.map { FilePath($0.utf8).normalized.bytes })
    var sources: [AssetPath: Set<[UInt8]>] = [:]
    for index in after.indices where after.isFile(at: index) {
      sources[after.pathInContents(at: index), default: []]
        .insert(Array(after.sourceBytes(at: index)))
    }
    let old = try resolution(edit.before)
    let before = old.selection
    let lost = before.indices.first { index in
      guard before.isFile(at: index) else { return false }
      // Two sources of one path are an error: one of them remains.
      guard let kept = sources[before.pathInContents(at: index)] else { return true }
      let source = Array(before.sourceBytes(at: index))
      return !old.findings.hasErrors && !kept.contains(source) && !replaced.contains(source)
    }
    return lost.map { FilePath(before.sourceBytes(at: $0)) }
  }
}
