import Glibc
import SourceDiagnostics
package import SystemIO

/// A download manifest and its record on disk.
///
/// If the path is a link, the manifest is the target of the link. The record is next to the target,
/// unless a record exists next to the link.
package struct PublicationFiles: Sendable {
  /// The path of the manifest, as specified by the caller.
  package let path: String
  package let recordPath: String
  /// The path of the manifest, with links resolved.
  private let target: String

  package init(_ path: String) {
    self.path = path
    let isLink = (try? FileStatus(ofLinkAt: path).kind) == .symbolicLink
    let target = isLink ? (try? realPath(of: path)) ?? path : path
    self.target = target
    let records = [target, path].map { PublicationRecord.path(of: $0) }
    recordPath = records.first { Self.exists($0) } ?? records[0]
  }

  /// Whether the manifest exists.
  package var exist: Bool { Self.exists(target) }

  /// Throws if a manifest or a record already exists.
  package func refuseExisting() throws(PackError) {
    for path in [path, recordPath] where Self.exists(path) {
      throw PackError(Failure(.create, path, code: EEXIST), while: .publishing)
    }
  }

  private static func exists(_ path: String) -> Bool {
    (try? FileStatus(ofFileAt: path)) != nil
  }
}

// MARK: - One process at a time

extension PublicationFiles {
  /// Runs `body` while the files are locked for other processes; `waiting` is called if another
  /// process holds the lock.
  package func alone<Success>(
    _ work: Work, waiting: () -> Void = {}, _ body: () throws(PackError) -> Success
  ) throws(PackError) -> Success {
    let lock: FileLock
    do throws(Failure) {
      lock = try FileLock(besides: target, work, waiting: waiting)
    } catch {
      guard error.kind != .interrupted else { throw Self.interrupted }
      throw PackError(error, while: .publishing)
    }
    let result = Result { () throws(PackError) in try body() }
    lock.release()
    return try result.get()
  }

  private static var interrupted: PackError {
    PackError(.interrupted, "interrupted; no file was changed")
  }
}

// MARK: - Reading

extension PublicationFiles {
  /// Reads the manifest; mistakes in its text are reported as findings.
  package func readManifest(
    allowingHTTP: Bool = false, _ work: Work
  ) throws(PackError) -> DownloadManifestDocument {
    DownloadManifestDocument(
      parsing: try Self.read(target, atMost: JSONLimits().size, work), named: path,
      allowingHTTP: allowingHTTP)
  }

  /// Reads the record; nil if there is none.
  package func readRecord(_ work: Work) throws(PackError) -> PublicationRecordDocument? {
    try PublicationRecordDocument(reading: recordPath, work)
  }

  /// Reads the property list of an app; mistakes in its text are reported as findings.
  package static func readInfoPlist(
    _ path: String, isManaged: Bool, _ work: Work
  ) throws(PackError) -> InfoPlistDocument {
    InfoPlistDocument(
      parsing: try read(path, atMost: InfoPlistDocument.largest, work), named: path,
      isManaged: isManaged)
  }

  /// Returns the bytes of a text file.
  ///
  /// If the file is too large, one byte more than the limit is read, which the parser reports.
  fileprivate static func read(
    _ path: String, atMost limit: Int, _ work: Work
  ) throws(PackError) -> [UInt8] {
    try mapFailure(.reading) { () throws(Failure) in
      try FileDescriptor.open(path, for: .waiting(work)).readToEnd(atMost: limit + 1)
    }
  }
}

// MARK: - Writing

extension PublicationFiles {
  /// Writes both files atomically.
  ///
  /// A replaced file keeps its owner, permissions and attributes. The record is written first: if
  /// ba-package is interrupted after that, the record has an additional version, which is harmless.
  package func write(
    _ manifest: [UInt8], _ record: PublicationRecord, replacing: Bool, _ work: Work
  ) throws(PackError) {
    if work.isStopped { throw Self.interrupted }
    try record.write(to: recordPath, replacing: replacing)
    try mapFailure(.publishing) { () throws(Failure) in
      try Self.write(manifest, to: target, replacing: replacing)
    }
  }

  fileprivate static func write(
    _ bytes: [UInt8], to path: String, replacing: Bool
  ) throws(Failure) {
    if replacing, exists(path) {
      let file = try FileRewrite(path)
      // An unchanged file keeps its modification time.
      if try file.contents(atMost: bytes.count + 1) != bytes { try file.replace(by: bytes) }
    } else {
      let file = try AtomicFile(path)
      try file.write(bytes)
      try file.publish()
    }
  }
}

extension PublicationRecordDocument {
  /// Reads a record; nil if there is none.
  package init?(reading path: String, _ work: Work) throws(PackError) {
    do throws(PackError) {
      self.init(
        parsing: try PublicationFiles.read(path, atMost: PublicationRecord.limits.size, work),
        named: path)
    } catch {
      guard error.kind == .system(ENOENT) else { throw error }
      return nil
    }
  }
}

extension PublicationRecord {
  /// Writes the record to a file atomically.
  package func write(to path: String, replacing: Bool) throws(PackError) {
    let text = json()
    guard text.count <= Self.limits.size else {
      throw PackError(
        .limit, "'\(path)' would exceed the size limit of version locks",
        remedy: "remove unused packs from it, or split the manifest")
    }
    try mapFailure(.publishing) { () throws(Failure) in
      try PublicationFiles.write(text, to: path, replacing: replacing)
    }
  }
}
