import SourceDiagnostics
import SystemIO

/// The format of a file, detected by its first bytes.
///
/// The readers of packs, manifests and source roots use it for messages about files of another
/// format.
package enum FileFormat: Equatable, Sendable {
  /// An asset pack, or another archive of the same format.
  case pack
  /// An encrypted or signed Apple Archive.
  case sealed
  /// An archive that `pack` accepts as a source root; its format, with an article.
  case archive(String)
  /// An archive of a format that `pack` does not read; its format, with an article.
  case otherArchive(String)
  /// A manifest: the JSON file that describes a pack.
  case manifest
  /// A download manifest: the JSON file with the packs of a server.
  case downloadManifest
  case text
  /// Probably a damaged text: it contains control characters or invalid UTF-8.
  case garbled
  case binary
  case empty

  /// The number of bytes that are necessary to detect the format.
  package static let startSize = 64 << 10

  /// Detects the format of a file that begins with these bytes, at most ``startSize``.
  package init(_ start: [UInt8]) {
    if start.isEmpty {
      self = .empty
    } else if let (_, name) = Self.archives.first(where: { start.starts(with: $0.mark) }) {
      self = .archive(name)
    } else if let (_, _, name) = Self.otherArchives.first(where: {
      start.dropFirst($0.place).starts(with: $0.mark)
    }) {
      self = .otherArchive(name)
    } else if Self.packs.contains(where: { start.starts(with: $0) }) {
      self = .pack
    } else if start.starts(with: Array("AEA1".utf8)) {
      self = .sealed
    } else if start.count >= 512, start[257..<262].elementsEqual("ustar".utf8),
      !Self.beginsLikeJSON(start)
    {
      self = .archive("a tar archive")
    } else if Self.isBinary(start) {
      self = .binary
    } else if [ManifestKeys.assetPackID, ManifestKeys.fileSelectors].allSatisfy({
      start.holds(Array($0.name.utf8))
    }) {
      self = .manifest
    } else if start.holds("\"assetPacks\"") {
      self = .downloadManifest
    } else {
      self = Self.isGarbled(start) ? .garbled : .text
    }
  }

  /// The name of the format, with an article.
  package var phrase: String {
    switch self {
    case .pack: "an Apple Archive"
    case .sealed: "an encrypted or signed Apple Archive (AEA)"
    case .archive(let name), .otherArchive(let name): name
    case .manifest: "a manifest"
    case .downloadManifest: "a download manifest"
    case .text: "a text"
    case .garbled, .binary: "a binary file"
    case .empty: "empty"
    }
  }

  private static let packs = ["pbz", "AA01", "YAA1"].map { Array($0.utf8) }

  private static let archives: [(mark: [UInt8], name: String)] = [
    ([0x50, 0x4B, 0x03, 0x04], "a ZIP archive"), ([0x50, 0x4B, 0x05, 0x06], "a ZIP archive"),
    ([0x1F, 0x8B], "a gzip archive"), (Array("BZh".utf8), "a bzip2 archive"),
    ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], "an xz archive"),
    ([0x28, 0xB5, 0x2F, 0xFD], "a Zstandard archive"),
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7-Zip archive"),
  ]

  private static let otherArchives: [(mark: [UInt8], place: Int, name: String)] = [
    (Array("Rar!\u{1A}\u{7}".utf8), 0, "a RAR archive"),
    (Array("xar!".utf8), 0, "a xar archive"), (Array("MSCF".utf8), 0, "a cabinet archive"),
    (Array("070701".utf8), 0, "a cpio archive"), (Array("070702".utf8), 0, "a cpio archive"),
    (Array("070707".utf8), 0, "a cpio archive"), (Array("-lh5-".utf8), 2, "an LHA archive"),
    ([0x04, 0x22, 0x4D, 0x18], 0, "an LZ4 archive"),
    (Array("CD001".utf8), 16 * 2048 + 1, "an ISO image"),
  ]

  /// The remedy for an archive that cannot be a source root.
  private static let remedyForOtherArchive: Remedy =
    "unpack it, or use a .zip, .7z or .tar archive (plain, gzip, bzip2, xz or zstd)"

  /// Returns whether a text contains control characters, or is neither UTF-8 nor UTF-16.
  ///
  /// The parser of manifests has better messages for such texts than "a binary file".
  private static func isGarbled(_ bytes: [UInt8]) -> Bool {
    let start = bytes.prefix(1024)
    if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) { return false }
    // The first bytes may end inside a character.
    let cuts = start.count < bytes.count ? 0...3 : 0...0
    let isUTF8 = cuts.contains { String(validating: start.dropLast($0), as: UTF8.self) != nil }
    return !isUTF8 || start.contains { $0 < 0x20 && !(0x09...0x0D).contains($0) && $0 != 0x1B }
  }

  /// Returns whether it begins with a bracket or a comment and is not a tar archive, whose header
  /// contains NULs.
  private static func beginsLikeJSON(_ bytes: [UInt8]) -> Bool {
    let start = bytes.prefix(512)
    let text = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start.dropFirst(3) : start
    let opening = text.first { !($0 == 0x20 || (0x09...0x0D).contains($0)) }
    return [UInt8(ascii: "{"), UInt8(ascii: "["), slash].contains(opening)
      && !start.contains(0)
  }

  /// Returns the place of the first NUL, if the other bytes look like JSON.
  static func onlyNUL(in bytes: [UInt8]) -> Int? {
    guard let place = bytes.firstIndex(of: 0) else { return nil }
    let others = bytes.filter { $0 != 0 }
    guard let first = others.first(where: { $0 > 0x20 }), Array("{[/".utf8).contains(first),
      !isGarbled(others), bytes.count - others.count <= 8
    else { return nil }
    return place
  }

  /// Returns whether there is a NUL near the beginning, which JSON never contains; UTF-16 is text.
  private static func isBinary(_ bytes: [UInt8]) -> Bool {
    let start = bytes.prefix(1024)
    let opening = start.first { !($0 == 0x20 || (0x09...0x0D).contains($0)) }
    let isUTF16 = start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
    return start.contains(0) && opening != UInt8(ascii: "{") && !isUTF16
  }
}

