import CSystem
import Glibc

/// Reads a file from its beginning to its end; where it has holes, nothing is read.
///
/// A file system knows which parts of a file were never written. To read them takes as long as if they
/// had been; to fill in the zeros that they stand for, a tenth of it.
package struct SequentialReader: ~Copyable {
  private let file: FileDescriptor
  private let size: UInt64
  private var position: UInt64 = 0
  /// Where the present stretch ends; at the position, the next one is looked for.
  private var end: UInt64
  private var isHole = false

  /// Begins a file, given what is known about it.
  package init(_ file: consuming FileDescriptor, _ status: FileStatus) {
    self.file = file
    size = status.size
    // What is all there is not asked about its holes.
    end = status.allocated < status.size ? 0 : .max
  }

  /// The path of the file, as messages name it.
  package var path: String { file.path }

  /// What the system knows about the file now.
  package func status() throws(Failure) -> FileStatus { try file.status() }

  /// Puts the next bytes into the free space of `output`, once; 0 is the end of the file.
  package mutating func read(into output: inout OutputRawSpan) throws(Failure) -> Int {
    guard output.freeCapacity > 0 else { return 0 }
    if position == end { look() }
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

  /// Finds out what begins at the position: a hole, or data; where the system cannot tell, data.
  private mutating func look() {
    isHole = false
    end = .max
    // Behind what was the end of the file there may be more by now: reading shows it.
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
