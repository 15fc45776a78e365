package import BAPackKit
import FoundationEssentials
import SourceDiagnostics
import SystemIO
import TerminalText

/// The files of packs with their digests, as `list --digests` prints them: in the format of
/// `sha256sum`, with a comment that contains the ID of each pack before its files, or as one JSON
/// object per line.
package struct DigestList {
  /// The packs; their policies are unknown.
  ///
  /// A list from another program contains no IDs: see ``InventoryPack/isNamedByFile``.
  let packs: [InventoryPack]

  private static let commentStart = "# \(Manifest.key(of: \.assetPackID)): "

  /// Returns the line before the files of a pack.
  package static func comment(naming id: PackID) -> String {
    commentStart + JSONWriter.string(.string(id.text), .compact)
  }

  /// The line in a list that omits files of its packs; such a list cannot be compared.
  package static let partComment = "# only some of the files"
  /// The key of a JSON object with the same meaning.
  package static let partKey = "partial"

  /// Whether a text may be a list of digests.
  static func begins(_ start: [UInt8]) -> Bool {
    let line = start.prefix { $0 != UInt8(ascii: "\n") }
    return ChecksumList.line(line) != nil || title(line) != nil || id(line) != nil
      || line.elementsEqual(partComment.utf8) || line.starts(with: Array(#"{"pack":"#.utf8))
  }

  /// Parses a list; `name` is used in messages.
  init(parsing bytes: [UInt8], named name: String) throws(PackError) {
    var reading = Reading(name: name)
    var number = 0
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      number += 1
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if line.isEmpty { continue }
      guard try reading.append(line) else {
        throw PackError(
          .malformed(offset: nil),
          "line \(number) of '\(name)' is not a line of a list of digests",
          remedy: "create the list again, from the released packs")
      }
    }
    packs = reading.finished()
  }

  /// Returns the path in a line that begins a pack.
  private static func title(_ line: ArraySlice<UInt8>) -> String? {
    guard line.last == UInt8(ascii: ":"), line.count > 5,
      line.dropLast().suffix(4).elementsEqual(".aar".utf8)
    else { return nil }
    return String(decoding: line.dropLast(), as: UTF8.self)
  }

  /// Returns the ID in a comment before the files of a pack.
  private static func id(_ line: ArraySlice<UInt8>) -> PackID? {
    guard line.starts(with: commentStart.utf8) else { return nil }
    let value = SourceText(Array(line.dropFirst(commentStart.utf8.count)), named: "")
    return JSONDocument(parsing: value).root?.string.map { PackID($0) }
  }

  private struct Reading {
    private struct Listed {
      var place: String
      var id: PackID?
      var contents = PackContents()
      var hasSizes = true
    }

    let name: String
    private var packs: [Listed] = []
    private var places: [String: Int] = [:]

    init(name: String) { self.name = name }

    private mutating func index(of place: String) -> Int {
      if let index = places[place] { return index }
      places[place] = packs.count
      packs.append(Listed(place: place))
      return packs.count - 1
    }

    mutating func append(_ line: ArraySlice<UInt8>) throws(PackError) -> Bool {
      if line.first == UInt8(ascii: "{") { return try takeObject(line) }
      if let title = DigestList.title(line) {
        _ = index(of: title)
        return true
      }
      if line.first == UInt8(ascii: "#") {
        if line.elementsEqual(DigestList.partComment.utf8) { throw partRefusal }
        if let id = DigestList.id(line) { begin(id) }
        return true
      }
      guard let entry = ChecksumList.line(line) else { return false }
      let at = packs.isEmpty ? index(of: name) : packs.count - 1
      packs[at].contents.append(AssetPath(unchecked: entry.path), size: 0, digest: entry.digest)
      packs[at].hasSizes = false
      return true
    }

    /// Begins a pack: the ID belongs to the preceding title, or begins a pack without a title.
    private mutating func begin(_ id: PackID) {
      if packs.last.map({ $0.id != nil || $0.contents.count > 0 }) ?? true {
        packs.append(Listed(place: name))
      }
      packs[packs.count - 1].id = id
    }

    /// The error for a partial list, whose omitted files would be reported as added or removed.
    private var partRefusal: PackError {
      PackError(
        .malformed(offset: nil), "'\(name)' contains only some of the files of its packs",
        remedy: "create the list again with all files of the packs")
    }

    private mutating func takeObject(_ line: ArraySlice<UInt8>) throws(PackError) -> Bool {
      let document = JSONDocument(parsing: SourceText(Array(line), named: name))
      guard let members = document.root, let pack = members["pack"]?.string,
        let path = members["path"]?.string
      else { return false }
      if members[DigestList.partKey] != nil { throw partRefusal }
      let at = index(of: pack)
      if let id = members[Manifest.key(of: \.assetPackID)]?.string { packs[at].id = PackID(id) }
      guard members["type"]?.string == "file" else { return true }
      guard let size = members["size"]?.number.flatMap({ UInt64($0) }),
        let digest = members["sha256"]?.string.flatMap({ [UInt8](hexadecimal: $0, count: 32) })
      else { return false }
      let bytes =
        members["pathBase64"]?.string.flatMap { Data(base64Encoded: $0) }.map { Array($0) }
        ?? Array(path.utf8)
      packs[at].contents.append(AssetPath(unchecked: bytes), size: size, digest: digest)
      return true
    }

    func finished() -> [InventoryPack] {
      packs.map { listed in
        var contents = listed.contents
        contents.sort()
        var pack = InventoryPack(listed.id ?? PackID(listed.place.fileStem), place: listed.place)
        pack.contents = contents
        pack.hasSizes = listed.hasSizes
        pack.isNamedByFile = listed.id == nil
        return pack
      }
    }
  }
}

extension Inventory {
  /// Returns the inventory with the IDs of packs that are named only by files: the IDs of packs of
  /// `other` with the same file name.
  ///
  /// A pack without a counterpart is an error, because it would be reported as removed.
  func identified(by other: Inventory) throws(PackError) -> Inventory {
    guard packs.contains(where: \.isNamedByFile) else { return self }
    var ids: [String: Set<PackID>] = [:]
    for pack in other.packs {
      ids[pack.place.fileStem, default: []].insert(pack.id)
      ids[pack.id.text, default: []].insert(pack.id)
    }
    var taken: Set<PackID> = []
    var named: [InventoryPack] = []
    for var pack in packs {
      if pack.isNamedByFile {
        guard let found = ids[pack.place.fileStem], found.count == 1, let id = found.first,
          taken.insert(id).inserted
        else {
          throw PackError(
            .ambiguous,
            "'\(name)' contains no ID for a pack, and no pack has the file name "
              + "'\(pack.place)'",
            remedy: "create the list again with this program, which adds the ID")
        }
        pack.id = id
        pack.isNamedByFile = false
      }
      named.append(pack)
    }
    return with(named)
  }
}

extension String {
  /// The file name without its folders and extension.
  fileprivate var fileStem: String {
    let name = FilePath(FilePath(self).name.bytes).text
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }
}
