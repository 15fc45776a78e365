import BAPackKit
import Foundation
import SystemIO

/// Properties of packs with arbitrary bytes.
package enum PackProperties {
  /// Reading a pack returns entries with the sizes in their headers, or an error, and is
  /// deterministic.
  package static func violation(in bytes: [UInt8]) -> String? {
    let first = Reading(of: bytes, threads: 1)
    if let fault = first.fault { return fault }
    if first != Reading(of: bytes, threads: 1) { return "reading twice gives the same" }
    if first != Reading(of: bytes, threads: 2) { return "two threads read what one reads" }
    return nil
  }

  /// Reading a container with the bytes as its only block has the same properties.
  package static func violation(inBlock bytes: [UInt8]) -> String? {
    guard bytes.count > 3 else { return nil }
    let letters = Array("e4zxb-".utf8)
    let raw = Int(bytes[1]) | Int(bytes[2]) << 8
    func number(_ value: Int) -> [UInt8] {
      (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) }
    }
    let payload = bytes.dropFirst(3)
    let pack =
      Array("pbz".utf8) + [letters[Int(bytes[0]) % letters.count]] + number(1 << 16) + number(raw)
      + number(payload.count) + payload
    let first = Reading(of: pack, threads: 1)
    if let fault = first.fault { return fault }
    return first == Reading(of: pack, threads: 1) ? nil : "decoding twice gives the same"
  }

  /// Extraction writes all entries or none, only inside its folder, and all packs that `verify`
  /// accepts.
  package static func violation(inExtractionOf bytes: [UInt8], in root: String) -> String? {
    let files = FileManager.default
    try? files.createDirectory(atPath: root + "/inner", withIntermediateDirectories: true)
    _ = files.createFile(atPath: root + "/a.aar", contents: Data(bytes))
    let report = try? Verification().verify(root + "/a.aar", .unstoppable)
    let isRight = report.map { !$0.hasErrors } ?? false
    for scope in [Extraction.Scope.contents, .everything] {
      var extraction = Extraction()
      extraction.scope = scope
      let summary = try? extraction.extract(
        root + "/a.aar", into: root + "/inner/out", .unstoppable)
      if isRight, summary == nil { return "a pack without findings is extracted" }
      let inner = (try? files.contentsOfDirectory(atPath: root + "/inner")) ?? []
      if inner != (summary == nil ? [] : ["out"]) { return "everything or nothing: \(inner)" }
      let outer = (try? files.contentsOfDirectory(atPath: root)) ?? []
      if Set(outer) != ["a.aar", "inner"] { return "nothing outside the folder: \(outer)" }
      let found = (try? files.subpathsOfDirectory(atPath: root + "/inner/out")) ?? []
      if let summary, summary.fileCount > found.count { return "all counted files exist" }
      try? files.removeItem(atPath: root + "/inner/out")
    }
    return nil
  }

  /// The result of reading a complete pack.
  private struct Reading: Equatable {
    /// The path, the kind, the size and a checksum of each entry, then the message of an error.
    var lines: [String] = []
    var fault: String?

    init(of bytes: [UInt8], threads: Int) {
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
          if count != entry.size ?? 0 { fault = "contents have the size in the header" }
          lines.append("\(entry.archivePath) \(entry.kind) \(count) \(sum)")
        }
      } catch {
        lines.append(error.message)
      }
    }
  }
}
