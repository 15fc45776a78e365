import HTTPServer

/// The properties of the head of a request with any bytes.
package enum RequestProperty {
  /// Returns the violated property; nil if there is none.
  package static func violation(in bytes: [UInt8]) -> String? {
    let size = RequestHead.size(of: bytes)
    if let trouble = trouble(of: size, in: bytes) { return trouble }
    let whole = Array(bytes.prefix(size ?? bytes.count))
    let head: RequestHead
    do throws(RequestError) {
      head = try RequestHead(parsing: whole[...])
    } catch {
      guard [400, 404, 411, 431, 505].contains(error.status), !error.reason.isEmpty else {
        return "an error has a status and a reason: \(error)"
      }
      return nil
    }
    guard size == whole.count else { return "what is accepted ends with an empty line" }
    // The same bytes inside others.
    let inside = ([0] + whole + [0])[1...whole.count]
    guard (try? RequestHead(parsing: inside)) == head else { return "a slice is read the same" }
    let again = Array(written(head).utf8)
    guard again.count > RequestLimits().headSize || (try? RequestHead(parsing: again[...])) == head
    else { return "a written head is read as the same head: \(written(head))" }
    return bodyTrouble(of: head, whole) ?? pathTrouble(of: head) ?? rangeTrouble(of: head)
      ?? fieldTrouble(of: head)
  }

  /// Returns the violated property of the end of a head, for any start of the search.
  private static func trouble(of size: Int?, in bytes: [UInt8]) -> String? {
    let mark = Array("\r\n\r\n".utf8)
    let first = bytes.indices.first { bytes[$0...].starts(with: mark) }.map { $0 + 4 }
    guard size == first else { return "a head ends at the first empty line" }
    for start in stride(from: 0, to: size ?? bytes.count, by: 7)
    where RequestHead.size(of: bytes, from: start) != size {
      return "the end is the same after a search of the first \(start) bytes"
    }
    return nil
  }

  private static func written(_ head: RequestHead) -> String {
    "\(head.method) \(head.target) HTTP/1.\(head.minorVersion)\r\n"
      + head.fields.map { "\($0.name): \($0.value)\r\n" }.joined() + "\r\n"
  }

  /// Returns the violated property of the body: a more tolerant reader than any known one finds no
  /// other size.
  private static func bodyTrouble(of head: RequestHead, _ bytes: [UInt8]) -> String? {
    guard bytes.count(where: { $0 == 13 }) == bytes.count(where: { $0 == 10 }),
      !bytes.contains(0)
    else { return "all lines end with CR LF, and there is no NUL" }
    var sizes: [String] = []
    for line in bytes.split(whereSeparator: { $0 == 13 || $0 == 10 }) {
      let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1)
      guard parts.count == 2 else { continue }
      let name = String(decoding: parts[0].filter { $0 > 32 }, as: UTF8.self).lowercased()
      if name == "transfer-encoding" { return "nothing is accepted that is encoded for the way" }
      if name == "content-length" {
        sizes.append(String(decoding: parts[1].filter { $0 > 32 }, as: UTF8.self))
      }
    }
    guard sizes.count <= 1, sizes.first.map({ UInt64($0) == head.bodySize }) ?? true,
      head.bodySize != nil || sizes.isEmpty
    else { return "a body has one size for all readers: \(sizes)" }
    return nil
  }

  private static func pathTrouble(of head: RequestHead) -> String? {
    let slash = UInt8(ascii: "/")
    guard head.path.first == slash, !head.path.contains(0),
      !head.path.split(separator: slash).contains(where: { $0.elementsEqual("..".utf8) })
    else { return "a path begins with a slash, and has no '..' and no NUL" }
    let path = head.target.utf8.prefix { $0 != UInt8(ascii: "?") }
    let isAbsolute = path.first == slash
    guard
      !isAbsolute || path.count(where: { $0 == slash }) == head.path.count(where: { $0 == slash })
    else { return "a slash is never the result of decoding" }
    guard head.target.utf8.allSatisfy({ $0 > 32 && $0 < 127 }),
      head.minorVersion == 0 || head.host != nil
    else { return "a target has plain characters, and there is a host" }
    return nil
  }

  private static func rangeTrouble(of head: RequestHead) -> String? {
    for size in [UInt64(0), 1, 1000, .max] {
      let values: [String?] = [head["range"], head.query, head.target]
      for value in values {
        guard case .part(let part) = ByteRange(value, of: size) else { continue }
        guard !part.isEmpty, part.upperBound <= size else {
          return "a part is inside the body: \(part)"
        }
        let again = ByteRange("bytes=\(part.lowerBound)-\(part.upperBound - 1)", of: size)
        guard again == .part(part) else { return "a range is read as it is written: \(part)" }
      }
    }
    return nil
  }

  private static func fieldTrouble(of head: RequestHead) -> String? {
    guard head.fields.count <= RequestLimits().fieldCount else {
      return "the number of fields is limited"
    }
    for field in head.fields {
      guard field.name == field.name.lowercased(), !field.name.isEmpty,
        !field.value.utf8.contains(where: { $0 < 32 && $0 != 9 || $0 == 127 }),
        head[field.name]?.isEmpty == false || field.value.isEmpty
      else { return "a field is one line: \(field)" }
    }
    _ = (head.keepsAlive, head.expectsContinue, head.query("platform"), head.pathText)
    return nil
  }
}
