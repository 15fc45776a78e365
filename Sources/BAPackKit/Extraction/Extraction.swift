import ForeignArchives
import Glibc
import SystemIO

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
  /// Whether to write into a folder that has something in it, and over files.
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
  /// A new or empty folder is filled as a whole or not at all. One that has something in it needs
  /// ``isForced``; then the pack's structure is checked first, and each file is replaced as a whole.
  public func extract(
    _ pack: String, into folder: String, progress: (Progress) -> Void = { _ in }
  ) throws(PackError) -> Summary {
    var pass = try ExtractionPass(self, pack)
    let output = try OutputFolder(folder)
    do throws(PackError) {
      return switch output {
      case .absent: try stage(&pass, folder, permissions: nil, progress)
      case .replaceable(let permissions):
        try stage(&pass, folder, permissions: permissions, progress)
      case .empty(let open): try fill(open, &pass, progress)
      case .filled(let open): try update(open, folder, &pass, progress)
      }
    } catch {
      guard error.kind == .interrupted else { throw error }
      if case .filled = output {
        throw PackError(
          .interrupted, "interrupted; what was extracted before stays in '\(folder)'")
      }
      throw PackError(.interrupted, "interrupted; nothing was extracted")
    }
  }

  /// Fills a folder beside the place where it will be.
  private func stage(
    _ pass: inout ExtractionPass, _ folder: String, permissions: UInt32?,
    _ progress: (Progress) -> Void
  ) throws(PackError) -> Summary {
    // The folders above it come and go with it.
    let above = try system { () throws(SystemError) in
      try SystemIO.OutputFolder(OutputPlace(folder).folder)
    }
    defer { extendLifetime(above) }
    let staged = try system { () throws(SystemError) in try StagedFolder(folder) }
    let root = try system { () throws(SystemError) in
      OpenFolder(try staged.contents.duplicate(), in: nil)
    }
    var writer = FolderWriter(root, isReplacing: false)
    let summary = try pass.run(into: &writer, progress)
    try writer.finish()
    do throws(SystemError) {
      if let permissions { try root.descriptor.setPermissions(permissions) }
      try staged.publish()
    } catch {
      throw PackError(error, while: .extracting)
    }
    return summary
  }

  /// Fills an empty folder that cannot be replaced, such as the one the user is in: in a folder
  /// inside it first, whose contents then move up.
  private func fill(
    _ folder: OpenFolder, _ pass: inout ExtractionPass, _ progress: (Progress) -> Void
  ) throws(PackError) -> Summary {
    let temporary = TemporaryName.make()
    do throws(SystemError) {
      try folder.descriptor.makeFolder(temporary)
    } catch {
      let path = folder.descriptor.path
      throw PackError(SystemError("write to", path, code: error.code), while: .extracting)
    }
    defer { folder.descriptor.removeTreeQuietly(temporary) }
    let root = try system { () throws(SystemError) in
      OpenFolder(try folder.descriptor.open(temporary, for: .directory), in: folder)
    }
    var writer = FolderWriter(root, isReplacing: false)
    let summary = try pass.run(into: &writer, progress)
    try writer.finish()
    try system { () throws(SystemError) in
      let listing = try root.descriptor.list()
      for item in listing.items {
        try root.descriptor.move(listing.fileName(of: item), into: folder.descriptor)
      }
    }
    return summary
  }

  /// Writes into a folder that has something in it.
  private func update(
    _ folder: OpenFolder, _ path: String, _ pass: inout ExtractionPass,
    _ progress: (Progress) -> Void
  ) throws(PackError) -> Summary {
    guard isForced else {
      throw PackError(
        .exists, "'\(path)' is not empty",
        remedy: "choose another folder, or use --force to write into this one")
    }
    try pass.check()
    var writer = FolderWriter(folder, isReplacing: true)
    let summary = try pass.run(into: &writer, progress)
    try writer.finish()
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
        remedy: "use one of " + Self.exportSuffixes.joined(separator: ", "))
    }
    if let old = try? FileStatus(ofFileAt: archive).identity,
      old == (try? FileStatus(ofFileAt: pack).identity)
    {
      throw PackError(
        .exists, "'\(archive)' is the pack itself", remedy: "choose another name with -o")
    }
    var pass = try ExtractionPass(self, pack)
    let file: AtomicFile
    do throws(SystemError) {
      file = try AtomicFile(archive, replacing: isForced)
    } catch {
      throw PackError(error, while: .writing)
    }
    var writer = try ExportWriter(file.descriptor, format, name: archive)
    let summary: Summary
    do throws(PackError) {
      summary = try pass.run(into: &writer, progress)
    } catch {
      guard error.kind == .interrupted else { throw error }
      throw PackError(.interrupted, "interrupted; '\(archive)' was not written")
    }
    try writer.finish()
    do throws(SystemError) {
      try file.publish()
    } catch {
      throw PackError(error, while: .writing)
    }
    return summary
  }

  /// How the names of archives end that ``export(_:to:progress:)`` can write.
  public static let exportSuffixes = ForeignFormat.all.map(\.suffix)
}

/// Turns what the system refuses while files are extracted into what the library throws.
func system<Success: ~Copyable>(
  _ body: () throws(SystemError) -> Success
) throws(PackError) -> Success {
  do throws(SystemError) {
    return try body()
  } catch {
    throw PackError(error, while: .extracting)
  }
}
