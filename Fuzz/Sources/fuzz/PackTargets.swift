@testable import BAPackKit
import Foundation
import SystemIO

extension FuzzTarget {
  /// Hostile bytes as a pack: entries that are as long as they say, or an error, and the same again.
  static let packRead = FuzzTarget(name: "pack-read") { bytes in
    let first = read(bytes, threads: 1)
    require(first == read(bytes, threads: 1), "reading twice gives the same")
    require(first == read(bytes, threads: 2), "two threads read what one reads")
  }

  /// Hostile bytes as one block of any container: an error, or exactly what the header declares.
  static let packBlock = FuzzTarget(name: "pack-block") { bytes in
    guard bytes.count > 3 else { return }
    let letters = Array("e4zxb-".utf8)
    let raw = Int(bytes[1]) | Int(bytes[2]) << 8
    func number(_ value: Int) -> [UInt8] {
      (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
    }
    let payload = bytes.dropFirst(3)
    let pack =
      Array("pbz".utf8) + [letters[Int(bytes[0]) % letters.count]] + number(1 << 16) + number(raw)
      + number(payload.count) + payload
    require(read(pack, threads: 1) == read(pack, threads: 1), "decoding twice gives the same")
  }

  /// Hostile bytes unpacked: everything or nothing, nothing elsewhere, and all that `verify` passes.
  static let packExtract = FuzzTarget(name: "pack-extract") { bytes in
    let files = FileManager.default
    let root = "/dev/shm/ba-package-fuzz-\(getpid())"
    try? files.removeItem(atPath: root)
    try? files.createDirectory(atPath: root + "/inner", withIntermediateDirectories: true)
    _ = files.createFile(atPath: root + "/a.aar", contents: Data(bytes))
    let isRight =
      (try? Verification().verify(root + "/a.aar", .unstoppable)).map { !$0.hasErrors } ?? false
    for scope in [Extraction.Scope.contents, .everything] {
      var extraction = Extraction()
      extraction.scope = scope
      let summary = try? extraction.extract(
        root + "/a.aar", into: root + "/inner/out", .unstoppable)
      require(!isRight || summary != nil, "what verify finds right is unpacked")
      let inner = (try? files.contentsOfDirectory(atPath: root + "/inner")) ?? []
      require(inner == (summary == nil ? [] : ["out"]), "everything or nothing: \(inner)")
      let outer = (try? files.contentsOfDirectory(atPath: root)) ?? []
      require(Set(outer) == ["a.aar", "inner"], "nothing elsewhere: \(outer)")
      let found = (try? files.subpathsOfDirectory(atPath: root + "/inner/out")) ?? []
      require(
        summary.map { $0.fileCount <= found.count } ?? true, "what is counted is there")
      try? files.removeItem(atPath: root + "/inner/out")
    }
    try? files.removeItem(atPath: root)
  }

  /// Some of a hostile pack, read here and there as 32 bytes say: what reading all of it shows.
  static let packWalk = FuzzTarget(name: "pack-walk") { bytes in
    guard bytes.count > 32 else { return }
    let violation = PackWalkProperty.violation(
      in: Array(bytes.dropFirst(32)), walkedBy: Array(bytes.prefix(32)))
    require(violation == nil, violation ?? "")
  }

  /// Hostile bytes as the names of files, packed and unpacked.
  static let names = FuzzTarget(name: "names") { bytes in
    let folder = "/dev/shm/ba-package-names-\(getpid())"
    try? FileManager.default.removeItem(atPath: folder)
    let violation = NamesProperty.violation(of: bytes, in: folder)
    try? FileManager.default.removeItem(atPath: folder)
    require(violation == nil, violation ?? "")
  }

  /// Paths, sizes and bytes of all entries, or the words of the error behind those before it.
  private static func read(_ bytes: [UInt8], threads: Int) -> [String] {
    var read: [String] = []
    do throws(PackError) {
      var reader = try PackReader(bytes, named: "pack", threads: threads)
      while let entry = try reader.nextEntry() {
        var count: UInt64 = 0
        var sum: UInt64 = 0
        try reader.readContents { piece in
          count += UInt64(piece.byteCount)
          for index in 0..<piece.byteCount {
            sum =
              sum &* 31 &+ UInt64(unsafe piece.unsafeLoad(fromByteOffset: index, as: UInt8.self))
          }
        }
        require(count == entry.size ?? 0, "contents are as long as the header says")
        read.append("\(entry.path) \(entry.kind) \(count) \(sum)")
      }
    } catch {
      read.append(error.message)
    }
    return read
  }
}
