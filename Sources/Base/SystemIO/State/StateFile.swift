import Glibc

/// A file that is kept between runs.
///
/// It is complete or missing. A file that cannot be read is never replaced, unless it is a
/// ``StateCache``. Changes require a ``StateHold``, which one process has at a time. Reading
/// requires no lock: a change replaces the file in one step.
package struct StateFile<Document: StateDocument>: Sendable {
  package let path: String

  /// Stores the path, without reading the file.
  package init(_ path: String) { self.path = path }

  /// Returns the contents of the file; nil if the file is missing or empty.
  package func read() throws(Failure) -> Document? { try load().document }

  /// Returns the contents of the file with their bytes; nil if the file is missing or empty.
  package func readWhole() throws(Failure) -> KnownState<Document>? {
    guard let (bytes, _) = try contents(), !bytes.isEmpty else { return nil }
    return KnownState(bytes: bytes, reading: try parse(bytes))
  }

  /// Locks the file, then reads it; does not parse the bytes of `known` again.
  ///
  /// If another process has the lock, `waiting` is called once. An error that it throws ends the
  /// wait. The wait also ends when the operation must stop, with ``Failure/Kind/interrupted``.
  package func hold(
    _ work: Work, knowing known: KnownState<Document>? = nil,
    waiting: () throws(Failure) -> Void = {}
  ) throws(Failure) -> StateHold<Document> {
    if Document.rules.makesFolder {
      _ = try FileDescriptor.openFolder(making: OutputPlace(path).folder)
    }
    let lock = try FileLock(besides: target, work, waiting: waiting)
    return StateHold(self, lock, try load(known))
  }

  /// Locks the file and changes its contents.
  ///
  /// The value nil represents a missing or empty file. The file is not written if `body` throws, or
  /// if it changes nothing.
  package func change<Success>(
    _ work: Work, knowing known: KnownState<Document>? = nil,
    waiting: () throws(Failure) -> Void = {},
    _ body: (inout Document?) throws(Failure) -> Success
  ) throws(Failure) -> Success {
    var hold = try hold(work, knowing: known, waiting: waiting)
    var document = hold.document
    let success = try body(&document)
    if let document, document != hold.document { try hold.keep(document) }
    hold.release()
    return success
  }

  // MARK: Reading

  struct Loaded {
    var document: Document?
    /// The contents of the file, if their format is older than the one that a change writes.
    var older: [UInt8]?
    /// The status of the file that was read; nil if the file is missing.
    var status: FileStatus?
  }

  func load(_ known: KnownState<Document>? = nil) throws(Failure) -> Loaded {
    guard let (bytes, status) = try contents() else { return Loaded() }
    guard !bytes.isEmpty else { return Loaded(status: status) }
    let reading =
      if let known, known.bytes == bytes { known.reading } else { try parse(bytes) }
    return Loaded(
      document: reading.document, older: reading.isCurrent ? nil : bytes, status: status)
  }

  private func parse(_ bytes: [UInt8]) throws(Failure) -> StateReading<Document> {
    do throws(StateFault) {
      return try Document.read(bytes, named: path)
    } catch {
      throw failure(error)
    }
  }

  private func contents() throws(Failure) -> (bytes: [UInt8], status: FileStatus)? {
    do throws(Failure) {
      let file = try open()
      let status = try file.status()
      guard status.kind == .file else { throw failure(.notAFile) }
      let bytes = try file.readToEnd(atMost: Document.largest + 1)
      guard bytes.count <= Document.largest else { throw failure(.tooLarge) }
      return (bytes, status)
    } catch {
      switch error.code {
      case ENOENT: return nil
      // A link where links are not followed, or a socket.
      case ELOOP, ENXIO: throw failure(.notAFile)
      default: throw error
      }
    }
  }

  private func open() throws(Failure) -> FileDescriptor {
    if Document.rules.followsLinks { return try FileDescriptor.open(path, for: .reading) }
    let place = OutputPlace(path)
    return try FileDescriptor.open(place.folder, for: .directory).open(place.name, for: .reading)
  }

  private func failure(_ fault: StateFault) -> Failure {
    Failure(.state(StateFailure(fault, Document.self)), path)
  }

  // MARK: Writing

  /// The file that a link leads to, or the path itself.
  private var target: String {
    Document.rules.followsLinks ? (try? realPath(of: path)) ?? path : path
  }

  /// Writes a copy of contents in an older format, then the document.
  ///
  /// Returns the file's status.
  func write(_ document: Document, older: [UInt8]?) throws(Failure) -> FileStatus {
    let bytes = try document.encoded()
    // A file above the limit cannot be read again.
    guard bytes.count <= Document.largest else { throw failure(.tooLarge) }
    let target = target
    if let older { try Self.replace(target + ".older", by: older) }
    try Self.replace(target, by: bytes)
    return try status()
  }

  private static func replace(_ path: String, by bytes: [UInt8]) throws(Failure) {
    let rules = Document.rules
    switch rules.access {
    case .everyone where (try? FileStatus(ofFileAt: path)) != nil:
      try FileRewrite(path).replace(by: bytes)
    case .everyone, .owner:
      let file = try AtomicFile(path, replacing: true, makingFolder: rules.makesFolder)
      if rules.access == .owner { try file.setPermissions(0o600) }
      try file.write(bytes)
      try file.publish(syncing: rules.isSynced)
    }
  }

  /// Returns the status of the file, without reading its contents.
  func status() throws(Failure) -> FileStatus { try open().status() }
}

/// The contents of a file that was read, and their bytes.
///
/// Bytes that have not changed are not parsed again.
package struct KnownState<Document: StateDocument>: Sendable {
  fileprivate let bytes: [UInt8]
  fileprivate let reading: StateReading<Document>

  package var document: Document { reading.document }
}

extension StateFile where Document: StateCache {
  /// Returns the contents of the file; nil if the file is missing, empty or unusable.
  package func readCache() -> Document? { try? read() }

  /// Replaces the file, even if it cannot be read.
  ///
  /// Only a file of a newer version of the program is left unchanged.
  package func replaceCache(by document: Document) throws(Failure) {
    do throws(Failure) {
      _ = try load()
    } catch {
      if case .state(let trouble) = error.kind, case .newer = trouble.fault { return }
    }
    _ = try write(document, older: nil)
  }
}

/// The lock and the contents of a file that is kept between runs.
///
/// Only a cache can be changed without it.
package struct StateHold<Document: StateDocument>: ~Copyable {
  /// The contents; nil if the file is missing or empty.
  package private(set) var document: Document?
  private let file: StateFile<Document>
  private let lock: FileLock
  private var older: [UInt8]?
  /// The status of the file after this process read or wrote it.
  private var status: FileStatus?

  init(
    _ file: StateFile<Document>, _ lock: consuming FileLock, _ loaded: StateFile<Document>.Loaded
  ) {
    document = loaded.document
    older = loaded.older
    status = loaded.status
    self.file = file
    self.lock = lock
  }

  package var path: String { file.path }

  /// Writes the document.
  ///
  /// If another program changed the file without the lock, the file is read first. If that fails,
  /// this throws and writes nothing.
  package mutating func keep(_ document: Document) throws(Failure) {
    if let now = try? file.status(), now != status { older = try file.load().older }
    status = try file.write(document, older: older)
    older = nil
    self.document = document
  }

  /// Unlocks the file.
  package consuming func release() { lock.release() }
}
