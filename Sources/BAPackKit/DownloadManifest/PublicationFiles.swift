import Glibc
import SourceDiagnostics
import SystemIO

/// A download manifest and its record on disk.
public struct PublicationFiles: Sendable {
  /// The path of the manifest.
  public let path: String
  /// The path of the record beside it.
  public var recordPath: String { PublicationRecord.path(besides: path) }

  /// Names the files.
  public init(_ path: String) { self.path = path }

  /// Whether there is a manifest already.
  public var exist: Bool { Self.isThere(path) }

  /// Refuses to begin what would replace a manifest or a record.
  public func refuseExisting() throws(PackError) {
    for path in [path, recordPath] where Self.isThere(path) {
      throw PackError(SystemError("create", path, code: EEXIST), while: .publishing)
    }
  }

  private static func isThere(_ path: String) -> Bool {
    (try? FileStatus(ofFileAt: path)) != nil
  }

  /// Reads the manifest; what is wrong with its text is a diagnostic.
  public func readManifest(
    allowingHTTP: Bool = false
  ) throws(PackError) -> DownloadManifestDocument {
    DownloadManifestDocument(
      parsing: try Self.read(path), named: path, allowingHTTP: allowingHTTP)
  }

  /// Reads the record; nil when there is none.
  public func readRecord() throws(PackError) -> PublicationRecordDocument? {
    do throws(PackError) {
      return PublicationRecordDocument(parsing: try Self.read(recordPath), named: recordPath)
    } catch {
      guard error.kind == .system(ENOENT) else { throw error }
      return nil
    }
  }

  /// Writes both files, each of which appears whole or not at all.
  ///
  /// The record comes first: when something stops the program between the two, it knows a version
  /// too many, which does no harm.
  public func write(_ publication: Publication, replacing: Bool) throws(PackError) {
    guard let manifest = publication.manifest else { return }
    // What is written must be readable again, by us as by devices.
    guard JSONSize(of: manifest.jsonValue).isWithin(JSONLimits()) else {
      throw PackError(
        .unsupported,
        "'\(path)' would be larger, or nested deeper, than a download manifest may be",
        remedy: "make the 'userInfo' of its packs smaller")
    }
    do throws(SystemError) {
      let record = try AtomicFile(recordPath, replacing: replacing)
      let file = try AtomicFile(path, replacing: replacing)
      try record.write(publication.record.json())
      try file.write(manifest.json())
      try record.publish()
      try file.publish()
    } catch {
      throw PackError(error, while: .publishing)
    }
  }

  /// Reads a property list; what is wrong with its text is a diagnostic.
  public static func readInfoPlist(_ path: String) throws(PackError) -> InfoPlistDocument {
    InfoPlistDocument(parsing: try read(path), named: path)
  }

  /// The bytes of a text that a person may have written.
  private static func read(_ path: String) throws(PackError) -> [UInt8] {
    do throws(SystemError) {
      let file = try FileDescriptor.open(path, for: .waiting)
      if let bytes = try file.readToEnd(limit: JSONLimits().size) { return bytes }
    } catch {
      throw PackError(error)
    }
    throw PackError(.unsupported, "'\(path)' is larger than any text of its kind")
  }
}
