import AssetArchive
import BlockCodecs
import Glibc
import SystemIO

/// What an archive was made of, kept beside it so that the next run need not make it again.
///
/// A record is whole or counts as none, and one that is lost costs time only.
package struct ArchiveRecord: Sendable, Equatable {
  /// What decided the bytes.
  package var inputs: PackInputs
  /// Where its manifest was, with all links followed; empty for one that was no file.
  package var manifest = ""
  /// When the files were looked at.
  package var seen: Moment
  /// Whose rules the files were held against.
  package var hosting: Hosting?
  /// What each file held that had been written to shortly before.
  ///
  /// Its times alone do not tell whether it was written to once more.
  package var contents: [Content] = []
  /// The SHA-256 of each file in the order of the selection, in one piece; empty where that is not
  /// known.
  package var digests: [UInt8] = []
  /// The archive as it was written, and its SHA-256.
  package var output: FileWitness
  /// When the archive was last checked.
  package var seenOutput: Moment
  package var sha256: [UInt8]
  /// What the result of a run says about the archive.
  package var fileCount: Int
  package var contentBytes: UInt64
  package var blockCount: Int
  package var storedBlockCount: Int

  package typealias Content = SeenFiles.Content
}

// MARK: - What follows from it

extension ArchiveRecord {
  /// What has to be done about an archive.
  package enum Verdict: Sendable, Equatable {
    /// It has to be made, and why.
    case pack(PackReason)
    /// It is as it would be made.
    case unchanged
    /// The same, if these files still hold what they held; and if the archive has the digest that
    /// it was written with, where `readsOutput` says so.
    case unchangedIf(contents: [Content], readsOutput: Bool)
  }

  /// Decides by what is known now whether the archive of a former run would be made again as it is.
  package static func verdict(
    on record: ArchiveRecord?, inputs: PackInputs, output: FileWitness?, now: Moment
  ) -> Verdict {
    guard let output else { return .pack(.absent) }
    guard let record else { return .pack(.record) }
    var contents = record.contents
    if let reason = inputs.difference(from: record.inputs) {
      guard let doubtful = record.contents(inDoubtFor: inputs) else { return .pack(reason) }
      contents = doubtful
    }
    if record.seen > now.adding(seconds: FileWitness.tick) { return .pack(.clock) }
    guard output.size == record.output.size else { return .pack(.output) }
    // A file system that counts whole seconds does not show a change within one.
    let isCoarse = output.changed.nanoseconds == 0 && output.modified.nanoseconds == 0
    let readsOutput =
      output != record.output || isCoarse && !output.isSettled(at: record.seenOutput)
    return contents.isEmpty && !readsOutput
      ? .unchanged : .unchangedIf(contents: contents, readsOutput: readsOutput)
  }

  /// What files have to hold for the archive to be as it would be made, if that decides it.
  private func contents(inDoubtFor inputs: PackInputs) -> [Content]? {
    guard let doubtful = inputs.doubtful(since: self.inputs),
      doubtful.allSatisfy({ ($0.file + 1) * Self.digestSize <= digests.count })
    else { return nil }
    let former = doubtful.map { entry, file in
      let start = file * Self.digestSize
      return Content(index: entry, sha256: Array(digests[start..<start + Self.digestSize]))
    }
    let indices = Set(doubtful.map(\.entry))
    return former + contents.filter { !indices.contains($0.index) }
  }
}

// MARK: - The file

extension ArchiveRecord {
  /// Where the record of an archive is: beside it, under a name that is never packed.
  package static func path(of archive: String) -> String {
    let place = OutputPlace(archive)
    let name = RecordName.of(place.name)
    return FilePath(place.folder).appending(name).text
  }

  /// The record of an archive; nil if there is none that can be used.
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
      throw Failure(.malformed("it is no record"), file.path)
    }
    return try [UInt8](capacity: Int(status.size)) { (output) throws(Failure) in
      _ = try file.readFully(into: &output)
    }
  }

  /// Keeps the record beside the archive; a reader sees all of it, or what was there before.
  package func keep(beside archive: String) throws(Failure) {
    let file = try AtomicFile(Self.path(of: archive), replacing: true)
    try file.write(try encoded())
    // What a lost machine leaves of it shows in its digest: that costs time only.
    try file.publish(syncing: false)
  }

  /// More than a selection of the largest size makes.
  private static let largest: UInt64 = 1 << 30
  private static let magic = Array("asset pack record 2\n".utf8)
  private static let digestSize = 32

  func encoded() throws(Failure) -> [UInt8] {
    var bytes = Self.magic
    bytes.reserveCapacity(
      inputs.entries.count + digests.count + contents.count * 48 + 1024)
    bytes.append(counted: FilePath(manifest).bytes[...])
    bytes.append(seen)
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
    var reader = WordReader(bytes[Self.magic.count..<end])
    guard let manifest = reader.counted(), let seen = reader.moment(),
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
    self.seen = seen
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

// MARK: - Its bytes

extension [UInt8] {
  /// Appends a number, its lowest byte first.
  mutating func append(word: UInt64) {
    for shift in stride(from: 0 as UInt64, to: 64, by: 8) {
      append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }

  /// Appends bytes behind their number.
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

/// Takes the bytes of a record apart; nil where they end too early.
struct WordReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }
  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  mutating func byte() -> UInt8? { rest.popFirst() }

  mutating func word() -> UInt64? {
    take(8)?.reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
  }

  mutating func count() -> Int? { word().flatMap { Int(exactly: $0) } }

  mutating func counted() -> ArraySlice<UInt8>? { count().flatMap { take($0) } }

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
