import AppSide
import BAPackKit
import Glibc
import SourceDiagnostics
import SourceLanguages
import SystemIO

/// A search of source files for calls that concern On-Demand Resources, outside comments and
/// literals.
struct SourceScan {
  /// The calls, in the order of the files.
  private(set) var calls: [SourceCall] = []
  /// The files that were not searched: too large, not readable, or not text.
  private(set) var skipped: [FilePath] = []

  /// The maximum size of a searched file in bytes.
  static let largestFile = 16 << 20

  /// Searches files, and all sources in folders.
  init(
    of paths: [FilePath], upTo limit: Int = largestFile
  ) throws(PackError) {
    var names = RequestTypes()
    for path in paths {
      try Self.each(in: path, upTo: limit) { source, language in
        names.add(SourceTokens(of: source, in: language))
      } skipped: {
        skipped.append($0)
      }
    }
    names.close()
    var found: [SourceCall] = []
    for path in paths {
      try Self.each(in: path, upTo: limit) { source, language in
        found += Self.calls(in: source, language, names)
      } skipped: { _ in
      }
    }
    calls = found
  }

  /// Reads a file, or all sources in a folder.
  private static func each(
    in path: FilePath, upTo limit: Int, _ body: (SourceText, SourceLanguage) -> Void,
    skipped: (FilePath) -> Void
  ) throws(PackError) {
    func read(
      _ file: FilePath, _ language: SourceLanguage, shownAs path: FilePath,
      in folder: ResourceFolder
    ) {
      guard let source = folder.text(file, atMost: limit), let text = Self.inUTF8(source.bytes)
      else { return skipped(path) }
      body(SourceText(text, named: path.text), language)
    }
    let (kind, real) = try mapFailure(.reading) { () throws(Failure) in
      (try FileStatus(ofFileAt: path.text).kind, FilePath(try realPath(of: path.text)))
    }
    guard kind == .directory else {
      let language = SourceLanguage(ofFileNamed: path.text) ?? .c
      let folder = try ResourceFolder(ofProjectIn: real.folder, named: nil)
      return read(FilePath(joining: [real.name]), language, shownAs: path, in: folder)
    }
    let folder = try ResourceFolder(ofProjectIn: path, named: nil)
    guard case .folder(let files) = folder.inspect(FilePath(".")) else {
      throw PackError(
        .limit, "cannot search '\(path.text)' for calls",
        remedy: "specify the folders that contain sources")
    }
    for file in files {
      guard let language = SourceLanguage(ofFileNamed: file.text), language.isOfApple else {
        continue
      }
      read(file, language, shownAs: path.appending(file), in: folder)
    }
  }

  /// Returns the text of a source in UTF-8; nil if it is not text.
  private static func inUTF8(_ bytes: [UInt8]) -> [UInt8]? {
    let text = ConversionInput.decoded(bytes).text
    return text.contains(0) ? nil : text
  }

  static func calls(
    in source: SourceText, _ language: SourceLanguage, _ names: RequestTypes
  ) -> [SourceCall] {
    var finder = CallFinder(source, SourceTokens(of: source, in: language), names)
    finder.find()
    return finder.calls
  }
}

extension SourceLanguage {
  /// Whether the file's language is used by apps with On-Demand Resources.
  fileprivate var isOfApple: Bool {
    switch self {
    case .swift, .c: true
    case .cSharp, .gdScript: false
    }
  }
}

/// The names of the request type: its own name, its subclasses and its aliases.
struct RequestTypes {
  private(set) var names: Set<String> = [root]
  /// Whether a source contains one of the names.
  private(set) var isMentioned = false
  /// The declared types, keyed by the type that they inherit from or rename.
  private var declared: [String: [String]] = [:]

  private static let root = "NSBundleResourceRequest"

  /// Adds the declarations of a file.
  mutating func add(_ tokens: SourceTokens) {
    for index in tokens.texts.indices {
      switch tokens[index] {
      case Self.root: isMentioned = true
      case "class" where tokens[index + 2] == ":" || tokens[index + 2] == "<":
        // In Swift, the superclass precedes the protocols.
        var next = index + 2
        while next < index + 40, tokens[next] != ":", tokens[next] != "{" { next += 1 }
        if tokens[next] == ":" {
          declared[Self.type(in: tokens, from: next + 1), default: []].append(tokens[index + 1])
        }
      case "interface" where tokens[index - 1] == "@" && tokens[index + 2] == ":":
        declared[tokens[index + 3], default: []].append(tokens[index + 1])
      case "typealias" where tokens[index + 2] == "=":
        declared[Self.type(in: tokens, from: index + 3), default: []].append(tokens[index + 1])
      case "typedef" where tokens[index + 3] == ";":
        declared[tokens[index + 1], default: []].append(tokens[index + 2])
      default: break
      }
    }
  }

  /// Returns the name of a type without its module.
  private static func type(in tokens: SourceTokens, from index: Int) -> String {
    tokens[index + 1] == "." ? tokens[index + 2] : tokens[index]
  }

  /// Adds indirect subclasses.
  mutating func close() {
    var open = [Self.root]
    while let next = open.popLast() {
      for name in declared[next] ?? [] where names.insert(name).inserted { open.append(name) }
    }
  }
}

