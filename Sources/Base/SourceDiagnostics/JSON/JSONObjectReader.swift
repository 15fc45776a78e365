/// Reads an object with a table of keys and reports errors: unknown keys, missing keys, values of
/// the wrong type.
package struct JSONObjectReader {
  /// The treatment of unknown keys.
  package enum UnknownKeys: Sendable, Equatable {
    /// Each is an error.
    case refused
    /// Each is ignored: another version of the program may have written it.
    case ignored
    /// Each is a warning with this note, except a key that is similar to a missing required key:
    /// this is an error.
    case kept(note: String)
  }

  private let keys: [JSONKey]
  private var values: [JSONNode?]
  private var present: [Bool]

  /// Reads an object; `owner` is its name in messages: "a manifest".
  ///
  /// The members `others` are neither read nor unknown.
  package init(
    _ object: JSONNode, keys: [JSONKey], owner: String, unknown unknownKeys: UnknownKeys = .refused,
    besides others: Set<String> = [], into findings: inout Ledger
  ) {
    self.keys = keys
    values = Array(repeating: nil, count: keys.count)
    present = Array(repeating: false, count: keys.count)
    var unknown: [(key: JSONNode, name: String)] = []
    // Members are often in the order of the keys.
    var next = 0
    for member in object.members {
      guard !member.key.isDamaged else { continue }
      guard
        let index = keys[next...].firstIndex(where: { member.key.hasText($0.name) })
          ?? keys[..<next].firstIndex(where: { member.key.hasText($0.name) })
      else {
        if unknownKeys != .ignored, let name = member.key.string, !others.contains(name) {
          unknown.append((member.key, name))
        }
        continue
      }
      let name = keys[index].name
      next = index + 1
      // The second of two equal keys has been reported; the first one counts.
      guard !present[index] else { continue }
      present[index] = true
      if keys[index].shape.accepts(member.value.kind) {
        values[index] = member.value
      } else if member.value.kind != .invalid {
        findings.add(
          .wrongType(
            member.value, "'\(name)' must be \(keys[index].shape.expectation)",
            fixes: keys[index].fix(of: member.value, in: object).map { [$0] } ?? []))
      }
    }
    for (number, (key, name)) in unknown.enumerated() {
      guard !findings.isFull(of: .error) else {
        findings.leaveOut(.error)
        continue
      }
      let open = keys.indices.filter { !present[$0] && keys[$0].presence != .ignored }
      let known = number < Self.mostMisspelt ? open.map { keys[$0].name } : []
      let near = Spelling.nearest(to: name, among: known)
      var finding = Finding.unknownKey(key, name, owner: owner, known: known, near: near)
      let index = near.flatMap { near in keys.firstIndex { $0.name == near } }
      // A misspelled key is not reported again as missing, but it has no value.
      if let index { present[index] = true }
      if case .kept(let note) = unknownKeys, index.map({ keys[$0].presence }) != .required {
        finding.severity = .warning
        finding.notes.append(note)
      }
      findings.add(finding)
    }
    guard !object.isDamaged else { return }
    for index in keys.indices where keys[index].presence == .required && !present[index] {
      findings.add(.missingKey(keys[index], of: object, owner: owner))
    }
  }

  /// The maximum number of unknown keys of an object that are compared with known keys.
  ///
  /// An object with more unknown keys does not have them by typing mistakes.
  package static let mostMisspelt = 500

  /// The value of a key by its place in the table; nil if it is missing or of the wrong type.
  subscript(_ index: Int) -> JSONNode? { values[index] }

  /// The value of a key; nil if it is missing or of the wrong type.
  package subscript(_ name: String) -> JSONNode? {
    keys.firstIndex { $0.name == name }.flatMap { values[$0] }
  }
}
