import BAPackKit
import FoundationEssentials
import SourceDiagnostics
import SystemIO
import TerminalText

/// The files of packs with their digests, as `list --digests` prints them: in the form of `sha256sum`,
/// with the name of each pack above its files if there are several, or a JSON object a line.
struct DigestList {
  /// The packs, each called like its file; when they are downloaded is not known.
  let packs: [InventoryPack]

  /// Whether a text may be one.
  static func begins(_ start: [UInt8]) -> Bool {
    let line = start.prefix { $0 != UInt8(ascii: "\n") }
    return ChecksumList.line(line) != nil || title(line) != nil
      || line.starts(with: Array(#"{"pack":"#.utf8))
  }

  /// Reads a list; messages use the name.
  init(parsing bytes: [UInt8], named name: String) throws(PackError) {
    var reading = Reading(name: name)
    var number = 0
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if line.isEmpty { continue }
      guard try reading.take(line) else {
        throw PackError(
          .malformed(offset: nil),
          "line \(number) of '\(name)' is none of a list of digests",
          remedy: "make the list again, of the packs as they were released")
      }
    }
    packs = reading.finished()
  }

  /// The path in a line that says which pack follows.
  private static func title(_ line: ArraySlice<UInt8>) -> String? {
    guard line.last == UInt8(ascii: ":"), line.count > 5,
      line.dropLast().suffix(4).elementsEqual(".aar".utf8)
    else { return nil }
    return String(decoding: line.dropLast(), as: UTF8.self)
  }

  private struct Reading {
    let name: String
    var packs: [(place: String, contents: PackContents, knowsSizes: Bool)] = []
    private var places: [String: Int] = [:]

    init(name: String) { self.name = name }

    private mutating func index(of place: String) -> Int {
      if let index = places[place] { return index }
      places[place] = packs.count
      packs.append((place, PackContents(), true))
      return packs.count - 1
    }

    mutating func take(_ line: ArraySlice<UInt8>) throws(PackError) -> Bool {
      if line.first == UInt8(ascii: "{") { return takeObject(line) }
      if let title = DigestList.title(line) {
        _ = index(of: title)
        return true
      }
      guard let entry = ChecksumList.line(line) else { return false }
      let at = packs.isEmpty ? index(of: name) : packs.count - 1
      packs[at].contents.append(entry.path[...], size: 0, digest: entry.digest)
      packs[at].knowsSizes = false
      return true
    }

    private mutating func takeObject(_ line: ArraySlice<UInt8>) -> Bool {
      let document = JSONDocument(parsing: SourceText(Array(line), named: name))
      guard let members = document.root, let pack = members["pack"]?.string,
        let path = members["path"]?.string
      else { return false }
      guard members["type"]?.string == "file" else { return true }
      guard let size = members["size"]?.number.flatMap({ UInt64($0) }),
        let digest = members["sha256"]?.string.flatMap(Verification.digest(fromHexadecimal:))
      else { return false }
      let bytes =
        members["pathBase64"]?.string.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
        ?? Array(path.utf8)
      packs[index(of: pack)].contents.append(bytes[...], size: size, digest: digest)
      return true
    }

    func finished() -> [InventoryPack] {
      packs.map { place, contents, knowsSizes in
        var contents = contents
        contents.sort()
        var name = FilePath(FilePath(place).name.bytes).text
        if let dot = name.lastIndex(of: "."), dot > name.startIndex { name = String(name[..<dot]) }
        var pack = InventoryPack(PackID(name), place: place)
        pack.contents = contents
        pack.knowsSizes = knowsSizes
        return pack
      }
    }
  }
}
