/// Header fields of a response.
///
/// Fields that many responses share are encoded once.
package struct ResponseFields: Sendable, ExpressibleByArrayLiteral {
  package private(set) var list: [(name: String, value: String)] = []
  /// The encoded fields, each followed by CR LF.
  private(set) var bytes: [UInt8] = []

  package init(arrayLiteral fields: (name: String, value: String)...) {
    for field in fields { append(field) }
  }

  /// Adds a field.
  package mutating func append(_ field: (name: String, value: String)) {
    list.append(field)
    bytes += field.name.utf8
    bytes += ": ".utf8
    bytes += field.value.utf8
    bytes += "\r\n".utf8
  }

  /// Returns the fields of both values, in order.
  package static func + (first: ResponseFields, second: ResponseFields) -> ResponseFields {
    var all = first
    all.list += second.list
    all.bytes += second.bytes
    return all
  }
}
