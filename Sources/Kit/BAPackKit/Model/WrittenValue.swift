import SourceDiagnostics

/// A JSON value, or the node of a text that contains it.
///
/// A parsed value uses several times more memory than its text.
enum WrittenValue: Sendable, Equatable {
  case value(JSONValue)
  case node(JSONNode)

  var value: JSONValue {
    switch self {
    case .value(let value): value
    case .node(let node): node.value
    }
  }

  var size: JSONSize {
    switch self {
    case .value(let value): JSONSize(of: value)
    case .node(let node): JSONSize(of: node)
    }
  }

  static func == (left: WrittenValue, right: WrittenValue) -> Bool { left.value == right.value }
}
