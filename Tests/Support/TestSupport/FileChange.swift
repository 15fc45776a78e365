import Foundation
import Glibc

/// A way in which another program changes a file while it is read.
package enum FileChange: String, CaseIterable, Sendable {
  case overwrite, overwriteAndSetTimeBack, rename, truncate, append
  /// A write through a mapping with dirty pages, which leaves no time stamp.
  case mapping
}

/// A file that a test changes.
package final class ChangingFile {
  private let path: String
  private var mapping: FileMapping?

  /// Creates a file to change; for a change through a mapping, maps the file with dirty pages.
  package init(_ path: String, by change: FileChange) throws {
    self.path = path
    if change == .mapping { mapping = try FileMapping(path) }
  }

  /// Changes the file; changes of single bytes are at the offsets `places`.
  package func apply(_ change: FileChange, at places: [Int]) throws {
    var before = stat()
    _ = unsafe stat(path, &before)
    switch change {
    case .overwrite, .overwriteAndSetTimeBack:
      try edit { file in
        for place in places {
          try file.seek(toOffset: UInt64(place))
          try file.write(contentsOf: Data([0xEE, 0xEE]))
        }
      }
      guard change == .overwriteAndSetTimeBack else { return }
      var times = [before.st_atim, before.st_mtim]
      _ = unsafe utimensat(AT_FDCWD, path, &times, 0)
    case .rename:
      var bytes = try Data(contentsOf: URL(filePath: path))
      for place in places { bytes[place] ^= 0xFF }
      try bytes.write(to: URL(filePath: path + ".other"))
      _ = unsafe Glibc.rename(path + ".other", path)
    case .truncate: _ = unsafe Glibc.truncate(path, Int(before.st_size) / 2)
    case .append:
      try edit { file in
        try file.seekToEnd()
        try file.write(contentsOf: Data([1]))
      }
    case .mapping: for place in places { mapping?.flip(place) }
    }
  }

  private func edit(_ body: (FileHandle) throws -> Void) throws {
    let file = try FileHandle(forUpdating: URL(filePath: path))
    defer { try? file.close() }
    try body(file)
  }
}

/// A shared mapping of a file with only dirty pages, so that a write leaves no time stamp.
@safe private final class FileMapping {
  private let address: UnsafeMutableRawPointer
  private let size: Int

  struct Missing: Error {}

  init(_ path: String) throws {
    let file = unsafe open(path, O_RDWR)
    defer { close(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0,
      let found = unsafe mmap(
        nil, Int(status.st_size), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
      unsafe found != MAP_FAILED
    else { throw Missing() }
    size = Int(status.st_size)
    unsafe address = found
    for place in stride(from: 0, to: size, by: 4096) { flip(place, by: 0) }
  }

  deinit { unsafe munmap(address, size) }

  func flip(_ place: Int, by bits: UInt8 = 0xFF) {
    let byte = unsafe address.load(fromByteOffset: place, as: UInt8.self)
    unsafe address.storeBytes(of: byte ^ bits, toByteOffset: place, as: UInt8.self)
  }
}
