import Foundation
import Glibc
package import SystemIO

extension TemporaryFolder {
  /// Returns the path of a file in the folder.
  package func path(_ name: String) -> String { path + (path.hasSuffix("/") ? "" : "/") + name }

  /// Returns the path as a value.
  package func filePath(_ name: String) -> FilePath { FilePath(path(name)) }

  /// Creates a folder and its parent folders.
  package func makeFolder(_ name: String, mode: UInt32 = 0o755) throws {
    try FileManager.default.createDirectory(
      atPath: path(name), withIntermediateDirectories: true)
    try check(name, unsafe chmod(path(name), mode))
  }

  /// Creates a file, and its parent folders.
  package func makeFile(_ name: String, _ contents: [UInt8], mode: UInt32 = 0o644) throws {
    let flags = O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC
    var descriptor = unsafe open(path(name), flags, 0o644)
    // Most folders exist, and checking that takes longer than creating the file.
    if descriptor == -1, errno == ENOENT, let slash = name.lastIndex(of: "/") {
      try makeFolder(String(name[..<slash]))
      descriptor = unsafe open(path(name), flags, 0o644)
    }
    try check(name, descriptor)
    defer { close(descriptor) }
    var rest = contents[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      try check(name, Int32(clamping: count))
      rest = rest.dropFirst(count)
    }
    try check(name, fchmod(descriptor, mode))
  }

  /// Creates a file, and its parent folders.
  package func makeFile(_ name: String, _ text: String = "x", mode: UInt32 = 0o644) throws {
    try makeFile(name, Array(text.utf8), mode: mode)
  }

  /// Creates a file that is one hole except for these bytes at these positions, and its parent
  /// folders.
  package func makeHole(_ name: String, size: Int, _ pieces: (Int, [UInt8])...) throws {
    try makeFile(name, [])
    try check(name, unsafe truncate(path(name), size))
    for (offset, bytes) in pieces { try write(bytes, at: offset, into: name) }
  }

  /// Replaces the bytes of an existing file.
  package func write(_ bytes: [UInt8], at offset: Int, into name: String) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: path(name)))
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }

  /// Writes at the beginning of a file and restores the modification time, as some tools do.
  package func writeKeepingTime(_ bytes: [UInt8], into name: String) throws {
    let before = try FileStatus(ofFileAt: path(name))
    // The clock of a file system ticks some hundred times a second.
    repeat {
      try write(bytes, at: 0, into: name)
      try FileDescriptor.open(path(name), for: .reading).setModified(before.modified)
    } while try FileStatus(ofFileAt: path(name)).changed == before.changed
  }

  /// Creates a file whose path may be other bytes than UTF-8, and its parent folders.
  package func makeFile(named bytes: [UInt8], _ contents: [UInt8] = []) throws {
    for slash in bytes.indices where bytes[slash] == UInt8(ascii: "/") {
      let made = unsafe withPath(Array(bytes[..<slash])) { unsafe mkdir($0, 0o755) }
      if made == -1 && errno != EEXIST { try check("\(bytes)", made) }
    }
    let descriptor = unsafe withPath(bytes) {
      unsafe open($0, O_CREAT | O_WRONLY | O_CLOEXEC, 0o644)
    }
    try check("\(bytes)", descriptor)
    defer { close(descriptor) }
    let written = unsafe contents.withUnsafeBytes {
      unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
    }
    try check("\(bytes)", Int32(clamping: written))
  }

  /// Creates a file that is one hole, whose path may be other bytes than UTF-8.
  package func makeHole(named bytes: [UInt8], size: UInt64) throws {
    try makeFile(named: bytes)
    try check("\(bytes)", unsafe withPath(bytes) { unsafe truncate($0, Int(clamping: size)) })
  }

  /// Returns the size of a file whose path may be other bytes than UTF-8.
  package func size(of bytes: [UInt8]) throws -> UInt64 {
    var status = stat()
    try check("\(bytes)", unsafe withPath(bytes) { unsafe stat($0, &status) })
    return UInt64(clamping: status.st_size)
  }

  private func withPath(_ bytes: [UInt8], _ body: (UnsafePointer<CChar>) -> Int32) -> Int32 {
    unsafe (Array(path("").utf8) + bytes + [0]).withUnsafeBytes { buffer in
      unsafe body(buffer.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self))
    }
  }

  /// Returns the bytes of a file.
  package func contents(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path(name))))
  }

  /// Creates a symbolic link, and its parent folders.
  package func makeLink(_ name: String, to target: String) throws {
    if let slash = name.lastIndex(of: "/") { try makeFolder(String(name[..<slash])) }
    try check(name, unsafe symlink(target, path(name)))
  }

  /// Creates a symbolic link in the folder itself, whose name may be other bytes than UTF-8.
  package func makeLink(named bytes: [UInt8], to target: String) throws {
    try check("\(bytes)", unsafe withPath(bytes) { unsafe symlink(target, $0) })
  }

  /// Creates a pipe.
  package func makePipe(_ name: String) throws { try check(name, unsafe mkfifo(path(name), 0o600)) }

  /// Removes a file, a link, or a folder with its contents.
  package func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: path(name))
  }

  private func check(_ name: String, _ result: Int32) throws {
    if result == -1 { throw TemporaryFolderError(name: name, code: errno) }
  }
}

/// A system error while a test prepared its files.
private struct TemporaryFolderError: Error {
  var name: String
  var code: Int32
}
