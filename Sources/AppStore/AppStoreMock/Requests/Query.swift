import BAPackKit
import HTTPServer
import SystemIO
import TerminalText

/// The validated parameters of a request.
struct Query: Sendable {
  private var values: [String: [String]] = [:]

  /// Validates parameters against an endpoint.
  init(
    _ items: [(name: String, value: String)], for endpoint: Endpoint
  ) throws(APIErrors) {
    var errors: [APIError] = []
    for (name, text) in items {
      guard let parameter = endpoint.parameters.first(where: { $0.name == name }) else {
        errors.append(.illegalParameter(name))
        continue
      }
      guard values[name] == nil else {
        errors.append(.invalidParameter(name, "The parameter '\(name)' occurs more than once"))
        continue
      }
      // Lists are separated by commas.
      let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      if let detail = Self.problem(parts, parameter) {
        errors.append(.invalidParameter(name, detail))
      }
      values[name] = parts
    }
    for case .required(let name) in endpoint.parameters where values["filter[\(name)]"] == nil {
      errors.append(.requiredParameter("filter[\(name)]"))
    }
    guard errors.isEmpty else { throw APIErrors(errors) }
  }

  /// Returns the error in the values of a parameter; nil if they are valid.
  private static func problem(
    _ values: [String], _ parameter: Endpoint.Parameter
  ) -> String? {
    let name = parameter.name
    func outside(_ valid: [String]) -> String? {
      values.first { !valid.contains($0) }.map {
        "'\($0)' is not a valid value for the parameter '\(name)'. Valid values are: "
          + valid.joined(separator: ", ")
      }
    }
    switch parameter {
    case .fields(let kind): return outside(kind.members)
    case .include(let inclusions): return outside(inclusions.map(\.rawValue))
    case .filter(_, let names): return outside(names)
    case .sort(let keys):
      let names = keys.flatMap { [$0.rawValue, "-\($0.rawValue)"] }
      return values.count == 1 ? outside(names) : "'\(name)' requires exactly one value"
    case .filterFlag: return outside(["true", "false"])
    case .filterText, .required:
      return values.contains("") ? "Found invalid values for '\(name)'" : nil
    case .filterPackID:
      let isValid = values.allSatisfy { PackIdentifier.problem($0) == nil }
      return isValid ? nil : "Found invalid values for '\(name)': \(values.joined(separator: ","))"
    case .limit(_, let most):
      guard values.count == 1, let number = Int(values[0]), (1...most).contains(number) else {
        return "'\(name)' must be a number from 1 to \(most)"
      }
      return nil
    case .cursor:
      return values.count == 1 && Cursor.place(values[0]) != nil
        ? nil : "'\(name)' must be a value from an earlier response"
    }
  }

  func filter(_ name: String) -> [String]? { values["filter[\(name)]"] }
  func fields(_ kind: ResourceKind) -> [String]? { values["fields[\(kind.rawValue)]"] }
  var include: [Inclusion] { (values["include"] ?? []).compactMap(Inclusion.init) }
  var sort: Sort? { values["sort"]?.first.flatMap(Sort.init) }
  var limit: Int? { values["limit"]?.first.flatMap { Int($0) } }
  var itemLimit: Int? { values["limit[items]"]?.first.flatMap { Int($0) } }
  var place: Int { values["cursor"]?.first.flatMap(Cursor.place) ?? 0 }

  /// Returns whether the response includes the resources of a relationship.
  func includes(_ relationship: String) -> Bool {
    values["include"]?.contains(relationship) ?? false
  }

  /// Returns whether a value matches a filter.
  func passes(_ name: String, _ value: String?) -> Bool {
    guard let expected = filter(name) else { return true }
    return value.map(expected.contains) ?? false
  }

  /// Returns whether a value of a list matches a filter.
  func passes(_ name: String, anyOf found: [String]?) -> Bool {
    guard let expected = filter(name) else { return true }
    return !Set(expected).isDisjoint(with: found ?? [])
  }
}

/// The start of the next page of a list, in an opaque form.
enum Cursor {
  static func text(_ place: Int) -> String {
    // Only characters that require no escaping in a URL.
    "c." + String(place &* 7919 &+ 104_729, radix: 36)
  }

  static func place(_ text: String) -> Int? {
    guard text.starts(with: "c."),
      let number = SystemIO.number(ofDigits: text.dropFirst(2), radix: 36)
    else { return nil }
    let (place, rest) = (Int(number) - 104_729).quotientAndRemainder(dividingBy: 7919)
    return rest == 0 && place > 0 ? place : nil
  }
}

/// The grammar of the identifiers of packs.
enum PackIdentifier {
  /// The largest number of characters that the service is known to accept.
  private static let longest = 64

  /// Returns the error in an identifier; nil if it is valid.
  static func problem(_ text: String) -> String? {
    let bytes = Array(text.utf8)
    let hyphen = UInt8(ascii: "-")
    guard let first = bytes.first, let last = bytes.last, first.isLetterOrDigit,
      last.isLetterOrDigit,
      bytes.allSatisfy({ $0.isLetterOrDigit || $0 == hyphen })
    else {
      return
        "ITMS-91133: the asset pack identifier can only have letters, digits and hyphens, and must "
        + "begin and end with a letter or a digit"
    }
    if bytes.count > longest {
      return "the asset pack identifier has more than \(longest) characters"
    }
    let isDoubled = zip(bytes, bytes.dropFirst()).contains { $0 == hyphen && $1 == hyphen }
    // It is unknown whether the service accepts two hyphens in a row.
    if isDoubled {
      return "the asset pack identifier has two hyphens in a row"
    }
    return nil
  }
}
