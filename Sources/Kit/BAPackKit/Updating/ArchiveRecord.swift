import AssetArchive
import BlockCodecs
import Glibc
import SystemIO

/// A record of an archive's input, stored next to it, so that the next run can skip an unchanged
/// archive.
///
/// A record that is incomplete or missing only costs time.
package struct ArchiveRecord: Sendable, Equatable {
  /// The input that determines the bytes.
  package var inputs: PackInputs
  /// The path of the manifest, with links resolved; empty if the manifest was not a file.
  package var manifest = ""
  /// The time at which the files were examined.
  package var examinedAt: Moment
  /// The host whose rules were applied to the files.
  package var hosting: Hosting?
  /// The contents of the files that were modified shortly before.
  ///
  /// The times of these files are insufficient to detect another modification.
  package var contents: [Content] = []
  /// The SHA-256 of each file in the order of the selection, concatenated; empty if unknown.
  package var digests: [UInt8] = []
  /// The properties of the archive when it was written.
  package var output: FileWitness
  /// The time at which the archive was last checked.
  package var seenOutput: Moment
  package var sha256: [UInt8]
  // The part of the result of a run that describes the archive.
  package var fileCount: Int
  package var contentBytes: UInt64
  package var blockCount: Int
  package var storedBlockCount: Int

  package typealias Content = ExaminedFiles.Content
}

// MARK: - Verdict

extension ArchiveRecord {
  /// The required action for an archive.
  package enum Verdict: Sendable, Equatable {
    /// The archive must be packed, for this reason.
    case pack(PackReason)
    /// The archive is up to date.
    case unchanged
    /// The archive is up to date if these files have the recorded contents, and, if `readsOutput`
    /// is true, if the archive has the recorded digest.
    case unchangedIf(contents: [Content], readsOutput: Bool)
  }

  /// Returns whether the archive of an earlier run is up to date, without reading files.
  package static func verdict(
    on record: ArchiveRecord?, inputs: PackInputs, output: FileWitness?, now: Moment
  ) -> Verdict {
    guard let output else { return .pack(.absent) }
    guard let record else { return .pack(.record) }
    var contents = record.contents
    if let reason = inputs.difference(from: record.inputs) {
      guard let contentsToCompare = record.contentsToCompare(for: inputs) else {
        return .pack(reason)
      }
      contents = contentsToCompare
    }
    if record.examinedAt > now.adding(seconds: FileWitness.tick) { return .pack(.clock) }
    guard output.size == record.output.size else { return .pack(.output) }
    // A file system with timestamps in whole seconds does not show a change within a second.
    let isCoarse = output.changed.nanoseconds == 0 && output.modified.nanoseconds == 0
    let readsOutput =
      output != record.output || isCoarse && !output.isSettled(at: record.seenOutput)
    return contents.isEmpty && !readsOutput
      ? .unchanged : .unchangedIf(contents: contents, readsOutput: readsOutput)
  }

  /// Returns the contents that files must have for the archive to be up to date, if contents are
  /// sufficient to decide.
  private func contentsToCompare(for inputs: PackInputs) -> [Content]? {
    guard let filesToCompare = inputs.filesToCompare(since: self.inputs),
      filesToCompare.allSatisfy({ ($0.file + 1) * Self.digestSize <= digests.count })
    else { return nil }
    let former = filesToCompare.map { entry, file in
      let start = file * Self.digestSize
      return Content(index: entry, sha256: Array(digests[start..<start + Self.digestSize]))
    }
    let indices = Set(filesToCompare.map(\.entry))
    return former + contents.filter { !indices.contains($0.index) }
  }
}

// MARK: - The file

extension ArchiveRecord {
  /// Returns the path of the record of an archive: next to it, with a name that is never packed.
  package static func path(of archive: String) -> String {
    let place = OutputPlace(archive)
    let name = RecordName.of(place.name)
    return FilePath(place.folder).appending(name).text
  }

  /// Reads the record of an archive; nil if there is no usable record.
  package init?(of archive: String) {
    let place = OutputPlace(archive)
    guard let folder = try? FileDescriptor.open(place.folder, for: .directory),
      let bytes = try? Self.read(RecordName.of(place.name), in: folder)
    else { return nil }
    self.init(bytes)
  }

  private static func read(
    _ name: FileName, in folder: borrowing FileDescriptor
  ) throws(Failure) -> [UInt8] {
    let file = try folder.open(name, for: .reading)
    let status = try file.status()
    guard status.kind == .file, status.size <= largest else {
      throw Failure(.malformed("it is not a record"), file.path)
    }
    return try [UInt8](capacity: Int(status.size)) { (output) throws(Failure) in
      _ = try file.readFully(into: &output)
    }
  }

  /// Writes the record next to the archive atomically.
  package func write(for archive: String) throws(Failure) {
    let file = try AtomicFile(Self.path(of: archive), replacing: true)
    try file.write(try encoded())
    // An incomplete file after a crash has a wrong digest, which only costs time.
    try file.publish(syncing: false)
  }

  /// The maximum size of a record in bytes, which is sufficient for the largest selection.
  private static let largest: UInt64 = 1 << 30
  private static let magic = Array("asset pack record 2\n".utf8)
  private static let digestSize = 32

