package import BAPackKit
package import SourceDiagnostics
package import SystemIO

/// The journals of packs: a file for each pack in a folder, or one record for all packs of a
/// project.
///
/// A journal is changed only while this process holds the lock of its file.
package final class JournalStore {
  /// The owner of the packs: an app at a service.
  package struct Owner: Sendable, Hashable {
    package fileprivate(set) var service: String
    package fileprivate(set) var app: ResourceID

    package init(_ service: ServiceAddress, _ app: ResourceID) {
      self.init(service: service.hostAndPort, app)
    }

    /// Creates an owner from the service's name in records (``AppStoreService/recordName()``).
    package init(service: String, _ app: ResourceID) {
      self.service = service
      self.app = app
    }
  }

  private enum Location {
    case folder(FilePath)
    case record(String)
  }

  private let location: Location
  private let owner: Owner
  private let work: Work
  private let waiting: () -> Void
  private var hold: StateHold<UploadRecord>?

  /// Stores the journals in a folder; `waiting` is called if another process holds a required lock.
  package init(
    inFolder folder: FilePath, of owner: Owner, _ work: Work, waiting: @escaping () -> Void = {}
  ) {
    location = .folder(
      folder.appending(FileName("app-store".utf8)).appending(FileName(owner.service.utf8))
        .appending(FileName(owner.app.text.utf8)))
    self.owner = owner
    self.work = work
    self.waiting = waiting
  }

  /// Stores the journals in one file.
  package init(
    inRecord path: String, of owner: Owner, _ work: Work, waiting: @escaping () -> Void = {}
  ) {
    location = .record(path)
    self.owner = owner
    self.work = work
    self.waiting = waiting
  }

  private func path(of pack: PackID) -> String {
    switch location {
    case .folder(let folder): folder.appending(FileName("\(pack).json".utf8)).text
    case .record(let path): path
    }
  }

  /// Reads the journal of a pack without a lock.
  package func journal(of pack: PackID) throws(PackError) -> UploadJournal {
    let record = try mapFailure(.reading) { () throws(Failure) in
      try StateFile<UploadRecord>(path(of: pack)).read()
    }
    return journal(of: pack, in: record)
  }

  /// Locks and reads the journal of a pack; the lock is held until the journal of another pack is
  /// locked.
  package func lock(_ pack: PackID) throws(PackError) -> UploadJournal {
    try acquireLock(pack)
    return journal(of: pack, in: hold?.document)
  }

  /// Writes a journal to the disk.
  package func save(_ journal: UploadJournal) throws(PackError) {
    try acquireLock(journal.pack)
    var record = hold?.document ?? UploadRecord()
    record.keep(journal, of: owner)
    try keeping(elsewhere: .keepUploadsElsewhere) { [record] () throws(Failure) in
      try hold?.keep(record)
    }
  }

  private func journal(of pack: PackID, in record: UploadRecord?) -> UploadJournal {
    record?.entries.first { $0.owner == owner && $0.journal.pack == pack }?.journal
      ?? UploadJournal(of: pack)
  }

  private func acquireLock(_ pack: PackID) throws(PackError) {
    let path = path(of: pack)
    guard hold?.path != path else { return }
    hold = nil
    try keeping(elsewhere: .keepUploadsElsewhere) { () throws(Failure) in
      hold = try StateFile<UploadRecord>(path).hold(work, waiting: waiting)
      removeLeftovers(of: path)
    }
  }

  /// Removes the temporary files and locks of runs that were killed.
  private func removeLeftovers(of path: String) {
    guard let folder = try? FileDescriptor.open(OutputPlace(path).folder, for: .directory) else {
      return
    }
    _ = try? folder.removeLeftovers()
    // Only this program uses the folder of journals; a record can have files of other
    // programs next to it.
    guard case .folder = location, let listing = try? folder.list() else { return }
    let suffix = Array(".lock".utf8)
    for item in listing.items {
      let name = listing.fileName(of: item)
      guard name.bytes.suffix(suffix.count).elementsEqual(suffix) else { continue }
      let journal = FileName(name.bytes.dropLast(suffix.count))
      let path = FilePath(OutputPlace(path).folder).appending(journal).text
      guard path != hold?.path else { continue }
      // Releasing a free lock removes its file; a lock of another process is kept.
      try? FileLock(besides: path, .unstoppable) { () throws(Failure) in throw Failure(.interrupted)
      }.release()
    }
  }
}

/// The contents of a file of journals.
package struct UploadRecord: JSONStateDocument, Described {
  struct Entry: Sendable, Equatable, Described {
    fileprivate(set) var owner: JournalStore.Owner
    fileprivate(set) var journal: UploadJournal

    fileprivate var key: String { "\(owner.service) \(owner.app) \(journal.pack)" }

    static let table = Table(
      "an upload", blank: Self(owner: .init(service: "", .blank), journal: UploadJournal(of: ""))
    ) {
      Key("service", \.owner.service, .text, "The host of App Store Connect.")
      Key("app", \.owner.app, .resourceID, "The Apple ID of the app.")
      Key(inlined: \.journal)
    }
  }

  private(set) var entries: [Entry] = []

  package static let noun = "upload journal"
  package static let loss = "archives may be uploaded a second time"
  package static let largest = 64 << 20
  package static let rules = StateRules(.owner)
  package static let format = 1
  package static let writtenFormat: JSONValue = .string("app-store-uploads 1")

  package static let table = Table("an upload journal", blank: UploadRecord()) {
    Key("uploads", \.entries, .list(of: .object), "The uploads of each pack.")
  }

  mutating func keep(_ journal: UploadJournal, of owner: JournalStore.Owner) {
    entries.removeAll { $0.owner == owner && $0.journal.pack == journal.pack }
    entries.append(Entry(owner: owner, journal: journal))
    entries.sort { $0.key < $1.key }
  }
}
