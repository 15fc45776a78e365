import BAPackKit
import SourceDiagnostics

/// Evaluates settings as Xcode does: with conditions, references and inherited values.
package struct SettingEvaluation {
  private let settings: XcodeProject.Settings
  /// The settings that are being evaluated, with the index of the current value.
  private var open: [String: Int] = [:]
  /// The remaining number of references and elements; the limit stops values that grow
  /// exponentially through references.
  private var budget = 20_000
  private var depth = 0
  private static let deepest = 64
  private let assignments: [String: [SettingAssignment]]
  /// The assignments of a setting whose conditions are met or cannot be evaluated.
  private var candidates: [String: [Candidate]] = [:]

  private struct Candidate {
    package var assignment: SettingAssignment
    package var fault: SettingFault?
  }

  package init(_ settings: XcodeProject.Settings) {
    self.settings = settings
    assignments = settings.assignments()
  }

  /// Returns the elements of a setting's value; empty for a setting without a value.
  package mutating func elements(of name: String) throws(SettingFault) -> [SettingElement] {
    guard let found = try next(of: name, after: -1) else { return [] }
    return try elements(of: found.assignment, at: found.index)
  }

  private mutating func elements(
    of assignment: SettingAssignment, at index: Int
  ) throws(SettingFault) -> [SettingElement] {
    let before = open.updateValue(index, forKey: assignment.key.name)
    var result: [SettingElement] = []
    for text in assignment.texts {
      result += try expanded(text, of: assignment).map {
        SettingElement(text: $0, span: assignment.span)
      }
    }
    open[assignment.key.name] = before
    return result
  }

  /// Returns the next value of a setting whose conditions are met.
  private mutating func next(
    of name: String, after index: Int
  ) throws(SettingFault) -> (assignment: SettingAssignment, index: Int)? {
    let all = candidates[name] ?? (assignments[name] ?? []).compactMap(candidate)
    candidates[name] = all
    guard index + 1 < all.count else { return nil }
    if let fault = all[index + 1].fault { throw fault }
    return (all[index + 1].assignment, index + 1)
  }

  private func candidate(_ assignment: SettingAssignment) -> Candidate? {
    do throws(SettingFault) {
      return try isMet(assignment) ? Candidate(assignment: assignment) : nil
    } catch {
      return Candidate(assignment: assignment, fault: error)
    }
  }

  private func isMet(_ assignment: SettingAssignment) throws(SettingFault) -> Bool {
    for condition in assignment.key.conditions {
      let value: String
      switch condition.parameter {
      case "sdk":
        value = settings.sdk
        let name = condition.pattern.prefix { !$0.isNumber }
        if name.endIndex < condition.pattern.endIndex {
          // `macosx15*` never applies to an iPhone. The SDK version for `iphoneos18*` is
          // unknown.
          guard name.contains("*") || name == value else { return false }
          throw SettingFault(
            assignment: assignment,
            reason: "its condition '\(condition.pattern)' depends on the version of the SDK")
        }
      case "arch": value = "arm64"
      case "variant": value = "normal"
      case "config": value = settings.name
      default:
        throw SettingFault(
          assignment: assignment, reason: "it has the unknown condition '\(condition.parameter)'")
      }
      let pattern = try? PathPattern(forFiles: condition.pattern)
      guard pattern?.matches(Array(value.utf8)) == true else { return false }
    }
    return true
  }

  // MARK: References

  private mutating func expanded(
    _ text: String, of assignment: SettingAssignment
  ) throws(SettingFault) -> [String] {
    guard depth < Self.deepest else {
      throw SettingFault(assignment: assignment, reason: "its references are nested too deeply")
    }
    depth += 1
    defer { depth -= 1 }
    var elements = SettingElements()
    var rest = text[...]
    while let character = rest.first {
      guard character == "$", !elements.escapesNext else {
        elements.add(character)
        rest.removeFirst()
        continue
      }
      guard let reference = try Reference(at: &rest, of: assignment) else {
        elements.add(character)
        rest.removeFirst()
        continue
      }
      elements.add(try value(of: reference, in: assignment))
    }
    let found = elements.finished()
    try spend(found.count + found.reduce(0) { $0 + $1.utf8.count / 64 }, on: assignment)
    return found
  }

  private mutating func spend(
    _ count: Int, on assignment: SettingAssignment
  ) throws(SettingFault) {
    budget -= count
    guard budget > 0 else {
      throw SettingFault(assignment: assignment, reason: "its value is too long")
    }
  }

  private mutating func value(
    of reference: Reference, in assignment: SettingAssignment
  ) throws(SettingFault) -> [String] {
    try spend(1, on: assignment)
    // The name may contain references: `$(TAGS_$(CONFIGURATION))`.
    let given = try expanded(reference.name, of: assignment).joined(separator: " ")
    let name = given == "inherited" ? assignment.key.name : given
    var elements: [String]?
    if let found = try next(of: name, after: open[name] ?? -1) {
      elements = try self.elements(of: found.assignment, at: found.index).map(\.text)
    } else if given == "inherited" || open[name] != nil {
      elements = []
    } else if let value = known(name) {
      elements = [value]
    }
    for (operation, operand) in reference.operations {
      switch operation {
      case "lower": elements = elements?.map { $0.lowercased() }
      case "upper": elements = elements?.map { $0.uppercased() }
      case "default":
        if elements?.isEmpty ?? true { elements = try expanded(operand ?? "", of: assignment) }
      default:
        throw SettingFault(
          assignment: assignment, reason: "the operation ':\(operation)' is not supported")
      }
    }
    guard let elements else {
      throw SettingFault(
        assignment: assignment, reason: "'$(\(name))' has no known value")
    }
    return elements
  }

  private func known(_ name: String) -> String? {
    switch name {
    case "PLATFORM_NAME", "SDKROOT": settings.sdk
    case "EFFECTIVE_PLATFORM_NAME": settings.sdk == "macosx" ? "" : "-" + settings.sdk
    default: settings.known[name]
    }
  }

  /// A reference to another setting: `$(NAME:lower)`, `${NAME}`, `$NAME`.
  private struct Reference {
    package var name: String
    package var operations: [(name: String, operand: String?)] = []

    /// Parses a reference at a `$`; nil if the `$` begins no reference.
    package init?(
      at rest: inout Substring, of assignment: SettingAssignment
    ) throws(SettingFault) {
      let after = rest.dropFirst()
      let closings: [Character: Character] = ["(": ")", "{": "}", "[": "]"]
      guard let opening = after.first, let closing = closings[opening] else {
        let name = after.prefix { SettingKey.isName("_\($0)") }
        guard SettingKey.isName(name) else { return nil }
        self.name = String(name)
        rest = rest[name.endIndex...]
        return
      }
      var parts: [String] = [""]
      // The closing characters of this reference and of those in its name.
      var ends = [closing]
      var index = after.index(after: after.startIndex)
      while index < after.endIndex {
        let character = after[index]
        let isNested = after[after.index(before: index)] == "$"
        if isNested, let end = closings[character] {
          ends.append(end)
        } else if character == ends.last {
          ends.removeLast()
          if ends.isEmpty { break }
        }
        if character == ":", ends.count == 1 {
          parts.append("")
        } else {
          parts[parts.count - 1].append(character)
        }
        index = after.index(after: index)
      }
      guard index < after.endIndex else {
        throw SettingFault(
          assignment: assignment, reason: "a '$\(opening)' has no closing '\(closing)'")
      }
      rest = after[after.index(after: index)...]
      name = parts[0]
      operations = parts.dropFirst().map { part in
        let elements = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(elements.first ?? ""), elements.count > 1 ? String(elements[1]) : nil)
      }
    }
  }
}
