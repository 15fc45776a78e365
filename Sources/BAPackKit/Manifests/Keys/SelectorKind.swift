package import SourceDiagnostics
import SystemIO

/// What is known about a kind of selectors stands in its entry, and what it chooses in
/// `Resolver.choose`.
extension SelectorKind {
  /// What the first path of a selector says.
  enum Subject: Sendable {
    /// The path of one file.
    case file
    /// The path of a folder, for all that is in it.
    case folder
    /// A pattern for files.
    case pattern
    /// A pattern for what other selectors do not choose.
    case exclusion
  }

  private struct Entry: Sendable {
    var subject: Subject
    /// The key of the path that names files, then that of the path in the pack, if there is one.
    var keys: [JSONKey]
    /// What to say of an empty path, for each key.
    var whenEmpty: [Finding.Message?]
    /// Words that people try, in lower case.
    var synonyms: [String]
    var make: @Sendable (_ source: String, _ destination: String) -> FileSelector

    init(
      _ subject: Subject, _ keys: JSONKey..., whenEmpty: Finding.Message?...,
      synonyms: [String] = [], make: @escaping @Sendable (String, String) -> FileSelector
    ) {
      self.subject = subject
      self.keys = keys
      self.whenEmpty = whenEmpty
      self.synonyms = synonyms
      self.make = make
    }
  }

