package import SourceDiagnostics
import SystemIO

/// The properties of the kinds of selectors. `Resolver.choose` implements the selection.
extension SelectorKind {
  /// The meaning of the first path of a selector.
  enum Subject: Sendable {
    /// The path of one file.
    case file
    /// The path of a folder, which selects all files in it.
    case folder
    /// A pattern for files.
    case pattern
    /// A pattern of files to exclude.
    case exclusion
  }

  private struct Entry: Sendable {
    var subject: Subject
    /// The key of the source, and the key of the destination if there is one.
    var keys: [JSONKey]
    /// A note about an empty path, for each key.
    var whenEmpty: [Finding.Message?]
    /// Similar keys of other tools, in lower case.
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
          "directory", Self.folderPath, "A folder with all its contents.",
          example: "\"\(Placeholder.folder)\""),
        whenEmpty: "the path of the source root is '.'", synonyms: ["folder", "dir"]
      ) { path, _ in .directory(path) }
    case .filePattern:
      Entry(
        .pattern,
        JSONKey(
          "filePattern", Self.filePath,
          "All files that match a pattern: '*' and '?' match within a name, '**' matches any "
            + "number of folders.",
          example: #""Audio/**/*.wav""#),
        whenEmpty: nil, synonyms: ["pattern", "glob", "files"]
      ) { pattern, _ in .filePattern(pattern) }
    case .renamedFile:
      Entry(
        .file,
        JSONKey(
          "fileSource", Self.filePath,
          "The source path of one file that has another path in the pack.",
          example: #""build/atlas.bin""#),
        JSONKey(
          "fileDestination", Self.filePath, "The path of the file in the pack.",
          example: #""Textures/atlas.bin""#),
        whenEmpty: nil, nil
      ) { .renamedFile(source: $0, destination: $1) }
    case .renamedDirectory:
      Entry(
        .folder,
        JSONKey(
          "directorySource", Self.folderPath,
          "The source path of a folder whose contents have other paths in the pack.",
          example: #""build/levels""#),
        JSONKey(
          "directoryDestination", Self.folderPath,
          "The folder in the pack for these contents; '.' is the root of the pack.",
          example: #""Levels""#),
        whenEmpty: "the path of the source root is '.'", "the path of the root of the pack is '.'"
      ) { .renamedDirectory(source: $0, destination: $1) }
    case .exclusion:
      Entry(
        .exclusion,
        JSONKey(
          "fileExclusion", Self.folderPath,
          "The files to exclude; 'name' matches in any folder, './name' only in the source root.",
          example: #""*.psd""#),
        whenEmpty: "specify a file, a folder or a pattern to exclude",
        synonyms: ["exclude", "excludes", "exclusion", "exclusions", "fileexclude", "ignore"]
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

  /// The meaning of the first path.
  var subject: Subject { Self.entries[rawValue].subject }

  /// Whether it can select several files.
  var selectsMany: Bool { subject == .folder || subject == .pattern }

  var source: SelectorKey { SelectorKey(of: self, isDestination: false, isPaired: isPaired) }

  /// The key of the destination; nil if there is none.
  var destination: SelectorKey? {
    isPaired ? SelectorKey(of: self, isDestination: true, isPaired: true) : nil
  }

  private var isPaired: Bool { Self.entries[rawValue].keys.count > 1 }

  /// Returns a selector of this kind; the destination is ignored if there is no key for it.
  func selector(_ source: String, _ destination: String) -> FileSelector {
    Self.entries[rawValue].make(source, destination)
  }

  // The names of the keys, without access to the entries.
  fileprivate static let sourceNames = entries.map { $0.keys[0].name }
  fileprivate static let destinationNames = entries.map { $0.keys.last?.name ?? "" }

  fileprivate func noteOnEmpty(_ key: SelectorKey) -> Finding.Message? {
    Self.entries[rawValue].whenEmpty[key.isDestination ? 1 : 0]
  }

  fileprivate var synonyms: [String] { Self.entries[rawValue].synonyms }
}

/// A key of a selector.
///
/// It stores the properties that are used for each path, to avoid access to the table.
struct SelectorKey: Hashable, Sendable {
  let kind: SelectorKind
  let isDestination: Bool
  /// Whether it requires a second key.
  let isPaired: Bool
  private let subject: SelectorKind.Subject

  /// All keys, in the order of the template.
  static let all = SelectorKind.allCases.flatMap { kind in
    [kind.source] + (kind.destination.map { [$0] } ?? [])
  }

  static let names = all.map(\.name)

  fileprivate init(of kind: SelectorKind, isDestination: Bool, isPaired: Bool) {
    self.kind = kind
    self.isDestination = isDestination
    self.isPaired = isPaired
    subject = kind.subject
  }

  /// Creates the key with a name; nil if there is none.
  init?(named name: String) {
    guard let index = Self.names.firstIndex(of: name) else { return nil }
    self = Self.all[index]
  }

  /// Creates the key for a similar key of another tool, in lower case.
  init?(synonym: String) {
    guard let kind = SelectorKind.allCases.first(where: { $0.synonyms.contains(synonym) }) else {
      return nil
    }
    self = kind.source
  }

  var name: String {
    (isDestination ? SelectorKind.destinationNames : SelectorKind.sourceNames)[kind.rawValue]
  }

  /// The second key, if one is required.
  var partner: SelectorKey? {
    isPaired ? SelectorKey(of: kind, isDestination: !isDestination, isPaired: true) : nil
  }

  /// Whether the path may be a folder.
  var acceptsFolder: Bool {
    switch subject {
    case .folder, .exclusion: true
    case .file, .pattern: false
    }
  }

  /// Whether the path is a pattern.
  var acceptsPattern: Bool {
    switch subject {
    case .pattern, .exclusion: true
    case .file, .folder: false
    }
  }

  /// Whether the path is the pattern of an exclusion.
  var isExclusion: Bool { subject == .exclusion }

  /// Whether the path is also the path in the pack.
  var namesPathInPack: Bool { isDestination || (!isPaired && !acceptsPattern) }

  /// A note about an empty path.
  var noteOnEmpty: Finding.Message? { kind.noteOnEmpty(self) }
}

extension FileSelector {
  package var jsonValue: JSONValue { .object(jsonMembers) }

  /// The path in the pack of a single file; nil for a folder or a pattern.
  package var pathOfFile: String? {
    let (kind, source, destination) = parts
    return kind.subject == .file ? destination ?? source : nil
  }

  /// The keys and paths as JSON.
  package var jsonMembers: [JSONValue.Member] {
    let (kind, source, destination) = parts
    let first = JSONValue.Member(SelectorKind.sourceNames[kind.rawValue], .string(source))
    guard let destination else { return [first] }
    return [
      first, JSONValue.Member(SelectorKind.destinationNames[kind.rawValue], .string(destination)),
    ]
  }

  /// Returns the selector for a pack in a language: the path in the pack omits the component that
  /// is the name of the language, so that it is the same in every language.
  ///
  /// A folder or file without such a component keeps its path. Patterns, exclusions and selectors
  /// with a destination are unchanged.
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

  /// Returns the selector with the same paths in the pack in every language; nil if no component of
  /// the path is the name of the language.
  ///
  /// A pattern has no destination, so the folder before its wildcards is used instead.
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
