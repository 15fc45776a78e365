import BAPackKit
import Glibc
import SourceDiagnostics
import SystemIO

/// A file with the addresses of the server for scripts: it is written when the server is ready, and
/// removed when it ends.
///
/// It contains secrets, such as the token of the live page, so it is readable by the owner only.
struct ReadyFile<Contents: Described>: Sendable {
  private let path: String

  /// Removes the ready file of an earlier server, so that scripts do not read it.
  ///
  /// An empty file may have been created for this server. Any other file that is not a ready file
  /// is an error.
  init(_ path: String) throws(PackError) {
    self.path = path
    let bytes = try mapFailure(.reading) { () throws(Failure) -> [UInt8]? in
      do throws(Failure) {
        let file = try FileDescriptor.open(path, for: .reading)
        return try file.readToEnd(atMost: 1 << 16)
      } catch {
        guard error.code == ENOENT else { throw error }
        return nil
      }
    }
    guard let bytes else { return }
    guard bytes.isEmpty || Self.isOurs(bytes) else { throw Self.foreign(path) }
    removeQuietly()
  }

  /// Returns the error for another file with the name of the ready file.
  private static func foreign(_ path: String) -> PackError {
    PackError(
      .exists, "'\(path)' already exists and is not a ready file",
      remedy: "specify another file for '--ready-file'")
  }

  private static func isOurs(_ bytes: [UInt8]) -> Bool {
    let document = JSONDocument(parsing: SourceText(bytes, named: ""))
    var findings = document.findings
    return document.root.flatMap { Contents.table.read($0, into: &findings) } != nil
  }

  /// Writes the file, and returns its contents, so that this server can remove the file later.
  ///
  /// Replaces the file of another server: the newest server's file is kept.
  func write(_ ready: Contents) throws(PackError) -> Written {
    let bytes = Contents.table.bytes(of: ready, .readable)
    let found = contents
    let isAnothers = found.map { Self.isOurs($0) } ?? false
    guard found == nil || isAnothers else { throw Self.foreign(path) }
    try mapFailure(.publishing) { () throws(Failure) in
      let file = try AtomicFile(path, replacing: isAnothers)
      try file.setPermissions(0o600)
      try file.write(bytes)
      try file.publish(syncing: false)
    }
    return Written(file: self, bytes: bytes)
  }

  /// The file with the contents that this server wrote.
  struct Written {
    fileprivate let file: ReadyFile
    fileprivate let bytes: [UInt8]

    /// Removes the file, unless another server has replaced it.
    func remove() {
      if file.contents == bytes { file.removeQuietly() }
    }
  }

  /// The contents of the file; nil if it cannot be read.
  private var contents: [UInt8]? {
    try? FileDescriptor.open(path, for: .reading).readToEnd(atMost: 1 << 16)
  }

  private func removeQuietly() {
    let place = OutputPlace(path)
    guard let folder = try? FileDescriptor.open(place.folder, for: .directory) else { return }
    folder.removeQuietly(place.name)
  }
}
