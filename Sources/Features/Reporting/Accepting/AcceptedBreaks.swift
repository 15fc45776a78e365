import BAPackKit
package import SourceDiagnostics
import SystemIO
import TerminalText

/// A list of known breaks that the user accepts, each with a reason and a last day.
///
/// The file is kept with the packs.
package struct AcceptedBreaks: Sendable {
  package struct Entry: Sendable {
    let breakage: Breakage
    let pack: NamePattern
    let path: PathPattern?
    /// The reason why it is accepted.
    package let reason: String
    /// The last day of acceptance in ISO 8601 format.
    package let until: String
    let span: SourceSpan

    /// The values of the breaks that an entry without wildcards covers.
    struct Values: Hashable {
      var breakage: Breakage
      var pack: [UInt8]
      var path: AssetPath?
    }

    /// The values of its breaks; nil if a pattern has wildcards.
    var values: Values? {
      guard let pack = pack.literal else { return nil }
      guard let path else { return Values(breakage: breakage, pack: pack) }
      return path.literal.map { Values(breakage: breakage, pack: pack, path: $0) }
    }

    /// Whether the entry applies to a break.
    func covers(_ found: Break) -> Bool {
      guard found.breakage == breakage,
        pack.matches(Array(found.pack.text.utf8)[...], dotIsOrdinary: true)
      else { return false }
      guard let path else { return true }
      return found.path.map { path.matches($0.bytes) } ?? false
    }
  }

  package let entries: [Entry]
  package let source: SourceText
  /// The findings of the text.
  package let findings: Ledger

  /// The keys of an entry.
  private enum Keys {
    static let accepted = JSONKey(
      "accepted", .array(of: .object([breaks, pack, path, reason, until]), atLeast: 0),
      "The accepted breaks.")
    static let breaks = JSONKey(
      "breaks", .word(Breakage.allCases.map(\.rawValue)), "The kind of the break.")
    static let pack = JSONKey("pack", .string(pattern: "^.+$"), "The ID of the pack, or a pattern.")
    static let path = JSONKey(
      "path", .string(pattern: "^.+$"), is: .optional, "The path, or a pattern.")
    static let reason = JSONKey(
      "reason", .string(pattern: "^.+$"),
      "The reason why it is accepted.")
    static let until = JSONKey(
      "until", .string(pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), "The last day: 2027-01-31.")
  }

  /// The schema of a list.
  package static var jsonShape: JSONRecord { JSONRecord(keys: [Keys.accepted], isOpen: false) }

  /// Parses a list; `name` is used in messages.
  package init(parsing bytes: [UInt8], named name: String) {
    source = SourceText(bytes, named: name)
    let json = JSONDocument(parsing: source)
    var findings = Ledger(about: source)
    findings.add(contentsOf: json.findings)
    var entries: [Entry] = []
    if let root = json.root, root.kind == .object {
      let object = JSONObjectReader(
        root, keys: [Keys.accepted], owner: "a list of accepted breaks", into: &findings)
      for element in object[Keys.accepted.name].map({ Array($0.elements) }) ?? [] {
        if let entry = Self.entry(element, &findings) { entries.append(entry) }
      }
    } else if let root = json.root, root.kind != .invalid {
      findings.add(.wrongType(root, "a list of accepted breaks must be an object"))
    }
    self.entries = entries
    self.findings = findings
  }

  private static func entry(_ node: JSONNode, _ findings: inout Ledger) -> Entry? {
    guard node.kind == .object else {
      if node.kind != .invalid { findings.add(.wrongType(node, "an entry must be an object")) }
      return nil
    }
    let object = JSONObjectReader(
      node, keys: [Keys.breaks, Keys.pack, Keys.path, Keys.reason, Keys.until], owner: "an entry",
      into: &findings)
    func text(_ key: JSONKey) -> (JSONNode, String)? {
      object[key.name].flatMap { node in node.string.map { (node, $0) } }
    }
    guard let (kindNode, word) = text(Keys.breaks), let (packNode, pack) = text(Keys.pack),
      let (reasonNode, reason) = text(Keys.reason), let (untilNode, until) = text(Keys.until)
    else { return nil }
    guard let breakage = Breakage(rawValue: word) else {
      findings.add(
        ChangeRules.value(
          "unknown kind of break '\(word)'; expected "
            + "\(Finding.list(Breakage.allCases.map(\.rawValue)))", at: kindNode.span))
      return nil
    }
    guard isDay(until) else {
      findings.add(
        ChangeRules.value(
          "expected a date such as 2027-01-31 instead of '\(until)'", at: untilNode.span))
      return nil
    }
    guard !reason.allSatisfy(\.isWhitespace) else {
      findings.add(ChangeRules.value("the reason is empty", at: reasonNode.span))
      return nil
    }
    guard let packs = try? NamePattern(parsing: FileName(Array(pack.utf8))) else {
      findings.add(ChangeRules.value("'\(pack)' is not a pattern", at: packNode.span))
      return nil
    }
    var paths: PathPattern?
    if let (pathNode, path) = text(Keys.path) {
      paths = try? PathPattern(forFiles: path)
      guard paths != nil else {
        findings.add(ChangeRules.value("'\(path)' is not a pattern", at: pathNode.span))
        return nil
      }
    }
    return Entry(
      breakage: breakage, pack: packs, path: paths, reason: reason, until: until, span: node.span)
  }

  private static func isDay(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.map(\.utf8.count) == [4, 2, 2],
      parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
      (1...12).contains(month)
    else { return false }
    let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
    let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    return (1...days[month - 1]).contains(day)
  }

  /// Divides breaks into unaccepted ones and ones that are accepted today.
  ///
  /// Expired and unused entries become findings.
  package func divide(
    _ breaks: [Break], today: String, _ findings: inout Ledger
  ) -> (open: [Break], accepted: [(found: Break, entry: Entry)]) {
    var used = Array(repeating: false, count: entries.count)
    var open: [Break] = []
    var accepted: [(found: Break, entry: Entry)] = []
    // An entry without wildcards is found by its values.
    let byValues = Dictionary(grouping: entries.indices) { entries[$0].values }
    for found in breaks {
      let values: [Entry.Values?] = [nil, found.path].map { path in
        Entry.Values(breakage: found.breakage, pack: Array(found.pack.text.utf8), path: path)
      }
      let candidates = (values + [nil]).flatMap { byValues[$0] ?? [] }
      let covering = Set(candidates).sorted().filter { entries[$0].covers(found) }
      for index in covering { used[index] = true }
      if let index = covering.first(where: { today <= entries[$0].until }) {
        accepted.append((found, entries[index]))
      } else {
        open.append(found)
      }
    }
    var own = Ledger(about: source)
    for (entry, isUsed) in zip(entries, used) {
      if !isUsed {
        own.add(ChangeRules.unused(at: entry.span))
      } else if today > entry.until {
        own.add(ChangeRules.until(entry.until, at: entry.span))
      }
    }
    findings.add(contentsOf: own)
    return (open, accepted)
  }
}