  func encoded() throws(Failure) -> [UInt8] {
    var bytes = Self.magic
    bytes.reserveCapacity(
      inputs.entries.count + digests.count + contents.count * 48 + 1024)
    bytes.append(counted: FilePath(manifest).bytes[...])
    bytes.append(examinedAt)
    bytes.append(counted: Array((hosting?.rawValue ?? "").utf8)[...])
    bytes.append(output)
    bytes.append(seenOutput)
    bytes.append(counted: sha256[...])
    for figure in [UInt64(fileCount), contentBytes, UInt64(blockCount), UInt64(storedBlockCount)] {
      bytes.append(word: figure)
    }
    bytes.append(word: UInt64(inputs.settings.count))
    for setting in inputs.settings {
      bytes.append(setting.name.rawValue)
      bytes.append(counted: setting.value[...])
    }
    bytes.append(inputs.archive == nil ? 0 : 1)
    if let archive = inputs.archive { bytes.append(archive) }
    bytes.append(word: UInt64(contents.count))
    for content in contents {
      bytes.append(word: UInt64(content.index))
      bytes.append(counted: content.sha256[...])
    }
    bytes.append(counted: digests[...])
    bytes.append(counted: inputs.entries[...])
    return bytes + (try Self.digest(of: bytes, upTo: bytes.count))
  }

  init?(_ bytes: [UInt8]) {
    let end = bytes.count - Self.digestSize
    guard end > 0, bytes.starts(with: Self.magic),
      let digest = try? Self.digest(of: bytes, upTo: end), bytes[end...].elementsEqual(digest)
    else { return nil }
    var reader = RecordParser(bytes[Self.magic.count..<end])
    guard let manifest = reader.counted(), let examinedAt = reader.moment(),
      let hosting = reader.counted(),
      let output = reader.witness(), let seenOutput = reader.moment(),
      let sha256 = reader.counted(),
      let files = reader.count(), let contentBytes = reader.word(), let blocks = reader.count(),
      let stored = reader.count(), let settingCount = reader.count()
    else { return nil }
    var settings: [PackInputs.Setting] = []
    for _ in 0..<min(settingCount, 256) {
      guard let name = reader.byte().flatMap(PackInputs.Setting.Name.init(rawValue:)),
        let value = reader.counted()
      else { return nil }
      settings.append(PackInputs.Setting(name: name, value: Array(value)))
    }
    guard let isArchive = reader.byte() else { return nil }
    var archive: FileWitness?
    if isArchive == 1 {
      guard let witness = reader.witness() else { return nil }
      archive = witness
    }
    guard let contentCount = reader.count(), contentCount <= bytes.count / 16 else { return nil }
    for _ in 0..<contentCount {
      guard let index = reader.count(), let sha256 = reader.counted() else { return nil }
      contents.append(Content(index: index, sha256: Array(sha256)))
    }
    guard let digests = reader.counted(), let entries = reader.counted(), reader.isAtEnd else {
      return nil
    }
    self.digests = Array(digests)
    inputs = PackInputs(settings: settings, archive: archive, entries: Array(entries))
    self.manifest = FilePath(manifest).text
    self.examinedAt = examinedAt
    self.hosting = Hosting(rawValue: String(decoding: hosting, as: UTF8.self))
    self.output = output
    self.seenOutput = seenOutput
    self.sha256 = Array(sha256)
    fileCount = files
    self.contentBytes = contentBytes
    blockCount = blocks
    storedBlockCount = stored
  }

  private static func digest(of bytes: [UInt8], upTo end: Int) throws(Failure) -> [UInt8] {
    var digest = try Digest(.sha256)
    bytes.withRawSpan { digest.update($0.extracting(0..<end)) }
    return digest.finish()
  }
}

// MARK: - Encoding

extension [UInt8] {
  /// Appends a number in little-endian order.
  mutating func append(word: UInt64) {
    for shift in stride(from: 0 as UInt64, to: 64, by: 8) {
      append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }

  /// Appends bytes after their count.
  mutating func append(counted bytes: ArraySlice<UInt8>) {
    append(word: UInt64(bytes.count))
    append(contentsOf: bytes)
  }

  mutating func append(_ moment: Moment) {
    append(word: UInt64(bitPattern: moment.seconds))
    append(word: UInt64(moment.nanoseconds))
  }

  mutating func append(_ witness: FileWitness) {
    append(word: witness.size)
    append(witness.modified)
    append(witness.changed)
    append(word: witness.number)
  }
}

/// A parser of the bytes of a record, whose functions return nil at the end of the bytes.
struct RecordParser {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }
  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func next(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func byte() -> UInt8? { rest.popFirst() }

  mutating func word() -> UInt64? {
    next(8)?.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
  }

  mutating func count() -> Int? { word().flatMap { Int(exactly: $0) } }

  mutating func counted() -> ArraySlice<UInt8>? { count().flatMap { next($0) } }

  mutating func moment() -> Moment? {
    guard let seconds = word(), let nanoseconds = word() else { return nil }
    return Moment(seconds: Int64(bitPattern: seconds), stored: nanoseconds)
  }

  mutating func witness() -> FileWitness? {
    guard let size = word(), let modified = moment(), let changed = moment(), let number = word()
    else { return nil }
    return FileWitness(size: size, modified: modified, changed: changed, number: number)
  }
}