  private var entry: Entry {
    switch self {
    case .file:
      Entry(
        .file,
        JSONKey("file", Self.filePath, "One file.", example: "\"\(Placeholder.file)\""),
        whenEmpty: nil, synonyms: ["path", "filename"]
      ) { path, _ in .file(path) }
    case .directory:
      Entry(
        .folder,
        JSONKey(
          "directory", Self.folderPath, "A folder with everything below it.",
          example: "\"\(Placeholder.folder)\""),
        whenEmpty: "the whole source root is '.'", synonyms: ["folder", "dir"]
      ) { path, _ in .directory(path) }
    case .filePattern:
      Entry(
        .pattern,
        JSONKey(
          "filePattern", Self.filePath,
          "The files that a pattern matches: '*' and '?' stay within a name, '**' stands for any "
            + "folders.",
          example: #""Audio/**/*.wav""#),
        whenEmpty: nil, synonyms: ["pattern", "glob", "files"]
      ) { pattern, _ in .filePattern(pattern) }
    case .renamedFile:
      Entry(
        .file,
        JSONKey(
          "fileSource", Self.filePath, "One file that gets another path in the pack.",
          example: #""build/atlas.bin""#),
        JSONKey(
          "fileDestination", Self.filePath, "The path it gets.",
          example: #""Textures/atlas.bin""#),
        whenEmpty: nil, nil
      ) { .renamedFile(source: $0, destination: $1) }
    case .renamedDirectory:
      Entry(
        .folder,
        JSONKey(
          "directorySource", Self.folderPath,
          "A folder whose contents get other paths in the pack.",
          example: #""build/levels""#),
        JSONKey(
          "directoryDestination", Self.folderPath,
          "The folder they go into; '.' is the pack itself.",
          example: #""Levels""#),
        whenEmpty: "the whole source root is '.'", "the root of the pack is '.'"
      ) { .renamedDirectory(source: $0, destination: $1) }
    case .exclusion:
      Entry(
        .exclusion,
        JSONKey(
          "fileExclusion", Self.folderPath,
          "Takes away what other selectors chose; './' holds a pattern at the source root.",
          example: #""*.psd""#),
        whenEmpty: "an exclusion names what it drops: a file, a folder or a pattern",
        synonyms: ["exclude", "exclusion", "fileexclude"]
      ) { pattern, _ in .exclusion(pattern) }
    }
  }

  private static let entries = allCases.map(\.entry)

  /// A relative path: not empty, no leading slash or drive, no `..` component.
  private static let relativePath =
    Placeholder.absent + #"(?!/)(?![A-Za-z]:[/\\])(?!([\s\S]*/)?\.\.(/|$))"#
  private static let folderPath = JSONShape.string(pattern: relativePath + #"[^\u0000]+$"#)
  private static let filePath = JSONShape.string(pattern: relativePath + #"[^\u0000]*[^/\u0000]$"#)
}

extension SelectorKind {
  /// The keys of each kind.
  package static let shapes = entries.map(\.keys)

  /// What its first path says.
  var subject: Subject { Self.entries[rawValue].subject }

  /// Whether it takes what nobody named.
  var takesMany: Bool { subject == .folder || subject == .pattern }

  /// The key of the path that names files.
  var source: SelectorKey { SelectorKey(of: self, isDestination: false, isPaired: isPaired) }

  /// The key of the path in the pack, where that is another one.
  var destination: SelectorKey? {
    isPaired ? SelectorKey(of: self, isDestination: true, isPaired: true) : nil
  }

  private var isPaired: Bool { Self.entries[rawValue].keys.count > 1 }

  /// A selector of this kind; the destination counts only where there is a key for it.
  func selector(_ source: String, _ destination: String) -> FileSelector {
    Self.entries[rawValue].make(source, destination)
  }

  // What every selector of a manifest is written with, at hand without its entry.
  fileprivate static let sourceNames = entries.map { $0.keys[0].name }
  fileprivate static let destinationNames = entries.map { $0.keys.last?.name ?? "" }

  fileprivate func noteOnEmpty(_ key: SelectorKey) -> Finding.Message? {
    Self.entries[rawValue].whenEmpty[key.isDestination ? 1 : 0]
  }

  fileprivate var synonyms: [String] { Self.entries[rawValue].synonyms }
}

/// A key that a selector may have.
///
/// It carries what is asked of each path of a manifest, so that nobody looks that up in the table.
struct SelectorKey: Hashable, Sendable {
  let kind: SelectorKind
  /// Whether its path is one in the pack.
  let isDestination: Bool
  /// Whether another key belongs to it.
  let isPaired: Bool
  private let subject: SelectorKind.Subject

  /// All of them, in the order in which they are taught.
  static let all = SelectorKind.allCases.flatMap { kind in
    [kind.source] + (kind.destination.map { [$0] } ?? [])
  }

  /// What they are called.
  static let names = all.map(\.name)

  fileprivate init(of kind: SelectorKind, isDestination: Bool, isPaired: Bool) {
    self.kind = kind
    self.isDestination = isDestination
    self.isPaired = isPaired
    subject = kind.subject
  }

  /// The key of a name.
  init?(named name: String) {
    guard let index = Self.names.firstIndex(of: name) else { return nil }
    self = Self.all[index]
  }

  /// The key that somebody means who writes another word, in lower case.
  init?(synonym: String) {
    guard let kind = SelectorKind.allCases.first(where: { $0.synonyms.contains(synonym) }) else {
      return nil
    }
    self = kind.source
  }

  /// What it is called.
  var name: String {
    (isDestination ? SelectorKind.destinationNames : SelectorKind.sourceNames)[kind.rawValue]
  }

  /// The other half of a pair.
  var partner: SelectorKey? {
    isPaired ? SelectorKey(of: kind, isDestination: !isDestination, isPaired: true) : nil
  }

  /// Whether the path may be that of a folder.
  var takesFolder: Bool {
    switch subject {
    case .folder, .exclusion: true
    case .file, .pattern: false
    }
  }

  /// Whether the path is a pattern.
  var takesPattern: Bool {
    switch subject {
    case .pattern, .exclusion: true
    case .file, .folder: false
    }
  }

  /// Whether the path is a pattern of an exclusion.
  var takesExclusion: Bool { subject == .exclusion }

  /// Whether the path, as it is written, is one in the pack.
  var namesPathInPack: Bool { isDestination || (!isPaired && !takesPattern) }

  /// What to say of an empty path.
  var noteOnEmpty: Finding.Message? { kind.noteOnEmpty(self) }
}

extension FileSelector {
  /// The selector as a manifest writes it.
  package var jsonValue: JSONValue { .object(jsonMembers) }

  /// The path in the pack of the one file that is named; nil for a folder or a pattern.
  package var pathOfFile: String? {
    let (kind, source, destination) = parts
    return kind.subject == .file ? destination ?? source : nil
  }

  /// The keys and paths that a manifest writes.
  package var jsonMembers: [JSONValue.Member] {
    let (kind, source, destination) = parts
    let first = JSONValue.Member(SelectorKind.sourceNames[kind.rawValue], .string(source))
    guard let destination else { return [first] }
    return [
      first, JSONValue.Member(SelectorKind.destinationNames[kind.rawValue], .string(destination)),
    ]
  }

  /// The selector for a pack in a language: the path in the pack leaves out the component that
  /// names the language, so that it is the same in every language.
  ///
  /// A folder or file whose path names no language keeps its path. Patterns, exclusions and
  /// selectors that already have a destination are unchanged.
  package func atSamePath(inEveryLanguage language: LanguageTag) -> FileSelector {
    switch self {
    case .directory(let path):
      .renamedDirectory(
        source: path, destination: language.withoutName(in: path) ?? path)
    case .file(let path):
      language.withoutName(in: path).map { .renamedFile(source: path, destination: $0) }
        ?? self
    case .filePattern, .renamedFile, .renamedDirectory, .exclusion: self
    }
  }

  /// The selector that gives what this one names the same path in every language; nil if no
  /// component of the path in the pack names the language.
  ///
  /// A pattern has no destination, so the folder in front of its wildcards is mapped instead.
  package func mapped(outOf language: LanguageTag) -> FileSelector? {
    switch self {
    case .directory(let path), .file(let path):
      return language.withoutName(in: path) == nil ? nil : atSamePath(inEveryLanguage: language)
    case .filePattern(let pattern):
      let folders = FilePath(pattern).components.dropLast()
        .prefix { name in !name.bytes.contains { "*?[\\".utf8.contains($0) } }
      let folder = FilePath(joining: folders).text
      return language.withoutName(in: folder).map {
        .renamedDirectory(source: folder, destination: $0)
      }
    case .renamedFile, .renamedDirectory, .exclusion: return nil
    }
  }
}
