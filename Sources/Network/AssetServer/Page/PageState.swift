import BAPackKit
import Faults
import HTTPServer
package import SourceDiagnostics
import SystemIO

/// The state of the page, or the parts of it that changed.
package struct PageState: Described {
  var server: LivePage.Facts?
  var packs: [ServedPack]?
  var build: Build?
  var switches: Switches?
  var devices: [RequestHistory.Device]?
  var requests: [RequestHistory.Line]?

  package static let table = Table<Self>(written: "a state") {
    Key("server", written: \.server, .object(server), "The server.")
    Key("packs", written: \.packs, .list(of: .object(pack)), "The served packs.")
    Key("build", written: \.build, .object(build), "The last build of the project.")
    Key("switches", written: \.switches, .object(switches), "The switches.")
    Key(
      "devices", written: \.devices, .list(of: .object(device)),
      "The devices, the one with the latest request first.")
    Key(
      "requests", written: \.requests, .list(of: .object(request)),
      "The latest requests, in order of arrival.")
  }

  private static let server = Table<LivePage.Facts>(written: "a server") {
    Key("started", written: \.started, .preciseMoment, "The time when the server started.")
    Key(
      "overrideURL", written: \.overrideURL, .text,
      "The address for the URL override on a device.")
    Key(
      "enrolmentURL", written: \.enrolmentURL, .nullable(.text),
      "The address of the page that installs the root certificate on a device.")
    Key(
      "rootDigest", written: \.rootDigest, .nullable(.text),
      "The SHA-256 digest of the root certificate.")
  }

  private static let pack = Table<ServedPack>(written: "a pack") {
    RaisedPack.table.keys.map { $0.written { RaisedPack(id: $0.id, version: $0.version) } }
    Key(
      "policy", written: \.archive.manifest.downloadPolicy.name, .text, "The download policy.")
    Key(
      "events", written: \.archive.manifest.downloadPolicy.events, .list(of: .word),
      "The kinds of installations to which the policy applies.")
    Key(
      "platforms", written: \.archive.manifest.platforms, .list(of: .word),
      "The platforms of the pack; empty for all platforms.")
    Key(
      "language", written: \.archive.manifest.language, .nullable(.language),
      "The language of the pack.")
    Key("size", written: \.archive.size, .bytes, "The size of the archive in bytes.")
    Key(
      "installedSize", written: \.archive.installedSize, .bytes,
      "The size of the installed files in bytes.")
    Key("sha256", written: \.archive.sha256, .text, "The SHA-256 digest of the archive.")
    Key(
      "outage", written: \.outage, .nullable(.text),
      "The reason why the pack cannot be delivered.")
  }

  private static let build = Table<Build>(written: "a build") {
    Key(
      "findings", written: \.findings, .nullable(.text),
      "The findings of the build, if it has errors: then the old packs are served.")
  }

  private static let device = Table<RequestHistory.Device>(written: "a device") {
    Key("address", written: \.address, .text, "The address of the device.")
    Key(
      "userAgent", written: \.userAgent, .nullable(.text),
      "The last 'User-Agent' that the device sent.")
    Key("requests", written: \.requests, .count, "The number of requests.")
    Key("bytes", written: \.bytes, .bytes, "The number of bytes that were sent to the device.")
    Key("last", written: \.last, .preciseMoment, "The time of the last request.")
  }

  private static let request = Table<RequestHistory.Line>(written: "a request") {
    Key("number", written: \.event.number, .count, "The unique number of the request.")
    Key("time", written: \.event.time, .preciseMoment, "The time when the request arrived.")
    Key("device", written: \.event.device, .text, "The address of the device.")
    Key(
      "userAgent", written: \.event.userAgent, .nullable(.text), "The 'User-Agent' of the request.")
    Key("method", written: \.event.method, .nullable(.text), "The method.")
    Key("path", written: \.event.path, .nullable(.text), "The path.")
    Key("query", written: \.event.query, .nullable(.text), "The query.")
    Key("range", written: \.event.range, .nullable(.text), "The 'Range' of the request.")
    Key("pack", written: \.event.pack, .nullable(.packID), "The ID of the requested pack.")
    Key("version", written: \.event.version, .nullable(.count), "The version of the pack.")
    Key(
      "size", written: \.event.size, .nullable(.bytes),
      "The size of the body of the response in bytes.")
    Key("sent", written: \.event.sent, .bytes, "The number of sent bytes of the body.")
    Key("milliseconds", written: \.milliseconds, .count, "The duration in milliseconds.")
    Key("isOver", written: { $0.event.outcome != nil }, .flag, "Whether the request ended.")
    Key(
      "status", written: \.event.outcome?.status, .nullable(.integer),
      "The status of the response.")
    Key(
      "isWhole", written: \.event.outcome?.isWhole, .nullable(.flag),
      "Whether the complete body was sent.")
    Key("fault", written: \.event.fault, .nullable(.text), "The fault of the response.")
    Key("remark", written: \.event.remark, .nullable(.text), "A hint for developers.")
    Key(
      "problem", written: \.event.problem, .nullable(.word),
      "The reason why the request is not valid.")
  }

  private static let switches = Table<Switches>(written: "switches") {
    SwitchBody.offline.keys.map { $0.written(of: \.status) }
    SwitchBody.latency.keys.map { $0.written(of: \.status) }
    SwitchBody.throttle.keys.map { $0.written(of: \.status) }
    Key("faults", written: \.faults, .list(of: .object(fault)), "The faults that are switched on.")
  }

  private static let fault = Table<Switches.FaultRow>(written: "a fault") {
    FaultScope.downloads.body.keys.map { $0.written { "\($0.fault.fault)" } }
    Key("count", written: \.fault.count, .count, "The number of times that the fault was applied.")
    Key(
      "matches", written: \.matches, .count,
      "The number of matching targets: packs and the manifest.")
  }

  /// A build of 'serve --pack'.
  struct Build: Equatable {
    let findings: String?
  }

  /// The switches at one moment; each value can be sent back to its switch unchanged.
  struct Switches {
    let status: LiveFaults.Status
    /// The packs to which faults can apply.
    let packs: [ServedPack]

    struct FaultRow {
      let fault: LiveFaults.ActiveFault
      /// The number of targets, packs and the manifest, to which the fault applies.
      let matches: Int
    }

    var faults: [FaultRow] {
      let targets = [.manifest] + packs.map { DownloadFault.Target.pack($0.id.text) }
      return status.faults.map { active in
        FaultRow(fault: active, matches: targets.count(where: active.fault.applies))
      }
    }
  }
}

