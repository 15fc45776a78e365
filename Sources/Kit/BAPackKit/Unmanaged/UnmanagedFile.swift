import AssetArchive
import BlockCodecs
package import SourceDiagnostics
package import SystemIO
import TerminalText

/// A file on disk that an app without managed packs downloads.
package struct UnmanagedFile: Sendable, Equatable {
  /// The path below the given folder, or the name of the given file.
  package var identifier: PackID
  package var size: UInt64
  package var sha256: String

  /// Returns the address of the file.
  func url(at urls: PackURLs, version: Int) -> String {
    let name = FilePath(identifier.text.utf8).name
    return urls.url(
      id: identifier, version: version, sha256: sha256,
      fileName: String(decoding: name.bytes, as: UTF8.self))
  }
}

/// The files of an app without managed packs.
package struct UnmanagedFiles: Sendable {
  /// The files, in the order of their identifiers.
  package private(set) var files: [UnmanagedFile] = []
  /// The findings about unsupported and duplicate files.
  package private(set) var findings = Ledger()

  /// Reads files and folders with all their contents, without excluded files.
  ///
  /// Files are found in the same way as the files of packs: links are followed within a folder, and
  /// special files are errors.
  package init(
    reading paths: [FilePath], excluding patterns: [String] = [], leavingOut outputs: [String] = [],
    _ work: Work
  ) throws(PackError) {
    var first: [PackID: String] = [:]
    for path in paths {
      for file in try read(path, patterns, outputs, work) {
        let other = first.updateValue(path.text, forKey: file.identifier)
        if let other {
          findings.add(
            UnmanagedRules.duplicate(file.identifier, given: path.shown, and: other),
            about: SourceText([], named: path.text))
        } else {
          files.append(file)
        }
      }
    }
    files.sort { $0.identifier < $1.identifier }
  }

  private mutating func read(
    _ path: FilePath, _ patterns: [String], _ outputs: [String],
    _ work: Work
  ) throws(PackError) -> [UnmanagedFile] {
    let kind = try mapFailure(.reading) { () throws(Failure) in
      try FileStatus(ofFileAt: path.text).kind
    }
    let isFolder = kind == .directory
    let name = String(decoding: path.name.bytes, as: UTF8.self)
    let selectors: [FileSelector] =
      (isFolder ? [.directory(".")] : [.file(name)]) + patterns.map { .exclusion($0) }
    let manifest = Manifest(
      assetPackID: "files", downloadPolicy: .onDemand, fileSelectors: selectors, platforms: [])
    let document = ManifestDocument(parsing: manifest.archivedJSON(), named: path.text)
    let root = try SourceRoot(opening: isFolder ? path.text : path.folder.text, work)
    let found = try Selection.resolve(document, in: root, leavingOut: RunOutputs(outputs), work)
    add(document.findings, about: path)
    add(found.findings, about: path)
    guard !found.hasErrors, document.isValid else { return [] }
    let contents = try root.contents(of: found.selection, work)
    var buffer = try mapFailure(.reading) { () throws(Failure) in
      try ByteBuffer(capacity: 256 << 10)
    }
    var files: [UnmanagedFile] = []
    for index in found.selection.indices where found.selection.isFile(at: index) {
      try work.checkCancellation()
      let name = found.selection.pathInContents(at: index)
      guard let identifier = String(validating: name.bytes, as: UTF8.self) else {
        findings.add(
          UnmanagedRules.value("the name of '\(path: name.shown)' is not valid UTF-8", at: nil),
          about: SourceText([], named: path.text))
        continue
      }
      files.append(
        UnmanagedFile(
          identifier: PackID(identifier), size: found.selection.size(at: index),
          sha256: hexadecimal(try contents.digest(at: index, through: &buffer))))
    }
    return files
  }

  /// Adds findings about the folder, because the manifest for the search was generated.
  private mutating func add(_ ledger: Ledger, about path: FilePath) {
    for finding in ledger where finding.severity > .note {
      var finding = finding
      finding.span = nil
      finding.labels = []
      finding.fixes = finding.fixes.filter { $0.edits.isEmpty }
      findings.add(finding, about: SourceText([], named: path.text))
    }
  }
}
