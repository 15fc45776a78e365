package import BAPackKit
import Glibc
import SourceDiagnostics
package import SystemIO

/// Where journals are kept: a file for each pack in a folder, or one record for all that a project has.
///
/// Nobody else may read them, no link in their place is followed, each is whole or as it was before, and
/// one process at a time may have one.
package final class JournalStore {
  /// Whose packs these are.
  package struct Owner: Sendable, Hashable {
    package let service: String
    package let app: ResourceID

    package init(_ service: ServiceAddress, _ app: ResourceID) {
      self.init(service: service.hostAndPort, app)
    }

    /// The owner under the name that a service has in records (``AppStoreService/recordName()``).
    package init(service: String, _ app: ResourceID) {
      self.service = service
      self.app = app
    }
  }

  private enum Place {
    case folder(FilePath)
    case record(String)
  }

  private let place: Place
  private let owner: Owner
  private let waiting: () -> Void
  private var lock: HeldLock?
  private var lockedPath = ""

  private final class HeldLock {
    let lock: FileLock
    init(_ lock: consuming FileLock) { self.lock = lock }
  }

  /// Keeps them in a folder; `waiting` is called when another process has the one that is needed.
  package init(inFolder folder: FilePath, of owner: Owner, waiting: @escaping () -> Void = {}) {
    place = .folder(
      folder.appending(FileName("app-store".utf8)).appending(FileName(owner.service.utf8))
        .appending(FileName(owner.app.text.utf8)))
    self.owner = owner
    self.waiting = waiting
  }

  /// Keeps them in one file.
  package init(inRecord path: String, of owner: Owner, waiting: @escaping () -> Void = {}) {
    place = .record(path)
    self.owner = owner
    self.waiting = waiting
  }

  private func path(of pack: PackID) -> String {
    switch place {
    case .folder(let folder): folder.appending(FileName("\(pack).json".utf8)).text
    case .record(let path): path
    }
  }

  /// What a file of ours may have.
  private static let largest = 64 << 20
  private static let format = "app-store-uploads 1"

  /// The journal of a pack, for reading alone.
  package func look(at pack: PackID) throws(PackError) -> UploadJournal {
    try read(path(of: pack)).first { $0.owner == owner && $0.journal.pack == pack }?.journal
      ?? UploadJournal(of: pack)
  }

  /// The journal of a pack, which nobody else may change from now on, until that of another is taken.
  package func take(_ pack: PackID) throws(PackError) -> UploadJournal {
    let path = path(of: pack)
    if lock == nil || lockedPath != path {
      lock = nil
      lock = try keeping(elsewhere: .keepUploadsElsewhere) { () throws(Failure) in
        _ = try FileDescriptor.openFolder(making: OutputPlace(path).folder)
        return HeldLock(try FileLock(besides: path, waiting: waiting))
      }
      lockedPath = path
    }
    return try look(at: pack)
  }

  /// Writes a journal down; it is on the disk when this returns.
  package func keep(_ journal: UploadJournal) throws(PackError) {
    let path = path(of: journal.pack)
    var all = try read(path)
    all.removeAll { $0.owner == owner && $0.journal.pack == journal.pack }
    all.append(Entry(owner: owner, journal: journal))
    let value = JSONValue.object([
      .init("format", .string(Self.format)),
      .init(
        "uploads",
        .array(
          all.sorted { $0.key < $1.key }.map { entry in
            .object(
              [
                .init("service", .string(entry.owner.service)),
                .init("app", .string(entry.owner.app.text)),
              ] + entry.journal.members)
          })),
    ])
    try keeping(elsewhere: .keepUploadsElsewhere) { () throws(Failure) in
      let file = try AtomicFile(path, replacing: true)
      try file.setPermissions(0o600)
      try file.write(JSONWriter.bytes(value))
      try file.publish()
    }
  }

  private struct Entry {
    let owner: Owner
    let journal: UploadJournal

    var key: String { "\(owner.service) \(owner.app) \(journal.pack)" }
  }

  private func read(_ path: String) throws(PackError) -> [Entry] {
    let bytes = try during(.reading) { () throws(Failure) -> [UInt8]? in
      do throws(Failure) {
        let place = OutputPlace(path)
        // Opened in its folder, where a link is refused.
        let file = try FileDescriptor.open(place.folder, for: .directory)
          .open(place.name, for: .reading)
        guard try file.status().kind == .file else {
          throw Failure(.malformed("it is no file"), path)
        }
        return try file.readToEnd(atMost: Self.largest)
      } catch {
        guard error.isAbsent else { throw error }
        return nil
      }
    }
    guard let bytes, !bytes.isEmpty else { return [] }
    let json = JSONDocument(parsing: SourceText(bytes, named: path))
    guard json.isWellFormed, let root = json.root, root["format"]?.string == Self.format,
      let list = root["uploads"], list.kind == .array
    else { throw Self.unreadable(path) }
    return try list.elements.map { node throws(PackError) in
      guard let service = node["service"]?.string,
        let app = node["app"]?.string.flatMap({ ResourceID($0) }),
        let journal = UploadJournal(node)
      else { throw Self.unreadable(path) }
      return Entry(owner: Owner(service: service, app: app), journal: journal)
    }
  }

  private static func unreadable(_ path: String) -> PackError {
    PackError(
      .malformed(offset: nil), "'\(path)' is no record of uploads that this program can read",
      remedies: [
        "get the record back from where it was kept before",
        "move it away: then archives are sent that may have been sent before",
      ])
  }
}

extension JournalStore.Owner {
  fileprivate init(service: String, app: ResourceID) {
    self.service = service
    self.app = app
  }
}

extension Failure {
  /// Whether there is no such file.
  fileprivate var isAbsent: Bool { code == ENOENT }
}
