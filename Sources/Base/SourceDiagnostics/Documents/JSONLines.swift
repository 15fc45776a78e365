/// The text of an object with a line for each member, and for each element of its long lists.
package struct JSONLines {
  private var bytes = Array("{".utf8)
  private var separator = ""

  private mutating func beginLine() {
    bytes += Array((separator + "\n").utf8)
    separator = ","
  }

  mutating func add(_ key: String, _ value: JSONValue) {
    beginLine()
    bytes += JSONWriter.bytes(.string(key), .compact) + Array(":".utf8)
    bytes += JSONWriter.bytes(value, .compact)
  }

  mutating func begin(_ key: String) {
    beginLine()
    bytes += JSONWriter.bytes(.string(key), .compact) + Array(":[".utf8)
    separator = ""
  }

  package mutating func addElement(_ value: JSONValue) {
    beginLine()
    bytes += JSONWriter.bytes(value, .compact)
  }

  /// Begins an object whose last member is a long list.
  mutating func openElement(_ members: [JSONValue.Member], _ key: String) {
    addElement(.object(members))
    bytes.removeLast()
    if !members.isEmpty { bytes.append(UInt8(ascii: ",")) }
    bytes += JSONWriter.bytes(.string(key), .compact) + Array(":[".utf8)
    separator = ""
  }

  mutating func end() {
    bytes.append(UInt8(ascii: "]"))
    separator = ","
  }

  mutating func closeElement() {
    end()
    bytes.append(UInt8(ascii: "}"))
  }

  consuming func finished() -> [UInt8] { bytes + Array("\n}\n".utf8) }
}
