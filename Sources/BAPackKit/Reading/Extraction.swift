import ForeignArchives
import Glibc
public import SystemIO

/// Takes files out of a pack: into a folder, or into an archive of another kind.
///
/// The pack is taken to be hostile. Nothing is written outside the folder, no link is followed, no
/// owner and no setuid bit is set, and no size is believed before it is checked.
public struct Extraction: Sendable {
  /// Which entries are meant.
  public enum Scope: Sendable {
    /// What is below `Contents`, without that prefix: the files as the app sees them.
    case contents
    /// Every entry under its own path: `Contents/…` and `Manifest.json`.
    case everything
  }

  /// What was written.
  public struct Summary: Sendable, Equatable {
    /// How many files.
    public var fileCount = 0
    /// How many folders.
    public var directoryCount = 0
    /// How many bytes the files hold.
    public var byteCount: UInt64 = 0
    /// What of the times an exported archive could not hold; nil when it holds all of them.
    public var movedTimes: MovedTimes?
  }

  /// Times that the form of an archive cannot hold; they stand at the nearer end of what it can.
  public struct MovedTimes: Sendable, Equatable {
    /// How many entries have such a time.
    public var count: Int
    /// The earliest time that the form holds.
    public var earliest: Moment
    /// The latest one.
    public var latest: Moment
  }

  /// How far it is.
  public struct Progress: Sendable {
    /// The entry that is being written, by its path in the scope.
    public var path: String
    /// Whether it has just begun.
    public var isBeginning: Bool
    /// How much of the decoded pack has been read.
    public var done: UInt64
    /// What the whole pack decodes to.
    public var total: UInt64
  }

  /// Which entries are meant.
  public var scope = Scope.contents
  /// The files and folders to take, by their paths in the scope; empty means all.
  public var paths: [String] = []
  /// Whether to write into a folder that has something in it, and to replace files.
  public var isForced = false
  /// How many threads decode blocks.
  public var threads = 1
  /// What one block may take in memory.
  public var memory = PackReader.defaultMemory
  /// Whether to give up, asked for every piece; it should read no more than an atomic value.
  public var isCancelled: @Sendable () -> Bool = { false }

  /// Takes everything below `Contents`, into what is new or empty.
  public init() {}

  /// Extracts a pack into a folder.
  ///
  /// All of the files appear or, when anything goes wrong, none, once all of them are on the disk.
  /// A folder that is there stays the one it is; one that has something in it needs ``isForced``,
  /// and then files may take the place of others.
  public func extract(
    _ pack: String, into folder: String, progress: (Progress) -> Void = { _ in }
  ) throws(PackError) -> Summary {
    var pass = try ExtractionPass(self, pack)
    let path = Self.withoutDotAtEnd(folder)
    do throws(PackError) {
      switch try TargetFolder(path) {
      case .absent: return try fill(path, &pass, progress)
      case .present(let open, let isEmpty):
        guard isEmpty || isForced else {
          throw PackError(
            .exists, "'\(folder)' is not empty",
            remedies: ["choose another folder", .writeIntoFolder])
        }
        return try fill(open, isEmpty: isEmpty, &pass, progress)
      }
    } catch {
      guard error.kind == .interrupted else { throw error }
      throw PackError(.interrupted, "interrupted; nothing was extracted")
    }
  }

  /// `new/.` is the folder `new`, which may have to be made.
  private static func withoutDotAtEnd(_ path: String) -> String {
    var bytes = Array(path.utf8)
    while bytes.count > 1, bytes.last == slash || bytes.suffix(2) == [slash, UInt8(ascii: ".")] {
      bytes.removeLast()
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Fills a folder beside the place where it will be.
  private func fill(
    _ folder: String, _ pass: inout ExtractionPass, _ progress: (Progress) -> Void
  ) throws(PackError) -> Summary {
    let parent = OutputPlace(folder).folder
    // The folders above it come and go with it.
    let above = try during(.extracting) { () throws(Failure) in try OutputFolder(parent) }
    defer { extendLifetime(above) }
    let staged = try during(.extracting) { () throws(Failure) in
      try StagedFolder(in: FileDescriptor.open(parent, for: .directory), for: folder)
    }
    let waiting = try during(.extracting) { () throws(Failure) in
      WaitingFolder(
        folder: OpenFolder(try staged.contents.duplicate(), in: nil), permitted: staged.permitted)
    }
    var writer = FolderWriter(waiting)
    let summary = try pass.run(into: &writer, progress)
    try writer.finish()
    if staged.permitted & 0o700 != 0o700 {
      try during(.extracting) { () throws(Failure) in
        try staged.contents.setPermissions(staged.permitted)
      }
    }
    do throws(Failure) {
      try staged.publish(as: folder)
    } catch {
      throw PackError(error, while: .extracting)
    }
    return summary
  }

  /// Fills a folder that is there: beside what is in it first, and then all at once.
  private func fill(
    _ folder: OpenFolder, isEmpty: Bool, _ pass: inout ExtractionPass,
    _ progress: (Progress) -> Void
  ) throws(PackError) -> Summary {
    let merge = try FolderMerge(into: folder, isReplacing: isForced)
    if !isEmpty { try pass.check(merge.look) }
    var writer = merge.writer()
    let summary = try pass.run(into: &writer, progress)
    try writer.finish()
    try merge.publish()
    return summary
  }

  /// Writes the files of a pack as an archive of another kind, such as a zip.
  ///
  /// The end of the name chooses the form, one of ``exportSuffixes``. The same pack gives the same bytes every time.
  public func export(
    _ pack: String, to archive: String, progress: (Progress) -> Void = { _ in }
  ) throws(PackError) -> Summary {
    guard let format = ForeignFormat(fileName: archive) else {
      throw PackError(
        .unsupported, "'\(archive)' does not end like an archive that can be written",
        remedy: .advice("use one of " + Self.exportSuffixes.joined(separator: ", ")))
    }
    if let old = try? FileStatus(ofFileAt: archive).identity,
      old == (try? FileStatus(ofFileAt: pack).identity)
    {
      throw PackError(
        .exists, "'\(archive)' is the pack itself", remedy: .nameAnotherOutput)
    }
    var pass = try ExtractionPass(self, pack)
    let file = try during(.writing) { () throws(Failure) in
      try AtomicFile(archive, replacing: isForced)
    }
    var writer = try ExportWriter(file.descriptor, format, name: archive)
    var summary: Summary
    do throws(PackError) {
      summary = try pass.run(into: &writer, progress)
      summary.movedTimes = writer.movedTimes
    } catch {
      guard error.kind == .interrupted else { throw error }
      throw PackError(.interrupted, "interrupted; '\(archive)' was not written")
    }
    try writer.finish()
    do throws(Failure) {
      try file.publish()
    } catch {
      throw PackError(error, while: .writing)
    }
    return summary
  }

  /// How the names of archives end that ``export(_:to:progress:)`` can write.
  public static let exportSuffixes = ForeignFormat.all.map(\.suffix)
}
