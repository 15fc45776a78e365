import SourceDiagnostics
import SystemIO

/// A parsed Steam build script, before files are read.
struct SteamScript: Sendable {
  /// A depot, from a separate script or from an app script.
  struct Depot: Sendable {
    /// The text that contains it, and its place.
    var source: SourceText
    var place: SourceSpan
    /// Its number, as the script writes it.
    var number: KeyValues.Word?
    var contentRoot: ContentRoot?
    /// Mappings and exclusions, in the order of the script.
    var items: [Item] = []
    /// Whether a part is invalid.
    var isDamaged = false
  }

  /// A mapping or an exclusion.
  enum Item: Sendable {
    case mapping(Mapping)
    case exclusion(KeyValues.Word)
  }

  /// `FileMapping`: files of the content root, and their paths in the depot.
  struct Mapping: Sendable {
    var localPath: KeyValues.Word
    var depotPath: KeyValues.Word?
    var isRecursive = false
  }

  /// A folder that a script names, relative to the script's folder.
  struct ContentRoot: Sendable {
    var word: KeyValues.Word
    var source: SourceText
  }

  let source: SourceText
  /// The depots, in the order of the script.
  private(set) var depots: [Depot] = []
  /// The content root of an app script.
  private(set) var contentRoot: ContentRoot?
  /// Whether the script belongs to an app.
  private(set) var isApp = false
  /// Depots with separate scripts: the number and the path.
  private(set) var references: [(number: KeyValues.Word, path: KeyValues.Word, place: Int)] = []

  private static let depotNames = ["depotbuild", "depotbuildconfig"]
  private static let appName = "appbuild"
  /// The maximum number of mappings and exclusions of a depot; each is compared with all files.
  private static let mostItems = 2000

  /// Whether an input may be a script: a word, and a block or the name of an included file.
  static func recognizes(_ input: ConversionInput) -> Bool {
    guard case .text(_, let bytes) = input else { return false }
    return KeyValues.beginning(of: Array(bytes.prefix(ConversionInput.startSize)))?.isScript
      ?? false
  }

  /// Parses a script; errors are added to the findings.
  init(parsing bytes: [UInt8], named name: String, _ findings: inout Ledger) {
    let text = KeyValues(parsing: bytes, named: name, &findings)
    source = text.source
    let before = findings.count(.error)
    let pairs = SteamCondition.applying(to: text.pairs, &findings)
    var found = false
    for pair in pairs {
      if SteamRules.reportInclusion(pair, &findings) { continue }
      guard case .block(let block) = pair.value else {
        findings.add(SteamRules.notAScript(pair.key.text, at: pair.key.span))
        continue
      }
      let root = pair.key.text.lowercased()
      if found {
        findings.add(
          SteamRules.syntax("a script must have one block; this is another one", at: pair.key.span))
      } else if Self.depotNames.contains(root) {
        depots.append(readDepot(block, named: nil, at: pair.key.span, &findings))
      } else if root == Self.appName {
        isApp = true
        readApp(block, &findings)
      } else {
        findings.add(SteamRules.notAScript(pair.key.text, at: pair.key.span))
      }
      found = true
    }
    if !found, findings.count(.error) == before {
      findings.add(
        text.pairs.first.map {
          SteamRules.mapping(
            "no part of the script applies", at: $0.key.span)
        }
          ?? SteamRules.notAScript(nil, at: nil))
    }
  }

  // MARK: Depots

  private func readDepot(
    _ block: [KeyValues.Pair], named number: KeyValues.Word?, at place: SourceSpan,
    _ findings: inout Ledger
  ) -> Depot {
    var depot = Depot(source: source, place: place, number: number)
    let errors = findings.count(.error)
    var reader = SteamKeys(of: "a depot", SteamKeys.depot)
    for pair in SteamCondition.applying(to: block, &findings) {
      guard let key = reader.key(of: pair, &findings) else { continue }
      switch (key.name.lowercased(), pair.value) {
      case ("contentroot", .text(let word)):
        if !word.text.isEmpty { depot.contentRoot = ContentRoot(word: word, source: source) }
      case ("filemapping", .block(let block)):
        if let mapping = readMapping(block, at: pair.key.span, &findings) {
          depot.items.append(.mapping(mapping))
        }
      case ("fileexclusion", .text(let word)):
        // An empty path would be the content root itself.
        if word.text.isEmpty {
          findings.add(
            SteamFileRules.exclusion("", "is an empty path; it is omitted", at: word.span))
        } else {
          depot.items.append(.exclusion(word))
        }
      case ("installscript", .text(let word)):
        findings.add(SteamRules.installScript(word.text, at: word.span))
      case ("fileproperties", .block(let block)):
        readProperties(block, at: pair.key.span, &findings)
      default: break
      }
    }
    if depot.items.count > Self.mostItems {
      findings.add(
        SteamRules.mapping(
          "the depot has more than \(Self.mostItems) mappings and exclusions", at: place))
    }
    depot.isDamaged = findings.count(.error) > errors
    return depot
  }