/// The version of a pack.
struct RaisedPack: Described {
  let id: PackID
  let version: Int

  static let table = Table<Self>(written: "a version of a pack") {
    Key("id", written: \.id, .packID, "The ID of the pack.")
    Key("version", written: \.version, .count, "The version of the pack.")
  }
}

/// The bodies of requests that change a switch: objects with one member.
enum SwitchBody {
  static let offline = status {
    Key("offline", \.isOffline, .flag, "Whether no request gets a response.", example: "true")
  }
  static let latency = status {
    Key(
      "latency", \.latency, .latency, "The delay of each response; null for no delay.",
      example: #""200ms""#)
  }
  static let throttle = status {
    Key(
      "throttle", \.bytesPerSecond, .rate, "The bit rate limit of each device; null for no limit.",
      example: #""3mbit""#)
  }

  private static func status(
    @ListBuilder<Key<LiveFaults.Status>> _ keys: () -> [Key<LiveFaults.Status>]
  ) -> Table<LiveFaults.Status> {
    Table("the body", blank: LiveFaults.Status(), unknown: .refused, keys)
  }
}

extension JSONForm<Duration> {
  /// A delay, or null for no delay.
  fileprivate static var latency: JSONForm {
    .mapped(
      .nullable(.text), expecting: "a time such as 200ms, 1.5s or 2m, or null for no delay",
      write: { $0 > .zero ? $0.written : nil }, read: { $0.map { Duration(written: $0) } ?? .zero })
  }
}

extension JSONForm<UInt64?> {
  /// A number of bytes per second, written in bits per second, or null for no limit.
  fileprivate static var rate: JSONForm {
    .mapped(
      .nullable(.text), expecting: "a rate such as 3mbit or 500kbit, or null for no limit",
      write: { $0.map { BitRate.written(bytesPerSecond: $0) } }
    ) { text in
      guard let text else { return .some(nil) }
      return BitRate.bytesPerSecond(written: text).map { .some($0) }
    }
  }
}

extension JSONForm<Moment> {
  /// A moment in UTC with a precision of one millisecond; it is only written.
  fileprivate static var preciseMoment: JSONForm {
    JSONForm(.string(), write: { .string($0.text) }, reading: nil)
  }
}

extension DownloadPolicy {
  /// The events of the policy in the order of a manifest.
  var events: [InstallationEvent] {
    switch self {
    case .essential(let events), .prefetch(let events):
      InstallationEvent.allCases.filter(events.contains)
    case .onDemand: []
    }
  }
}

extension RequestHistory.Line {
  fileprivate var milliseconds: Int {
    let duration = event.outcome?.duration ?? start.duration(to: .now)
    return Int(clamping: duration.wholeMilliseconds)
  }
}

extension Moment {
  /// The moment in ISO 8601, in UTC, with milliseconds.
  fileprivate var text: String {
    let fraction = String(nanoseconds / 1_000_000)
    let zeros = String(repeating: "0", count: 3 - fraction.count)
    return "\(Moment(seconds: seconds).description.dropLast()).\(zeros)\(fraction)Z"
  }
}
