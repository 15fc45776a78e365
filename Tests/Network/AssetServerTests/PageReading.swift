import Foundation
import HTTPServer
import SystemIO
import Testing

/// A response of a server.
struct Answer {
  let head: String
  let text: String

  init(_ answer: (head: String, body: [UInt8])) {
    head = answer.head
    text = String(decoding: answer.body, as: UTF8.self)
  }

  /// The JSON text without whitespace for readability.
  var compact: String {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
      .replacing("\": ", with: "\":")
  }

  var status: Int { Int(head.dropFirst(9).prefix(3)) ?? 0 }
}

/// The state of a page as JSON, or a change of it.
struct ReadState {
  let name: String
  let text: String
  /// The keys in the order in which they are written.
  let keys: [String]
  private let members: [String: Any]

  init(_ name: String, _ text: String) throws {
    self.name = name
    self.text = text
    let members = try #require(
      try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    self.members = members
    keys = ["server", "packs", "build", "switches", "devices", "requests"]
      .filter { members[$0] != nil }
    #expect(members.count == keys.count)
  }

  func list(_ key: String) -> [[String: Any]] { members[key] as? [[String: Any]] ?? [] }
  func object(_ key: String) -> [String: Any] { members[key] as? [String: Any] ?? [:] }
  var requests: [[String: Any]] { list("requests") }
  private var board: [[String: Any]] { object("switches")["faults"] as? [[String: Any]] ?? [] }
  var faults: [String] { board.compactMap { $0["fault"] as? String } }
  var counts: [Int] { board.compactMap { $0["count"] as? Int } }
}

extension Site {
  var overrideURL: String { "https://127.0.0.1:\(server.address.port)" }

  /// Sends a request to the listener of the page, as a script does.
  func script(
    _ request: String, _ body: String = "", token: String? = token, fields: String = ""
  ) throws -> Answer {
    let port = pageServer.address.port
    let authorization = token.map { "\r\nAuthorization: Bearer \($0)" } ?? ""
    let length = body.isEmpty ? "" : "\r\nContent-Length: \(body.utf8.count)"
    return Answer(
      try send(
        "\(request) HTTP/1.1\r\nHost: 127.0.0.1:\(port)\(authorization)\(length)\(fields)", body,
        of: port))
  }

  func state() throws -> ReadState {
    try ReadState("state", try script("GET /api/state", token: nil).text)
  }
}

/// Reads an event stream as a browser does.
final class EventStream {
  private let connection: Connection
  private var buffer: [UInt8] = []

  init(_ site: Site, withSwitches: Bool) throws {
    let server = withSwitches ? site.pageServer : site.server
    let port = server.address.port
    connection = try Connection.connect(
      to: "127.0.0.1", port: port, timeout: .seconds(600), .unstoppable)
    try connection.write(
      Array(
        ("GET \(withSwitches ? "/api/events" : "/?events") HTTP/1.1\r\nHost: "
          + "127.0.0.1:\(port)\r\n\r\n")
          .utf8))
    let head = try #require(try part("\r\n\r\n"))
    #expect(head.hasPrefix("HTTP/1.1 200 ") && head.contains("Content-Type: text/event-stream\r\n"))
    #expect(head.contains("Cache-Control: no-store\r\n"))
  }

  /// Returns the text up to a separator; nil at the end.
  private func part(_ mark: String) throws -> String? {
    let mark = Array(mark.utf8)
    while true {
      if buffer.count >= mark.count,
        let end = (0...buffer.count - mark.count).first(where: {
          buffer[$0..<$0 + mark.count].elementsEqual(mark)
        })
      {
        defer { buffer.removeFirst(end + mark.count) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      let more = try connection.read(atMost: 1 << 16)
      if more.isEmpty { return nil }
      buffer += more
    }
  }

  func next() throws -> ReadState {
    while true {
      let lines = try #require(try part("\n\n")).split(separator: "\n")
      guard let name = lines.first(where: { $0.hasPrefix("event: ") })?.dropFirst(7),
        let data = lines.first(where: { $0.hasPrefix("data: ") })?.dropFirst(6)
      else { continue }
      return try ReadState(String(name), String(data))
    }
  }

  func until(_ condition: (ReadState) throws -> Bool) throws -> ReadState {
    while true {
      let state = try next()
      if try condition(state) { return state }
    }
  }

  /// Reads until the stream ends.
  func isEnded() throws -> Bool {
    while try part("\n\n") != nil {}
    return true
  }
}
