import AssetServer
import BAPackKit
import HTTPServer
import SourceDiagnostics

/// The lines of standard output for programs, each with a member 'event'.
enum ServerEvent {
  static let ready = table("ready") {
    ServerAddresses.main.map { $0.written(of: { (line: Ready) in line.addresses }) }
    Key("packs", written: \.packs, .count, "The number of served packs.")
    ServerAddresses.pages.map { $0.written(of: \.addresses) }
  }
  static let request = table("request") { LoggedRequest.table.keys }
  static let added = table("added") { version }
  static let raised = table("raised") { version }
  static let unchanged = table("unchanged") { version }
  static let gone = table("gone") { pack }
  static let withdrawn = table("withdrawn") {
    pack.written(of: { (line: Withdrawn) in line.id })
    Key("path", written: \.path, .text, "The path of the archive.")
  }
  /// Lines that standard output did not accept in time.
  static let dropped = table("dropped") {
    Key<Int>("count", written: { $0 }, .count, "The number of dropped lines.")
  }

  static var jsonShape: JSONRecord {
    JSONRecord(choices: [
      [
        ready.record, request.record, added.record, raised.record, unchanged.record, gone.record,
        withdrawn.record, dropped.record,
      ]
    ])
  }

  typealias Ready = (addresses: ServerAddresses, packs: Int)
  typealias Version = (id: PackID, version: Int)
  typealias Withdrawn = (id: PackID, path: String)

  private static let pack = Key<PackID>("pack", written: { $0 }, .packID, "The ID of the pack.")
  private static let version = [
    pack.written(of: { (line: Version) in line.id }),
    Key("version", written: \.version, .count, "The version of the pack."),
  ]

  /// Returns the table of the lines whose member 'event' is `word`.
  static func table<Subject>(
    _ word: String, @ListBuilder<Key<Subject>> _ keys: () -> [Key<Subject>]
  ) -> Table<Subject> {
    let keys = keys()
    return Table(written: "an event") {
      Key(constant: "event", word, "The event.")
      keys
    }
  }
}

/// The lines of the file of '--log'.
enum LoggedRequest {
  static let table = Table<RequestEvent>(written: "a request") {
    Key("time", written: \.time, .moment, "The time when the request arrived.")
    Key("device", written: \.device, .text, "The address of the device.")
    Key("userAgent", written: \.userAgent, .text, "The 'User-Agent' of the request.")
    Key("method", written: \.method, .text, "The method.")
    Key("path", written: \.path, .text, "The path.")
    Key("query", written: \.query, .text, "The query.")
    Key("range", written: \.range, .text, "The 'Range' of the request.")
    Key("status", written: \.outcome?.status, .integer, "The status of the response.")
    Key(
      "bytes", written: { $0.problem == nil ? $0.outcome?.bodyBytes : nil }, .bytes,
      "The number of sent bytes of the body.")
    Key("milliseconds", written: milliseconds, .count, "The duration in milliseconds.")
    Key("pack", written: \.pack, .packID, "The ID of the requested pack.")
    Key("version", written: \.version, .count, "The version of the pack.")
    Key("fault", written: \.fault, .text, "The fault of the response.")
    Key("remark", written: \.remark, .text, "A hint for developers.")
  }

  /// Requests that the file did not accept in time.
  static let dropped = Table<Int>(written: "dropped requests") {
    Key("dropped", written: { $0 }, .count, "The number of requests that are missing here.")
  }

  static var jsonShape: JSONRecord { JSONRecord(choices: [[table.record, dropped.record]]) }

  @Sendable private static func milliseconds(_ event: RequestEvent) -> Int? {
    guard event.problem == nil, let outcome = event.outcome else { return nil }
    return Int(clamping: outcome.duration.wholeMilliseconds)
  }
}

/// The addresses of a running server.
struct ServerAddresses: Sendable {
  var url = ""
  var port = 0
  var enrolmentURL: String?
  var pageURL: String?

  static let main: [Key<Self>] = [
    Key("url", \.url, .text, "The address of the server."),
    Key("port", \.port, .count, "The port of the server."),
  ]
  static let pages: [Key<Self>] = [
    Key(
      "enrolmentURL", \.enrolmentURL, .text,
      "The address of the page that installs the certificate on a device."),
    Key("pageURL", \.pageURL, .text, "The address of the live page."),
  ]
}

/// The contents of the ready file of `serve`.
struct ReadyServer: Described {
  var addresses = ServerAddresses()
  var caFile = ""
  var token = ""

  static let table = Table("a ready file", blank: Self()) {
    Key(inlined: \.addresses)
    Key("caFile", \.caFile, .text, "The file of the certificate that clients must trust.")
    Key("controlToken", \.token, .text, "The token for the switches of the live page.")
  }
}

extension ServerAddresses: Described {
  static let table = Table("the addresses of a server", blank: Self()) {
    main
    pages
  }
}
