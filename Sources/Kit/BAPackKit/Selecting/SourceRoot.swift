import ForeignArchives
import Glibc
import SourceDiagnostics
package import SystemIO

/// The source of a pack's files: a folder, an archive that libarchive reads, or a list of files.
///
/// The folder or archive is kept open. All reads use it, even if its name now belongs to another
/// one. An archive must not change between its listing and the end of reading.
package final class SourceRoot: Sendable {
  enum Storage: Sendable {
    case folder(FolderTree)
    case archive(ArchiveTree, OpenArchive, FileStarts)
    case list(ListTree)
  }

  /// An open archive, and its status when it was opened.
  final class OpenArchive: Sendable {
    let descriptor: FileDescriptor
    let status: FileStatus

    init(_ descriptor: consuming FileDescriptor, _ status: FileStatus) {
      self.descriptor = descriptor
      self.status = status
    }

    /// Throws if the archive was modified since it was opened.
    func checkUnchanged() throws(PackError) {
      let now = try mapFailure(.reading) { () throws(Failure) in try descriptor.status() }
      guard now.isSameFile(as: status) else {
        throw PackError(
          .changed, "'\(FilePath(descriptor.path).shown)' changed during packing",
          remedy: "run again when no process writes to it")
      }
    }
  }

  /// The path for messages, as specified by the caller.
  package let path: String
  /// The default path for manifests without a source root.
  let defaultRoot: String
  let storage: Storage

  /// Opens a folder or an archive.
  package convenience init(opening path: String, _ work: Work) throws(PackError) {
    try self.init(opening: path, detecting: [], work)
  }

  /// Opens a folder or an archive; the files of an archive are inspected during the listing.
  init(
    opening path: String, defaultRoot: String = ".", detecting kinds: FileStarts.Kinds,
    _ work: Work
  ) throws(PackError) {
    self.path = path
    self.defaultRoot = defaultRoot
    storage = try Self.open(path, kinds, work)
  }

  /// Opens the files of a list; sources that cannot be packed are findings.
  package init(
    listing list: FileList, _ findings: inout Ledger, _ work: Work
  ) throws(PackError) {
    path = list.name
    defaultRoot = "."
    storage = .list(try ListTree(opening: list, &findings, work))
  }

  private static func open(
    _ path: String, _ kinds: FileStarts.Kinds, _ work: Work
  ) throws(PackError) -> Storage {
    let archive: OpenArchive
    do throws(Failure) {
      let root = try openRoot(path)
      let status = try root.status()
      if status.kind == .directory { return .folder(FolderTree(root)) }
      guard status.kind == .file else { throw Failure(.read, path, code: ESPIPE) }
      archive = OpenArchive(root, status)
    } catch {
      guard error.code == ENOENT else { throw PackError(error) }
      throw PackError(
        .system(ENOENT), "there is no source root '\(FilePath(path).shown)'",
        remedy: "specify an existing folder or archive")
    }
    do throws(Failure) {
      let (listing, starts) = try list(archive, path, kinds, work)
      return .archive(ArchiveTree(listing), archive, starts)
    } catch {
      guard error.isAboutBytes else { throw PackError(error, while: .reading) }
      throw refusal(of: archive, path, error)
    }
  }

  /// Opens the root.
  ///
  /// A folder that cannot be listed may still have readable files.
  private static func openRoot(_ path: String) throws(Failure) -> FileDescriptor {
    do throws(Failure) {
      return try FileDescriptor.open(path, for: .reading)
    } catch {
      guard error.code == EACCES else { throw error }
      do throws(Failure) {
        return try FileDescriptor.open(path, for: .crossing)
      } catch _ {
        throw error
      }
    }
  }

  /// Lists an archive.
  ///
  /// libarchive stops at a file that cannot be decoded. That file may not be selected, so the
  /// listing is then repeated without inspecting files.
  private static func list(
    _ archive: OpenArchive, _ path: String, _ kinds: FileStarts.Kinds, _ work: Work
  ) throws(Failure) -> (ForeignListing, FileStarts) {
    if !kinds.isEmpty {
      var starts = FileStarts(kinds)
      let listing = try? ForeignListing(archive.descriptor, name: path, work) {
        starts.inspect($0, $1)
      }
      if let listing { return (listing, starts) }
    }
    return (try ForeignListing(archive.descriptor, name: path, work), FileStarts([]))
  }

  /// Returns an error with the kind of a file that could not be read as an archive.
  private static func refusal(
    of file: OpenArchive, _ path: String, _ failure: Failure
  ) -> PackError {
    let start = try? file.descriptor.readToEnd(atMost: FileFormat.startSize)
    let form = start.map { FileFormat($0) } ?? .binary
    let what =
      switch form {
      case .binary, .garbled, .archive: failure.reason
      case .empty: "the file is empty"
      default: "it is \(form.phrase)"
      }
    let remedy: Remedy =
      if failure.needsPassword {
        "create the archive again without a password"
      } else {
        form.remedyAsSourceRoot
      }
    return PackError(
      .malformed(offset: nil), "cannot read '\(path)' as a source root: \(what)", remedy: remedy)
  }

  /// Returns the contents of `selection`, which was made from this root.
  ///
  /// Opening a file in an archive may take long, and stops if the operation is stopped.
  package func contents(
    of selection: Selection, _ work: Work
  ) throws(PackError) -> any SourceContents {
    switch storage {
    case .folder(let tree): return contents(of: selection, FileOpener(tree))
    case .list(let tree): return contents(of: selection, FileOpener(tree))
    case .archive(_, let archive, _):
      return try ArchiveContents(selection, in: archive, name: path, work)
    }
  }

  private func contents(of selection: Selection, _ opener: FileOpener) -> FolderContents {
    FolderContents(selection, opener, readAhead: ReadAhead(opener))
  }

  /// Whether the files are entries of an archive.
  package var isArchive: Bool { if case .archive = storage { true } else { false } }
}

extension SourceRoot {
  /// Returns the path of a manifest's source root.
  ///
  /// The path is `given`, from the command line, or else the manifest's `sourceRoot`, which is
  /// relative to the folder of the manifest, or else the default: the project's source root or the
  /// current folder.
  package static func path(
    for document: ManifestDocument, given: String? = nil, defaultRoot: String = "."
  ) -> String {
    if let given { return given }
    guard let root = document.sourceRoot else { return defaultRoot }
    return FilePath(document.source.name).folder.appending(FilePath(root.utf8)).text
  }
}
