import ForeignArchives
import Glibc
import SourceDiagnostics
package import SystemIO

/// The extraction of files from a pack: to a folder, or to an archive of another format.
///
/// The pack is not trusted. No file is written outside the folder, no link is followed, no owner
/// and no setuid bit is set, and every size is checked before it is used.
package struct Extraction: Sendable {
  /// The entries to extract.
  package enum Scope: Sendable {
    /// The contents of `Contents`, without that prefix: the files that the app sees.
    case contents
    /// Every entry with its full path: `Contents/…` and `Manifest.json`.
    case everything
  }

  /// The entries to extract.
  package var scope = Scope.contents
  /// The files and folders to extract, by paths and patterns in the scope; all if empty.
  package var paths: [String] = []
  /// Whether the target folder may have contents; its files may then be replaced.
  package var isForced = false
  /// The number of threads for decoding.
  package var threads = 1
  /// The maximum memory for one block, in bytes.
  package var memory = PackReader.defaultMemory

  /// Creates an extraction of `Contents` to a folder that is new or empty.
  package init() {}

  /// Extracts a pack to a folder.
  ///
  /// The files appear together after all of them are on the disk. If an error occurs, no file
  /// appears. An existing folder is not replaced. If it has contents, ``isForced`` is required, and
  /// files may then be replaced.
  package func extract(
    _ pack: String, into folder: String, _ work: Work
  ) throws(PackError) -> ExtractionSummary {
    var pass = try ExtractionPass(self, pack, work)
    let path = Self.withoutDotAtEnd(folder)
    do throws(PackError) {
      switch try TargetFolder(path) {
      case .absent: return try fill(path, &pass)
      case .present(let open, let isEmpty):
        guard isEmpty || isForced else {
          throw PackError(
            .exists, "'\(folder)' is not empty",
            remedies: ["choose another folder", .writeIntoFolder])
        }
        return try fill(open, isEmpty: isEmpty, &pass)
      }
    } catch {
      guard error.kind == .interrupted else { throw error }
      throw PackError(.interrupted, "interrupted; no file was extracted")
    }
  }

  // `new/.` is the folder `new`, which may not exist yet.
  private static func withoutDotAtEnd(_ path: String) -> String {
    var bytes = Array(path.utf8)
    while bytes.count > 1, bytes.last == slash || bytes.suffix(2) == [slash, UInt8(ascii: ".")] {
      bytes.removeLast()
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Extracts to a folder next to the target, and renames it.
  private func fill(
    _ folder: String, _ pass: inout ExtractionPass
  ) throws(PackError) -> ExtractionSummary {
    let parent = OutputPlace(folder).folder
    // Its parent folders are created, and removed after an error, together with it.
    let above = try mapFailure(.extracting) { () throws(Failure) in try OutputFolder(parent) }
    defer { extendLifetime(above) }
    let staged = try mapFailure(.extracting) { () throws(Failure) in
      try StagedFolder(in: FileDescriptor.open(parent, for: .directory), for: folder)
    }
    let waiting = try mapFailure(.extracting) { () throws(Failure) in
      WaitingFolder(
        folder: OpenFolder(try staged.contents.duplicate(), in: nil), permitted: staged.permitted)
    }
    var writer = FolderWriter(waiting)
    let summary = try pass.run(into: &writer)
    try writer.finish()
    if staged.permitted & 0o700 != 0o700 {
      try mapFailure(.extracting) { () throws(Failure) in
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

  /// Extracts to an existing folder: first to a staging folder in it, then by renaming.
  private func fill(
    _ folder: OpenFolder, isEmpty: Bool, _ pass: inout ExtractionPass
  ) throws(PackError) -> ExtractionSummary {
    let merge = try FolderMerge(into: folder, isReplacing: isForced)
    if !isEmpty { try pass.check(merge.inspect) }
    var writer = merge.writer()
    let summary = try pass.run(into: &writer)
    try writer.finish()
    try merge.publish()
    return summary
  }

  /// Writes the files of a pack to an archive of another format, for example a zip.
  ///
  /// The suffix of the name selects the format, one of ``exportSuffixes``. The same pack always
  /// results in the same bytes.
  package func export(
    _ pack: String, to archive: String, _ work: Work
  ) throws(PackError) -> ExtractionSummary {
    guard let format = ForeignFormat(fileName: archive) else {
      throw PackError(
        .unsupported, "'\(archive)' does not have the suffix of a supported archive format",
        remedy: .advice("use one of " + Self.exportSuffixes.joined(separator: ", ")))
    }
    if let old = try? FileStatus(ofFileAt: archive).identity,
      old == (try? FileStatus(ofFileAt: pack).identity)
    {
      throw PackError(
        .exists, "cannot replace '\(archive)': it is the pack to extract",
        remedy: .specifyAnotherOutput)
    }
    var pass = try ExtractionPass(self, pack, work)
    let file = try mapFailure(.writing) { () throws(Failure) in
      try AtomicFile(archive, replacing: isForced)
    }
    var writer = try ExportWriter(file.descriptor, format, name: archive)
    var summary: ExtractionSummary
    do throws(PackError) {
      summary = try pass.run(into: &writer)
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

  /// The suffixes of file names that ``export(_:to:_:)`` supports.
  package static let exportSuffixes = ForeignFormat.all.map(\.suffix)
}
