import CSystem
import Glibc

/// Reads a file from its start to its end without reading its holes.
///
/// A file system records which parts of a file were never written (`lseek` with `SEEK_DATA`).
/// Reading such a part takes the same time as reading data. Writing its zeros to memory instead
/// takes a tenth of that time.
package struct SequentialReader: ~Copyable {
  private let file: FileDescriptor
  private let size: UInt64
  private var position: UInt64 = 0
  /// The end of the current extent of data, or hole; the next one begins there.
  private var end: UInt64
  private var isHole = false

  /// Creates a reader of a file that has this status.
  package init(_ file: consuming FileDescriptor, _ status: FileStatus) {
    self.file = file
    size = status.size
    // If the status shows no holes, the file is not searched for them.
    end = status.allocated < status.size ? 0 : .max
  }

  /// The path of the file, as messages name it.
  package var path: String { file.path }

  /// Returns the current status of the file.
  package func status() throws(Failure) -> FileStatus { try file.status() }

  /// Reads the next bytes into the free space of `output`, once; returns 0 at the end of the file.
  package mutating func read(into output: inout OutputRawSpan) throws(Failure) -> Int {
    guard output.freeCapacity > 0 else { return 0 }
    if position == end { fill() }
    let limit = Int(clamping: end - position)
    let count: Int
    if isHole {
      count = min(limit, output.freeCapacity)
      unsafe output.append(repeating: 0, count: count, as: UInt8.self)
    } else {
      count = try file.read(into: &output, at: position, upTo: limit)
    }
    position += UInt64(count)
    return count
  }

  /// Determines whether data or a hole begins at the position; if the system does not report it, it
  /// is data.
  private mutating func fill() {
    isHole = false
    end = .max
    // The file may have grown since its status was read, so bytes after that size are read as data.
    guard position < size else { return }
    let data: UInt64
    do throws(Failure) {
      data = try seek(Int32(seek_data))
    } catch {
      guard error.code == ENXIO else { return }
      data = size
    }
    if data > position {
      isHole = true
      end = min(data, size)
    } else if let hole = try? seek(Int32(seek_hole)), hole > position {
      end = hole
    }
  }

  private func seek(_ whence: Int32) throws(Failure) -> UInt64 {
    UInt64(try perform(.seek, path) { lseek(file.number, off_t(clamping: position), whence) })
  }
}
