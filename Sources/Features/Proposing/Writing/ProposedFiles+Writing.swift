package import BAPackKit
import Glibc
package import SystemIO

extension ProposedFiles {
  /// Writes the files into the folder of the project: manifests, scenario, and the project file.
  ///
  /// No existing file is replaced. Before the first file is written, all of them are checked. If a
  /// file cannot be written, those before it are removed again, with the folders that were created
  /// for them. Lines are appended to a `.gitignore` at last: only one of several processes can
  /// create the project file, and the others do not change the `.gitignore`.
  ///
  /// - Returns: The paths of the files that were created or extended, relative to the folder.
  /// - Throws: ``PackError/Kind/exists`` if one of the files exists, or if the folder of the
  ///   manifests contains other files that the project file would select.
  package func write(in folder: FilePath) throws(PackError) -> [FilePath] {
    let ignored = try ignoreFile(checkingOthersIn: folder)
    var written: [FilePath] = []
    // Folders that are empty at the end are removed.
    let folders = Folders(
      packs: try Self.makeFolder(of: manifests.first ?? project, in: folder),
      scenarios: try Self.makeFolder(of: scenarios.first ?? project, in: folder))
    defer { extendLifetime(folders) }
    do throws(PackError) {
      for text in manifests + scenarios + [project] { try write(text, in: folder, &written) }
      try ignored.write()
    } catch {
      for path in written { removeQuietly(folder.appending(path).text) }
      throw error
    }
    return Self.paths(written, ignored)
  }

  /// Throws the error of ``write(in:)`` that can be determined without writing.
  ///
  /// - Returns: The paths that ``write(in:)`` would return.
  package func check(in folder: FilePath) throws(PackError) -> [FilePath] {
    Self.paths(paths, try ignoreFile(checkingOthersIn: folder))
  }

  private func ignoreFile(checkingOthersIn folder: FilePath) throws(PackError) -> IgnoreFile {
    for path in paths {
      try reportingExisting(folder.appending(path)) { path throws(Failure) in
        try AtomicFile.check(path, replacing: false, makingFolder: true)
      }
    }
    try checkOtherFiles(in: folder)
    return try IgnoreFile(in: folder, adding: ignoreLines)
  }

  /// Returns the paths with that of `.gitignore`, if lines are appended.
  private static func paths(_ paths: [FilePath], _ ignored: IgnoreFile) -> [FilePath] {
    paths + (ignored.isIncomplete ? [FilePath(IgnoreFile.name.bytes)] : [])
  }

  private struct Folders: ~Copyable {
    var packs: OutputFolder
    var scenarios: OutputFolder
  }

  private static func makeFolder(
    of text: Text, in folder: FilePath
  ) throws(PackError) -> OutputFolder {
    try keeping(elsewhere: elsewhere) { () throws(Failure) in
      try OutputFolder(folder.appending(text.path.folder).text)
    }
  }

  private func write(
    _ text: Text, in folder: FilePath, _ written: inout [FilePath]
  ) throws(PackError) {
    try reportingExisting(folder.appending(text.path)) { path throws(Failure) in
      let file = try AtomicFile(path, makingFolder: true)
      try file.write(text.bytes)
      try file.publish()
    }
    written.append(text.path)
  }

  private static let elsewhere: Remedy = "use a folder with write permission and free space"

  /// Throws if the folder of the manifests contains files that the project file would select.
  private func checkOtherFiles(in folder: FilePath) throws(PackError) {
    guard let path = manifests.first?.path.folder, path.bytes != [dot] else { return }
    let pattern = FilePath(
      joining: folder.appending(path).components.map(NamePattern.escaped) + ["*.json"])
    let start = folder.isAbsolute ? "/" : ""
    guard let other = MatchingFiles(start + pattern.text)?.manifests.first else { return }
    throw PackError(
      .exists, "'\(path.shown)' already contains '\(FilePath(other).name.shown)'",
      remedies: [.specifyAnotherManifestFolder, "move the file"])
  }

  private func reportingExisting(
    _ path: FilePath, _ body: (String) throws(Failure) -> Void
  ) throws(PackError) {
    try keeping(elsewhere: Self.elsewhere) { () throws(Failure) in
      do throws(Failure) {
        try body(path.text)
      } catch {
        // A folder or a device has the name of the file.
        guard error.code == EISDIR || error.code == FileRewrite.notRegular else { throw error }
        throw Failure(.create, path.text, code: EEXIST)
      }
    }
  }
}
