import Glibc
import SystemIO

/// Reads the files of a selection out of the folder that it was made from.
///
/// A file is opened inside its folder and never through a link, and must be the very file that the
/// selection saw: what was swapped in between is an error, not an asset.
final class FolderContents: SourceContents {
  private let selection: Selection
  private let tree: FolderTree
  /// The folder of the last file, which is nearly always that of the next one.
  private var folder: (path: ArraySlice<UInt8>, open: OpenFolder)?
  private var file: FileDescriptor?
  private var remaining: UInt64 = 0

  init(_ selection: Selection, in tree: FolderTree) {
    self.selection = selection
    self.tree = tree
  }

  func open(_ index: Int) throws(PackError) {
    let record = selection.records[index]
    let path = selection.sourceBytes(at: index)
    file = nil
    do throws(SystemError) {
      let opened = try open(path)
      let status = try opened.status()
      guard status.kind == .file, status.identity == record.identity, status.size == record.size
      else { throw SystemError("open", opened.path, code: ESTALE) }
      file = consume opened
    } catch {
      throw switch error.code {
      case ESTALE, ENOENT, ELOOP, ENOTDIR: changed(path)
      default: PackError(error, while: .packing)
      }
    }
    remaining = record.size
  }

  func read(into output: inout OutputRawSpan) throws(PackError) -> Int {
    let count: Int
    do throws(SystemError) {
      count = try file?.read(into: &output) ?? 0
    } catch {
      throw PackError(error, while: .packing)
    }
    // Longer than planned, or at its end before that.
    if UInt64(count) > remaining || (count == 0 && remaining > 0 && output.freeCapacity > 0) {
      throw changed(Array((file?.path ?? "").utf8)[...])
    }
    remaining -= UInt64(count)
    return count
  }

  private func open(_ path: ArraySlice<UInt8>) throws(SystemError) -> FileDescriptor {
    let end = path.lastIndex(of: slash)
    let name = FileName(path[(end.map { $0 + 1 } ?? path.startIndex)...])
    let folderPath = path[..<(end ?? path.startIndex)]
    let parent: OpenFolder
    if let folder, folder.path == folderPath {
      parent = folder.open
    } else {
      guard case .folder(let found) = try follow(folderPath.split(separator: slash)) else {
        throw SystemError("open", shownBytes(path), code: ENOTDIR)
      }
      parent = found
      folder = (folderPath, parent)
    }
    do throws(SystemError) {
      return try parent.descriptor.open(name, for: .reading)
    } catch {
      guard error.code == ELOOP else { throw error }
    }
    // The name is a link: what it leads to is opened where it is.
    guard case .file(let real, _, let place) = try follow(path.split(separator: slash)) else {
      throw SystemError("open", shownBytes(path), code: EISDIR)
    }
    return try place.descriptor.open(real, for: .reading)
  }

  private func follow(_ path: [ArraySlice<UInt8>]) throws(SystemError) -> Found<OpenFolder> {
    do throws(LookupTrouble) {
      return try tree.lookUp(path.map { FileName($0) }, from: tree.root)
    } catch {
      if case .system(let error) = error { throw error }
      throw SystemError("open", shownBytes(path.joined(separator: [slash])), code: ESTALE)
    }
  }

  private func changed(_ path: ArraySlice<UInt8>) -> PackError {
    PackError(
      .changed, "'\(shownBytes(path))' changed while it was being packed",
      remedy: "run again when nothing writes to it")
  }
}
