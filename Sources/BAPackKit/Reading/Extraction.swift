import ForeignArchives
import Glibc
package import SystemIO

/// Extracts files from a pack: into a folder, or into an archive of another format.
///
/// The pack is not trusted. Nothing is written outside the folder, no link is followed, no owner
/// and no setuid bit is set, and every size is checked before it is used.
package struct Extraction: Sendable {
  /// Which entries to extract.
  package enum Scope: Sendable {
    /// What is in `Contents`, without that prefix: the files as the app sees them.
    case contents
    /// Every entry under its own path: `Contents/…` and `Manifest.json`.
    case everything
  }

  /// Which entries to extract.
  package var scope = Scope.contents
  /// The files and folders to extract, by their paths in the scope; empty means all of them.
  package var paths: [String] = []
  /// Whether the target folder may have contents, and files in it may be replaced.
  package var isForced = false
  /// How many threads decode blocks.
  package var threads = 1
  /// The most memory that one block may take.
  package var memory = PackReader.defaultMemory

  /// Extracts everything in `Contents`, into a folder that is new or empty.
  package init() {}

  /// Extracts a pack into a folder.
  ///
  /// All files appear together, once all of them are on the disk; if anything goes wrong, none
  /// does. An existing folder is not replaced. If it has contents, ``isForced`` is needed, and then
  /// files may replace others.
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

  /// Fills a folder beside the final place.
  private func fill(
    _ folder: String, _ pass: inout ExtractionPass
  ) throws(PackError) -> ExtractionSummary {
    let parent = OutputPlace(folder).folder
    // The folders above it are made, and removed, together with it.
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

  /// Fills an existing folder: first beside its contents, and then all at once.
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

  /// Writes the files of a pack as an archive of another format, such as a zip.
  ///
  /// The end of the name chooses the format, one of ``exportSuffixes``. The same pack gives the
  /// same bytes every time.
  package func export(
    _ pack: String, to archive: String, _ work: Work
  ) throws(PackError) -> ExtractionSummary {
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

  /// The ends of file names that ``export(_:to:_:)`` can write.
  package static let exportSuffixes = ForeignFormat.all.map(\.suffix)
}
