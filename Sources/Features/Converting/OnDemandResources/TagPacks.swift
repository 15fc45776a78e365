import AppSide
import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// The packs of the tags: one for each distinct set of tags.
struct TagPacks {
  /// A file or folder in a pack.
  struct Item {
    /// The path relative to the source root.
    var source: FilePath
    var destination: FilePath
    /// The files in it, if it is a folder.
    var folder: [FilePath]?
    var span: SourceSpan?

    /// Whether it is a folder to which the developer exports catalog items.
    var isExport = false

    /// Returns the folder to which the developer exports items of a compiled catalog: each item
    /// into a folder with its name.
    static func exported(_ catalog: FileName, span: SourceSpan?) -> Item {
      let name = catalog.bytes.lastIndex(of: UInt8(ascii: ".")).map { catalog.bytes[..<$0] }
      let folder = FileName(name.map { Array($0) } ?? catalog.bytes)
      return Item(
        source: FilePath("Exported").appending(folder), destination: FilePath("."), folder: [],
        span: span, isExport: true)
    }

    /// The files with their source and destination paths.
    var files: [(source: FilePath, destination: FilePath)] {
      guard let folder else { return [(source, destination)] }
      return folder.map { (source.appending($0), destination.appending($0)) }
    }
  }

  struct Pack {
    /// The tags, sorted by their bytes.
    var tags: [String]
    var language: LanguageTag?
    /// The earliest of the targets' policies.
    var policy: DownloadPolicy
    /// The policy of each target.
    var policies: [(target: String, policy: DownloadPolicy)] = []
    var items: [Item] = []
    var id = ""
  }

  /// The download policies of tags.
  struct Schedule {
    var initialInstall: Set<String> = []
    var prefetched: [String] = []

    init(_ initialInstall: [SettingElement] = [], _ prefetched: [SettingElement] = []) {
      self.initialInstall = Set(initialInstall.map(\.text))
      self.prefetched = prefetched.map(\.text)
    }

    /// Returns the earliest policy of a pack's tags, because a request for one tag requires the
    /// whole pack.
    func policy(for tags: Set<String>) -> DownloadPolicy {
      let events = Set(InstallationEvent.allCases)
      if tags.contains(where: { initialInstall.contains($0) }) { return .essential(events) }
      if tags.contains(where: { prefetched.contains($0) }) { return .prefetch(events) }
      return .onDemand
    }
  }

  private(set) var packs: [Pack] = []
  private var indices: [Key: Int] = [:]

  private struct Key: Hashable {
    var tags: [String]
    var language: LanguageTag?
  }

  mutating func add(
    _ item: Item, _ tags: Set<String>, language: LanguageTag? = nil,
    _ policies: [(target: String, policy: DownloadPolicy)]
  ) {
    let key = Key(tags: Self.sorted(tags), language: language)
    let index = indices[key] ?? packs.count
    if index == packs.count {
      indices[key] = index
      packs.append(Pack(tags: key.tags, language: language, policy: .onDemand))
    }
    packs[index].items.append(item)
    for own in policies {
      if own.policy.isEarlier(than: packs[index].policy) { packs[index].policy = own.policy }
      let isKnown = packs[index].policies.contains {
        $0.target == own.target && $0.policy == own.policy
      }
      if !isKnown { packs[index].policies.append(own) }
    }
  }

  /// Returns each tag once, sorted by bytes.
  static func sorted(_ tags: some Sequence<String>) -> [String] {
    Set(tags).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  // MARK: IDs

  /// The maximum length of a generated ID, below the length that causes a warning.
  private static let longestID = 64

  /// Gives every pack an ID that is readable, valid, and independent of the order of the input.
  ///
  /// `name` is the ID of a single pack, or the prefix of the IDs of several packs.
  mutating func nameAll(_ name: String?) {
    for index in packs.indices {
      var id = Self.slug(packs[index].tags)
      if let name { id = packs.count == 1 ? name : "\(name)-\(id)" }
      if let language = packs[index].language { id += "-\(language)" }
      packs[index].id = id
    }
    var counts = Dictionary(packs.map { ($0.id.lowercased(), 1) }, uniquingKeysWith: +)
    // The table of tags has this name; an ID that the user chose is reported instead.
    if packs.count > 1 || name == nil { counts["tags", default: 0] += 1 }
    for index in packs.indices {
      let pack = packs[index]
      let isShared = counts[pack.id.lowercased()] ?? 0 > 1
      guard isShared || pack.id.utf8.count > Self.longestID else { continue }
      let mark = Self.mark(of: pack.tags + (pack.language.map { ["\($0)"] } ?? []))
      let head = pack.id.prefix(Self.longestID - mark.count - 1)
      packs[index].id = head.trimmingDashes + "-" + mark
    }
  }

  /// Returns the letters and digits of tags, separated by `-`.
  private static func slug(_ tags: [String]) -> String {
    // A tag in another script contains no characters that an ID may have.
    let readable = tags.filter { $0.contains { $0.isASCII && ($0.isLetter || $0.isNumber) } }
    let slugs = readable.map { GeneratedPackID.from($0) }
    let rest = readable.count < tags.count ? ["tag", mark(of: tags)] : []
    return (slugs + rest).joined(separator: "-")
  }

  /// Returns six hexadecimal digits that identify a set of tags (FNV-1a); equal sets have equal
  /// digits.
  static func mark(of tags: [String]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in tags.joined(separator: "\u{0}").utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return hexadecimal(hash % 0x100_0000, digits: 6, uppercase: false)
  }
}

extension DownloadPolicy {
  /// Whether packs with this policy are downloaded before those with another.
  fileprivate func isEarlier(than other: DownloadPolicy) -> Bool { rank < other.rank }

  private var rank: Int {
    switch self {
    case .essential: 0
    case .prefetch: 1
    case .onDemand: 2
    }
  }
}

extension Substring {
  fileprivate var trimmingDashes: String {
    var text = self
    while text.last == "-" { text.removeLast() }
    return String(text)
  }
}

// MARK: - Manifests

extension TagPacks.Pack {
  /// The paths of files and folders in the pack that differ from others only in case.
  var caseCollisions: [(path: FilePath, other: FilePath)] {
    var paths = CasePaths()
    var seen: Set<FilePath> = []
    return items.flatMap(\.files).compactMap { paths.insert($0.destination) }
      .filter { seen.insert($0.path).inserted }
  }

  /// Returns the manifest of the pack and its selected files.
  func converted(
    sourceRoot: FilePath?, isAtHand: Bool, platforms: [Platform], in source: SourceText
  ) -> ConvertedManifest {
    var selectors: [FileSelector] = []
    var files: [ConvertedManifest.MeantFile] = []
    var isJunk = false
    for item in items {
      let (source, destination) = (item.source.text, item.destination.text)
      if item.folder != nil {
        selectors.append(
          source == destination
            ? .directory(source) : .renamedDirectory(source: source, destination: destination))
      } else {
        selectors.append(
          source == destination
            ? .file(source) : .renamedFile(source: source, destination: destination))
      }
      for file in item.files {
        // Xcode never copies these files.
        guard file.source.name != ".DS_Store" else {
          isJunk = true
          continue
        }
        files.append(.init(source: file.source, destination: file.destination))
      }
    }
    if isJunk { selectors.append(.exclusion(".DS_Store")) }
    let manifest = Manifest(
      assetPackID: id, downloadPolicy: policy, fileSelectors: selectors, platforms: platforms,
      language: language)
    return ConvertedManifest(
      manifest, sourceRoot: sourceRoot, files: isAtHand ? files : nil,
      at: .init(source, items.first?.span))
  }
}