/// Finds the calls in the tokens of a file.
private struct CallFinder {
  private let source: SourceText
  private let tokens: SourceTokens
  private let names: RequestTypes
  private(set) var calls: [SourceCall] = []
  private var line = 1
  private var counted = 0
  private var seen: Set<SourceCall.Kind> = []
  private var requests: Set<Int> = []

  init(_ source: SourceText, _ tokens: SourceTokens, _ names: RequestTypes) {
    self.source = source
    self.tokens = tokens
    self.names = names
  }

  mutating func find() {
    for index in tokens.texts.indices {
      let word = tokens[index]
      if names.names.contains(word) {
        findType(at: index)
      } else if word == "init", tokens.has(["init", "(", "tags", ":"], at: index) {
        // The type is declared elsewhere: `request = .init(tags: …)`, `super.init(tags: …)`.
        if names.isMentioned, tokens[index - 1] == "." { addRequest(at: index) }
      } else if word == "initWithTags", ["self", "super"].contains(tokens[index - 1]) {
        addRequest(at: index)
      }
      for phrase in SourceCall.Kind.byFirstToken[word] ?? []
      where tokens.has(phrase.tokens, at: index) && !isMember(phrase.tokens, at: index) {
        add(phrase.kind, at: index)
      }
    }
  }

  /// Whether a type name is a member of another type: `Theme.Image("a")`.
  private func isMember(_ phrase: [String], at index: Int) -> Bool {
    phrase[0] == "Image" && tokens[index - 1] == "." && tokens[index - 2] != "SwiftUI"
  }

  /// Inspects a use of the request type.
  private mutating func findType(at index: Int) {
    switch tokens[index + 1] {
    case "(": addRequest(at: index)
    case "." where tokens.has(["init", "("], at: index + 2): addRequest(at: index + 2)
    case "alloc", "new": if tokens[index + 2] == "]" { addRequest(at: index) }
    case "{", ",", "where":
      // `class LevelRequest: NSBundleResourceRequest {`, `extension NSBundleResourceRequest {`.
      let isSubclass =
        tokens[index - 1] == ":"
        && (names.names.contains(tokens[index - 2]) || tokens[index - 2] == ">")
      if isSubclass || tokens[index - 1] == "extension" { add(.subclass, at: index) }
    case "=", "?", "!":
      let value = tokens[index + 1] == "=" ? index + 2 : index + 3
      if tokens[value - 1] == "=", tokens.has([".", "init", "("], at: value) {
        addRequest(at: value + 1)
      }
    default:
      if tokens[index - 1] == ":", tokens[index - 3] == "interface" { add(.subclass, at: index) }
    }
  }

  private mutating func addRequest(at index: Int) {
    guard requests.insert(index).inserted else { return }
    add(.request, at: index, tags: tags(from: index))
  }

  /// Adds a call.
  ///
  /// Calls other than requests are listed once for each line.
  private mutating func add(_ kind: SourceCall.Kind, at index: Int, tags: [String] = []) {
    let place = tokens.places[index]
    if place > counted {
      for byte in source.bytes[counted..<place] where byte == 0x0A {
        line += 1
        seen = []
      }
      counted = place
    }
    guard kind == .request || seen.insert(kind).inserted else { return }
    calls.append(
      SourceCall(
        path: FilePath(source.name).shown, line: line, kind: kind, text: text(at: place), tags: tags
      ))
  }

  /// The maximum number of bytes of a line that are shown.
  private static let longestText = 200

  private func text(at place: Int) -> String {
    let bytes = source.bytes
    let first = max(place - Self.longestText, 0)
    // A line that begins too far before the call is shown from the call.
    let start =
      bytes[first..<place].lastIndex(of: 0x0A).map { $0 + 1 } ?? (first == 0 ? 0 : place)
    let end = bytes[place...].prefix(Self.longestText).firstIndex(of: 0x0A)
    let text = String(
      decoding: bytes[start..<(end ?? min(place + Self.longestText, bytes.count))], as: UTF8.self)
    return text.trimmed
  }

  /// The maximum number of tokens of a call that are searched for tags.
  private static let longestCall = 2000

  /// Returns the tags in a request: literals up to the end of the call or expression.
  private func tags(from start: Int) -> [String] {
    var depth = 0
    var tags: [String] = []
    for index in start..<min(start + Self.longestCall, tokens.texts.count) {
      switch tokens[index] {
      case "(", "[", "{": depth += 1
      case ")", "]", "}":
        depth -= 1
        // `[[NSBundleResourceRequest alloc]` closes the inner bracket before the tags.
        let isAlloc = tokens[index] == "]" && tokens[index - 1] == "alloc"
        if depth <= 0, !isAlloc { return tags }
        if isAlloc { depth = max(depth, 0) + 1 }
      case "bundle" where tokens[index + 1] == ":": return tags
      case ";": return tags
      case "\"":
        for literal in tokens.literals[tokens.places[index]] ?? [] {
          let text = String(decoding: literal.text, as: UTF8.self)
          // An interpolated literal is not a tag.
          if !text.contains("\\") { tags.append(text) }
        }
      default: break
      }
    }
    return tags
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