// MARK: - Errors about another format

extension FileFormat {
  /// Returns an error if the file cannot be a pack; nil if it may be one.
  func refusal(asPack name: String) -> PackError? {
    let remedy: Remedy?
    switch self {
    case .pack: return nil
    case .sealed:
      remedy = "decrypt it first on a Mac, with 'aea decrypt' or 'aa extract' and its key"
    case .archive:
      remedy = .useAsSourceRoot(name)
    case .otherArchive: remedy = Self.remedyForOtherArchive
    case .manifest: remedy = .useAsManifest(name)
    case .downloadManifest: remedy = .checkDownloadManifest(name)
    case .text, .garbled, .binary: remedy = nil
    case .empty:
      return PackError(
        .malformed(offset: 0), reading: name, "the file is empty",
        remedies: [.makePack])
    }
    return PackError(
      .malformed(offset: 0), reading: name, "it is \(phrase), not an Apple Archive",
      remedies: remedy.map { [$0] } ?? [])
  }

  /// The remedy if a manifest was expected; nil if the file may be one.
  var remedyAsManifest: Remedy? {
    switch self {
    case .pack: .inspectPack
    case .sealed: "specify a manifest: the JSON file that describes a pack"
    case .archive: .useArchiveAsSourceRoot
    case .otherArchive: Self.remedyForOtherArchive
    case .binary: .startFromTemplate
    case .manifest, .downloadManifest, .text, .garbled, .empty: nil
    }
  }

  /// The remedy if a source root was expected.
  var remedyAsSourceRoot: Remedy {
    switch self {
    case .pack: .unpackFirst
    case .manifest: .passAsManifest
    case .archive, .otherArchive: Self.remedyForOtherArchive
    case .sealed, .downloadManifest, .text, .garbled, .binary, .empty:
      "specify a folder or an archive"
    }
  }
}