  private func readMapping(
    _ block: [KeyValues.Pair], at place: SourceSpan, _ findings: inout Ledger
  ) -> Mapping? {
    var local: KeyValues.Word?
    var mapping = Mapping(localPath: .init(text: "", span: place))
    var reader = SteamKeys(of: "'FileMapping'", SteamKeys.mapping)
    for pair in SteamCondition.applying(to: block, &findings) {
      guard let key = reader.key(of: pair, &findings), case .text(let word) = pair.value else {
        continue
      }
      switch key.name.lowercased() {
      case "localpath": local = word
      case "depotpath": mapping.depotPath = word
      default: mapping.isRecursive = SteamKeys.isTrue(word, &findings)
      }
    }
    guard let local, !local.text.isEmpty else {
      findings.add(
        SteamRules.mapping(
          "'FileMapping' requires 'LocalPath'", at: local?.span ?? place))
      return nil
    }
    mapping.localPath = local
    return mapping
  }

  /// Reads file attributes, which packs do not support.
  private func readProperties(
    _ block: [KeyValues.Pair], at place: SourceSpan, _ findings: inout Ledger
  ) {
    var reader = SteamKeys(of: "'FileProperties'", SteamKeys.properties)
    var path: KeyValues.Word?
    var attributes: KeyValues.Word?
    for pair in SteamCondition.applying(to: block, &findings) {
      guard let key = reader.key(of: pair, &findings), case .text(let word) = pair.value else {
        continue
      }
      if key.name == "LocalPath" { path = word } else { attributes = word }
    }
    findings.add(
      SteamRules.fileProperties(
        path?.text ?? "", attributes?.text ?? "", at: attributes?.span ?? place))
  }

  // MARK: Apps

  private mutating func readApp(_ block: [KeyValues.Pair], _ findings: inout Ledger) {
    var reader = SteamKeys(of: "an app", SteamKeys.app)
    var hasDepots = false
    for pair in SteamCondition.applying(to: block, &findings) {
      guard let key = reader.key(of: pair, &findings) else { continue }
      switch (key.name.lowercased(), pair.value) {
      case ("contentroot", .text(let word)):
        if !word.text.isEmpty { contentRoot = ContentRoot(word: word, source: source) }
      case ("depots", .block(let block)):
        hasDepots = true
        for pair in SteamCondition.applying(to: block, &findings) {
          if SteamRules.reportInclusion(pair, &findings) { continue }
          switch pair.value {
          case .block(let block):
            depots.append(readDepot(block, named: pair.key, at: pair.key.span, &findings))
          case .text(let path): references.append((pair.key, path, depots.count))
          }
        }
      default: break
      }
    }
    if !hasDepots || depots.isEmpty && references.isEmpty {
      findings.add(SteamRules.mapping("the app has no depots", at: nil))
    }
  }
}

/// The keys of a block, and whether each key is converted.
struct SteamKeys {
  struct Key: Sendable {
    enum Fate: Sendable {
      /// It is converted, or checked separately.
      case kept
      /// It has no counterpart; the text is the reason or a hint.
      case dropped(Finding.Message)
      /// It is a release setting.
      case release(Finding.Message)
    }

    var name: String
    var fate = Fate.kept
    var requiresBlock = false
    var isRepeatable = false
  }

  private static let logs: Finding.Message = "it configures the logs of Steam's build tool"
  private static let description: Finding.Message = "a pack has no description"

  static let depot: [Key] = [
    Key(name: "DepotID", fate: .dropped("a pack is identified by the ID of its manifest")),
    Key(name: "ContentRoot"),
    Key(name: "FileMapping", requiresBlock: true, isRepeatable: true),
    Key(name: "FileExclusion", isRepeatable: true), Key(name: "InstallScript", isRepeatable: true),
    Key(name: "FileProperties", requiresBlock: true, isRepeatable: true),
    Key(name: "BuildOutput", fate: .dropped(logs)), Key(name: "Desc", fate: .dropped(description)),
  ]
  static let mapping: [Key] = [
    Key(name: "LocalPath"), Key(name: "DepotPath"), Key(name: "Recursive"),
  ]
  static let properties: [Key] = [Key(name: "LocalPath"), Key(name: "Attributes")]
  static let app: [Key] = [
    Key(name: "AppID", fate: .dropped("packs belong to an app in App Store Connect")),
    Key(name: "Desc", fate: .dropped(description)),
    Key(name: "ContentRoot"), Key(name: "Depots", requiresBlock: true),
    Key(name: "BuildOutput", fate: .dropped(logs)), Key(name: "Verbose", fate: .dropped(logs)),
    Key(name: "Local", fate: .release("packs are tested on a device with your own server")),
    Key(
      name: "SetLive",
      fate: .release("submit the version of a pack in App Store Connect to release it")),
    Key(
      name: "Preview",
      fate: .release("packing uploads no files; a dry run writes no files")),
  ]

