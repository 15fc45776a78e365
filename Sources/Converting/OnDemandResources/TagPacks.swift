import BAPackKit
import SourceDiagnostics
import SystemIO
import TerminalText

/// The packs that tags become: one for each distinct set of tags.
struct TagPacks {
  /// What is in a pack.
  struct Item {
    /// Below the source root.
    var source: FilePath
    /// In the pack.
    var destination: FilePath
    /// The files below it, if it is a folder.
    var folder: [FilePath]?
    var span: SourceSpan?

    /// Whether it is a folder that items of a catalog are to be exported to.
    var isExport = false

    /// The folder that items of a compiled catalog are to be exported to: each in a folder of its
    /// name.
    static func exported(_ catalog: FileName, span: SourceSpan?) -> Item {
      let name = catalog.bytes.lastIndex(of: UInt8(ascii: ".")).map { catalog.bytes[..<$0] }
      let folder = FileName(name.map { Array($0) } ?? catalog.bytes)
      return Item(
        source: FilePath("Exported").appending(folder), destination: FilePath("."), folder: [],
        span: span, isExport: true)
    }

    /// The files that it stands for, where they are and where they go.
    var files: [(source: FilePath, destination: FilePath)] {
      guard let folder else { return [(source, destination)] }
      return folder.map { (source.appending($0), destination.appending($0)) }
    }
  }

  /// One pack.
  struct Pack {
    /// Its tags, sorted by their bytes.
    var tags: [String]
    var language: LanguageTag?
    /// The earliest of those below.
    var policy: DownloadPolicy
    /// When each target downloads it.
    var policies: [(target: String, policy: DownloadPolicy)] = []
    var items: [Item] = []
    var id = ""
  }

  /// When tags are downloaded.
  struct Schedule {
    var initialInstall: Set<String> = []
    var prefetched: [String] = []

    init(_ initialInstall: [SettingWord] = [], _ prefetched: [SettingWord] = []) {
      self.initialInstall = Set(initialInstall.map(\.text))
      self.prefetched = prefetched.map(\.text)
    }

    /// The earliest of what a pack's tags say: a request for one of them means the whole pack.
    func policy(for tags: [String]) -> DownloadPolicy {
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

  /// Adds something to the pack of its tags.
  mutating func add(
    _ item: Item, _ tags: [String], language: LanguageTag? = nil,
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

  /// Each tag once, in the order of bytes.
  static func sorted(_ tags: [String]) -> [String] {
    Set(tags).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  // MARK: IDs

  /// The longest ID that nobody warns of.
  private static let longestID = 64

  /// Gives every pack its ID: readable, valid, and the same whatever the order of the input.
  ///
  /// `name` is the ID of a single pack, or begins that of each of several.
  mutating func nameAll(_ name: String?) {
    for index in packs.indices {
      var id = Self.slug(packs[index].tags)
      if let name { id = packs.count == 1 ? name : "\(name)-\(id)" }
      if let language = packs[index].language { id += "-\(language)" }
      packs[index].id = id
    }
    var counts = Dictionary(packs.map { ($0.id.lowercased(), 1) }, uniquingKeysWith: +)
    // The table of tags has this name; an ID that somebody chose is reported instead.
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

  /// The letters and digits of tags, with `-` between.
  private static func slug(_ tags: [String]) -> String {
    // A tag in another script leaves nothing that an ID may have.
    let readable = tags.filter { $0.contains { $0.isASCII && ($0.isLetter || $0.isNumber) } }
    let words = readable.map { MadePackID.from($0) }
    let rest = readable.count < tags.count ? ["tag", mark(of: tags)] : []
    return (words + rest).joined(separator: "-")
  }

  /// Six digits that tell sets of tags apart (FNV-1a): always the same for the same tags.
  static func mark(of tags: [String]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in tags.joined(separator: "\u{0}").utf8 {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return hexadecimal(hash % 0x100_0000, digits: 6, uppercase: false)
  }
}

extension DownloadPolicy {
  /// Whether packs with it are downloaded before those with another.
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
  /// The paths in the pack, of files and folders, that differ only in case from others.
  var caseCollisions: [(path: FilePath, other: FilePath)] {
    var paths = CasePaths()
    var seen: Set<FilePath> = []
    return items.flatMap(\.files).compactMap { paths.insert($0.destination) }
      .filter { seen.insert($0.path).inserted }
  }

  /// The manifest of the pack, and the files that are meant.
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
        // Xcode never copies these.
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
