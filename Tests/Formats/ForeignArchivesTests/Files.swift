import Foundation
import SystemIO
import Testing

@testable import ForeignArchives

/// A file that a test uses during a call; one for writing must not exist.
func withFile<Result>(
  at path: String, writing: Bool = false, _ body: (borrowing FileDescriptor) throws -> Result
) throws -> Result {
  if !writing { return try body(FileDescriptor.open(path, for: .reading)) }
  try? FileManager.default.removeItem(atPath: path)
  return try body(FileDescriptor.open(path, for: .creating(permissions: 0o600)))
}

func save(_ bytes: [UInt8], _ path: String) throws {
  try Data(bytes).write(to: URL(filePath: path))
}

func load(_ path: String) throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(filePath: path))) }

/// An entry and its contents.
struct Sample: Equatable {
  var entry: ForeignEntry
  var contents: [UInt8] = []

  var path: String { String(decoding: entry.path, as: UTF8.self) }

  static func file(_ path: String, _ contents: [UInt8], permissions: UInt32 = 0o644) -> Sample {
    Sample(
      entry: ForeignEntry(
        path: Array(path.utf8), kind: .file, size: UInt64(contents.count), permissions: permissions,
        userID: 501, groupID: 20, modified: .init(seconds: 978_307_200, nanoseconds: 0)),
      contents: contents)
  }

  static func folder(_ path: String) -> Sample {
    Sample(
      entry: ForeignEntry(
        path: Array(path.utf8), kind: .directory, permissions: 0o755, userID: 501, groupID: 20,
        modified: .init(seconds: 978_307_200, nanoseconds: 0)))
  }
}

/// Writes samples as an archive in the format of its name; returns the number of times that were
/// out of range.
@discardableResult func export(_ samples: [Sample], to path: String) throws -> Int {
  try withFile(at: path, writing: true) { file in
    let format = try #require(ForeignFormat(fileName: path))
    var writer = try ForeignArchiveWriter(file, format: format, name: path)
    for sample in samples {
      try writer.begin(sample.entry)
      try unsafe writer.write(sample.contents.span.bytes)
    }
    let moved = writer.movedTimeCount
    try writer.finish()
    return moved
  }
}

extension ForeignContents {
  /// Fills the start of `bytes`; 0 at the end of the entry.
  mutating func read(into bytes: inout [UInt8]) throws(Failure) -> Int {
    try bytes.fill { (output) throws(Failure) in try read(into: &output) }
  }
}

/// Reads the contents of entries, in the order given.
func contents(of path: String, _ order: [Int], buffer: Int = 100_000) throws -> [[UInt8]] {
  try withFile(at: path) { file in
    var contents = try ForeignContents(file, name: path, order: order, .unstoppable)
    var all: [[UInt8]] = []
    for index in order {
      try contents.open(index)
      var one: [UInt8] = []
      var scratch = [UInt8](repeating: 0, count: buffer)
      while true {
        let count = try contents.read(into: &scratch)
        if count == 0 { break }
        one += scratch.prefix(count)
      }
      all.append(one)
    }
    return all
  }
}

func listing(of path: String, named name: String = "a.tar") throws -> ForeignListing {
  try withFile(at: path) { try ForeignListing($0, name: name, .unstoppable) }
}

extension ForeignEntry {
  /// Its path, for comparing with a text.
  var name: String { String(decoding: path, as: UTF8.self) }
}
