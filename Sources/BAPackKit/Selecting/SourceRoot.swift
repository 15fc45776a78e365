import ForeignArchives
import Glibc
import SourceDiagnostics
package import SystemIO

/// Where the files of a pack come from: a folder, or an archive that libarchive reads.
///
/// It stays open: everything is read from this same folder or archive, even if its name has been
/// given to another one.
package final class SourceRoot: Sendable {
  enum Storage: Sendable {
    case folder(FolderTree)
    case archive(ArchiveTree, OpenArchive, FileStarts)
  }

  /// An archive that stays open, and its status when it was opened.
  final class OpenArchive: Sendable {
    let descriptor: FileDescriptor
    let status: FileStatus

    init(_ descriptor: consuming FileDescriptor, _ status: FileStatus) {
      self.descriptor = descriptor
      self.status = status
    }

    /// Throws if it has been written to since.
    func checkUnchanged() throws(PackError) {
      let now = try mapFailure(.reading) { () throws(Failure) in try descriptor.status() }
      guard now.size == status.size, now.modified == status.modified else {
        throw PackError(
          .changed, "'\(shownBytes(descriptor.path.utf8))' changed while it was being packed",
          remedy: "run again when nothing writes to it")
      }
    }
  }

  /// The path that it was opened with, for messages.
  package let path: String
  /// The path that is opened for manifests that name none, where nothing else was asked for.
  let defaultRoot: String
  let storage: Storage

  /// Opens a folder or an archive.
  package convenience init(opening path: String, _ work: Work) throws(PackError) {
    try self.init(opening: path, lookingFor: [], work)
  }

  /// Opens a folder or an archive; the files of an archive are examined while they are listed.
  init(
    opening path: String, defaultRoot: String = ".", lookingFor signs: FileStarts.Signs,
    _ work: Work
  ) throws(PackError) {
    self.path = path
    self.defaultRoot = defaultRoot
    storage = try Self.open(path, signs, work)
  }

  private static func open(
    _ path: String, _ signs: FileStarts.Signs, _ work: Work
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
        .system(ENOENT), "there is no source root '\(shownBytes(path.utf8))'",
        remedy: "name an existing folder or archive")
    }
    do throws(Failure) {
      let (listing, starts) = try list(archive, path, signs, work)
      return .archive(ArchiveTree(listing), archive, starts)
    } catch {
      guard error.isAboutBytes else { throw PackError(error, while: .reading) }
      throw refusal(of: archive, path, error)
    }
  }

  /// Opens the root; a folder that may not be listed may still have readable files.
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
  /// libarchive stops at a file that cannot be decoded. That file may not be wanted, so the list is
  /// then made without examining files.
  private static func list(
    _ archive: OpenArchive, _ path: String, _ signs: FileStarts.Signs, _ work: Work
  ) throws(Failure) -> (ForeignListing, FileStarts) {
    if !signs.isEmpty {
      var starts = FileStarts(signs)
      let listing = try? ForeignListing(archive.descriptor, name: path, work) {
        starts.inspect($0, $1)
      }
      if let listing { return (listing, starts) }
    }
    return (try ForeignListing(archive.descriptor, name: path, work), FileStarts([]))
  }

  /// The error that says what it is that could not be read as an archive.
  private static func refusal(
    of file: OpenArchive, _ path: String, _ failure: Failure
  ) -> PackError {
    let start = try? file.descriptor.readToEnd(atMost: FileForm.startSize)
    let form = start.map { FileForm($0) } ?? .binary
    let what =
      switch form {
      case .binary, .garbled, .archive: failure.reason
      case .empty: "the file is empty"
      default: "it is \(form.phrase)"
      }
    let remedy: Remedy =
      if failure.needsPassword {
        "make the archive again without a password"
      } else {
        form.remedyAsSourceRoot
      }
    return PackError(
      .malformed(offset: nil), "cannot read '\(path)' as a source root: \(what)", remedy: remedy)
  }

  /// The contents of what `selection` chose from this root.
  ///
  /// Going to a file in an archive may take long; the operation can be stopped there.
  package func contents(
    of selection: Selection, _ work: Work
  ) throws(PackError) -> any SourceContents {
    switch storage {
    case .folder(let tree):
      return FolderContents(selection, in: tree, readAhead: ReadAhead(in: tree))
    case .archive(_, let archive, _):
      return try ArchiveContents(selection, in: archive, name: path, work)
    }
  }
}

extension SourceRoot {
  /// The path of a manifest's source root.
  ///
  /// What was given on the command line comes first, then the manifest's `sourceRoot`, which is
  /// relative to the folder of the manifest, then the default: the project's, or the current
  /// folder.
  package static func path(
    for document: ManifestDocument, given: String? = nil, defaultRoot: String = "."
  ) -> String {
    if let given { return given }
    guard let root = document.sourceRoot else { return defaultRoot }
    return FilePath(document.source.name).folder.appending(FilePath(root.utf8)).text
  }
}
