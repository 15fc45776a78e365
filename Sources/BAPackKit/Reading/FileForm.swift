import SystemIO

/// What a file is, by its first bytes: for messages to whoever gave another one than was meant.
///
/// The one place that knows marks of formats. What reads packs, manifests and source roots asks it
/// when a file is not theirs.
enum FileForm: Equatable {
  /// What this program makes and reads.
  case pack
  /// An archive of Apple's inside an encrypted or signed envelope.
  case sealed
  /// An archive that `pack` takes as a source root, with an article.
  case archive(String)
  /// The JSON text that says what a pack is.
  case manifest
  /// What a server of one's own serves.
  case downloadManifest
  case text
  /// What may be meant as a text, but has characters that no text has.
  case garbled
  case binary
  case empty

  /// How many bytes tell.
  static let startSize = 64 << 10

  /// Recognises a file that starts with these bytes, at most ``startSize``.
  init(_ start: [UInt8]) {
    if start.isEmpty {
      self = .empty
    } else if let (_, name) = Self.archives.first(where: { start.starts(with: $0.mark) }) {
      self = .archive(name)
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
    } else if start.holds("assetPackID"), start.holds("fileSelectors") {
      self = .manifest
    } else if start.holds("\"assetPacks\"") {
      self = .downloadManifest
    } else {
      self = Self.isGarbled(start) ? .garbled : .text
    }
  }

  /// It in words, with an article.
  var words: String {
    switch self {
    case .pack: "an Apple Archive"
    case .sealed: "an encrypted or signed Apple Archive (AEA)"
    case .archive(let name): name
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
    ([0x04, 0x22, 0x4D, 0x18], "an LZ4 archive"),
    ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7-Zip archive"),
    (Array("Rar!\u{1A}\u{7}".utf8), "a RAR archive"), (Array("xar!".utf8), "a xar archive"),
    (Array("MSCF".utf8), "a cabinet archive"), (Array("070701".utf8), "a cpio archive"),
  ]

  /// Whether a text has control characters, or bytes that are neither UTF-8 nor UTF-16.
  ///
  /// The parser of manifests explains such texts better than the answer "a binary file" would.
  private static func isGarbled(_ bytes: [UInt8]) -> Bool {
    let start = bytes.prefix(1024)
    if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) { return false }
    // The beginning may end in the middle of a character.
    let cuts = start.count < bytes.count ? 0...3 : 0...0
    let isUTF8 = cuts.contains { String(validating: start.dropLast($0), as: UTF8.self) != nil }
    return !isUTF8 || start.contains { $0 < 0x20 && !(0x09...0x0D).contains($0) && $0 != 0x1B }
  }

  /// A bracket or a comment, and no NUL where the header of a tar archive has many.
  private static func beginsLikeJSON(_ bytes: [UInt8]) -> Bool {
    let start = bytes.prefix(512)
    let text = start.starts(with: [0xEF, 0xBB, 0xBF]) ? start.dropFirst(3) : start
    let opening = text.first { !($0 == 0x20 || (0x09...0x0D).contains($0)) }
    return [UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "/")].contains(opening)
      && !start.contains(0)
  }

  /// Whether there is a NUL near the beginning, which JSON never has; UTF-16 counts as text.
  private static func isBinary(_ bytes: [UInt8]) -> Bool {
    let start = bytes.prefix(1024)
    let opening = start.first { !($0 == 0x20 || (0x09...0x0D).contains($0)) }
    let isUTF16 = start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF])
    return start.contains(0) && opening != UInt8(ascii: "{") && !isUTF16
  }
}

// MARK: - Where another kind of file was meant

extension FileForm {
  /// Why this cannot be read as a pack; nil for one that may be.
  func refusal(asPack name: String) -> PackError? {
    let remedy: Remedy?
    switch self {
    case .pack: return nil
    case .sealed:
      remedy = "open it first, on a Mac: 'aea decrypt' or 'aa extract' with its key"
    case .archive:
      remedy = .useAsSourceRoot(name)
    case .manifest: remedy = .useAsManifest(name)
    case .downloadManifest: remedy = .checkDownloadManifest(name)
    case .text, .garbled, .binary: remedy = nil
    case .empty:
      return PackError(
        .malformed(offset: 0), "cannot read '\(name)': the file is empty: it is no asset pack",
        remedy: .makePack)
    }
    return PackError(
      .malformed(offset: 0), "cannot read '\(name)': it is \(words), not an Apple Archive",
      remedy: remedy)
  }

  /// What to do with this when a manifest was meant; nil for what may be one.
  var remedyAsManifest: Remedy? {
    switch self {
    case .pack: .inspectPack
    case .sealed: "a manifest is the JSON text that a pack is made from"
    case .archive: .useAsSourceRoot(nil)
    case .binary: .startFromTemplate
    case .manifest, .downloadManifest, .text, .garbled, .empty: nil
    }
  }

  /// What to do with this when a source root was meant.
  var remedyAsSourceRoot: Remedy {
    switch self {
    case .pack: .unpackFirst
    case .manifest: .nameAsManifest
    case .sealed, .archive, .downloadManifest, .text, .garbled, .binary, .empty:
      "name a folder or an archive"
    }
  }
}

extension ByteSource {
  /// Refuses what is no pack, and says what it is instead.
  func checkIsPack() throws(PackError) {
    let form = try during(.reading) { () throws(Failure) in
      // Nothing more is read of what is a pack.
      let few = FileForm(try read(at: 0, count: 4))
      return few == .pack ? few : FileForm(try read(at: 0, count: FileForm.startSize))
    }
    if let refusal = form.refusal(asPack: name) { throw refusal }
  }
}
