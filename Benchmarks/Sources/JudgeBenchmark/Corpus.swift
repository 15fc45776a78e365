import Foundation

/// The files below a folder, joined in path order, in blocks of 1 MiB as in a pack.
struct Corpus {
  static let blockSize = 1 << 20
  let paths: [String]

  init(folder: String) {
    let names = FileManager.default.enumerator(atPath: folder)
    var found: [String] = []
    for case let name as String in names ?? FileManager.DirectoryEnumerator() {
      var isFolder: ObjCBool = false
      let path = "\(folder)/\(name)"
      if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
        found.append(path)
      }
    }
    paths = found.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Calls `body` with each block and its number.
  func forEachBlock(_ body: (Int, [UInt8]) throws -> Void) throws {
    var pending: [UInt8] = []
    var number = 0
    for path in paths {
      pending += try Data(contentsOf: URL(filePath: path))
      var start = 0
      while pending.count - start >= Self.blockSize {
        try body(number, Array(pending[start..<start + Self.blockSize]))
        number += 1
        start += Self.blockSize
      }
      pending.removeFirst(start)
    }
    if !pending.isEmpty { try body(number, pending) }
  }
}
