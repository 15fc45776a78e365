import AssetArchive
import BlockCodecs
package import SourceDiagnostics
package import SystemIO
import TerminalText

/// A file that an unmanaged app downloads, as it is on disk.
package struct UnmanagedFile: Sendable, Equatable {
  /// Its path below the folder that was given, or its name.
  package var identifier: PackID
  package var size: UInt64
  package var sha256: String

  /// Where it is served.
  func url(at urls: PackURLs, version: Int) -> String {
    let name = FilePath(identifier.text.utf8).name
    return urls.url(
      id: identifier, version: version, sha256: sha256,
      fileName: String(decoding: name.bytes, as: UTF8.self))
  }
}

/// The files of an unmanaged app, found and read.
package struct UnmanagedFiles: Sendable {
  /// The files, in the order of their identifiers.
  package private(set) var files: [UnmanagedFile] = []
  /// What cannot be downloaded, or is there twice.
  package private(set) var findings = Ledger()

  /// Reads files and folders, with all that is in them but for what is excluded.
  ///
  /// Files are found as packs find them: links stay within a folder, and what is no file is an
  /// error.
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
    let found = try Selection.resolve(document, in: root, leavingOut: outputs, work)
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
          UnmanagedRules.value("the name of '\(path: name.shown)' is no text", at: nil),
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

  /// Findings are about the folder: nobody wrote the text that they are made of.
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