  private let owner: Finding.Message
  private let keys: [Key]
  private var seen: [String: SourceSpan] = [:]

  init(of owner: Finding.Message, _ keys: [Key]) {
    self.owner = owner
    self.keys = keys
  }

  /// Returns the key of a pair; nil if it is omitted, which is reported if its value matters.
  mutating func key(of pair: KeyValues.Pair, _ findings: inout Ledger) -> Key? {
    if SteamRules.reportInclusion(pair, &findings) { return nil }
    let name = pair.key.text.lowercased()
    guard let key = keys.first(where: { $0.name.lowercased() == name }) else {
      findings.add(SteamRules.unknownKey(pair.key, of: owner, known: keys.map(\.name)))
      return nil
    }
    if case .text(let word) = pair.value, key.requiresBlock {
      findings.add(SteamRules.mapping("'\(key.name)' requires a block in braces", at: word.span))
      return nil
    }
    if case .block = pair.value, !key.requiresBlock {
      findings.add(
        SteamRules.mapping(
          "'\(key.name)' requires a word, not a block", at: pair.key.span))
      return nil
    }
    if !key.isRepeatable {
      if let first = seen[name] {
        findings.add(SteamRules.duplicate(key.name, at: pair.key.span, first: first))
        return nil
      }
      seen[name] = pair.key.span
    }
    // An empty or disabled value has no effect.
    let text = if case .text(let word) = pair.value { word.text } else { "" }
    switch key.fate {
    case .kept: return key
    case .dropped(let note):
      if !text.isEmpty, text != "0" {
        findings.add(SteamRules.dropped(key.name, note, at: pair.key.span))
      }
    case .release(let note):
      if !text.isEmpty, text != "0" {
        findings.add(SteamRules.release(key.name, text, note, at: pair.key.span))
      }
    }
    return nil
  }

  /// Whether a word means yes.
  static func isTrue(_ word: KeyValues.Word, _ findings: inout Ledger) -> Bool {
    switch word.text.lowercased() {
    case "1", "true", "yes": return true
    case "0", "false", "no", "": return false
    default:
      findings.add(SteamRules.mapping("'Recursive' must be '1' or '0'", at: word.span))
      return false
    }
  }
}

/// Evaluates conditions for Windows, on which Steam builds run.
enum SteamCondition {
  private static let holding = ["$WIN32", "$WINDOWS", "$WIN64"]
  private static let others = [
    "$X360", "$OSX", "$LINUX", "$POSIX", "$MACOS", "$PS3", "$GAMECONSOLE", "$DECK",
  ]

  /// Returns the pairs whose conditions are true; reports each condition.
  static func applying(
    to pairs: [KeyValues.Pair], _ findings: inout Ledger
  ) -> [KeyValues.Pair] {
    pairs.filter { pair in
      guard let condition = pair.condition else { return true }
      let isTrue = isTrue(condition.text)
      findings.add(
        SteamRules.conditional(condition.text, pair.key.text, isTrue: isTrue, at: condition.span))
      return isTrue ?? false
    }
  }

  /// Whether a condition is true; nil if it is invalid or uses an unknown name.
  static func isTrue(_ text: String) -> Bool? {
    guard text.hasPrefix("["), text.hasSuffix("]"), text.utf8.count <= 1024 else { return nil }
    let inner = text.dropFirst().dropLast().uppercased().filter { !$0.isWhitespace }
    var result = false
    for choice in inner.split(separator: "||", omittingEmptySubsequences: false) {
      var all = true
      for part in choice.split(separator: "&&", omittingEmptySubsequences: false) {
        let isNegated = part.hasPrefix("!")
        let name = String(isNegated ? part.dropFirst() : part)
        guard holding.contains(name) || others.contains(name) else { return nil }
        if holding.contains(name) == isNegated { all = false }
      }
      if all { result = true }
    }
    return result
  }
}
