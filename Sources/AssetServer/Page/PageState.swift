import BAPackKit
import Faults
import HTTPServer
import SourceDiagnostics
import SystemIO

/// What the page shows, as JSON whose keys are always the same; null stands for what is not there.
enum PageState {
  /// What is known of the server itself.
  static func server(_ facts: LivePage.Facts, since start: Moment) -> JSONValue {
    .object([
      .init("started", .string(start.text)), .init("overrideURL", .string(facts.overrideURL)),
      .init("enrolmentURL", .text(facts.enrolmentURL)),
      .init("rootDigest", .text(facts.rootDigest)),
    ])
  }

  static func pack(_ pack: ServedPack) -> JSONValue {
    let manifest = pack.archive.manifest
    return .object([
      .init("id", .string(pack.id.text)), .init("version", .integer(pack.version)),
      .init("policy", .string(manifest.downloadPolicy.name)),
      .init("events", .array(manifest.downloadPolicy.events.map { .string($0) })),
      .init("platforms", .array(manifest.platforms.map { .string($0.rawValue) })),
      .init("language", .text(manifest.language?.description)),
      .init("size", .integer(pack.archive.size)),
      .init("installedSize", .integer(pack.archive.installedSize)),
      .init("sha256", .string(pack.archive.sha256)), .init("outage", .text(pack.outage)),
    ])
  }

  static func device(_ device: RequestHistory.Device) -> JSONValue {
    .object([
      .init("address", .string(device.address)), .init("userAgent", .text(device.userAgent)),
      .init("requests", .integer(device.requests)), .init("bytes", .integer(device.bytes)),
      .init("last", .string(device.last.text)),
    ])
  }

  /// Returns the current switches; each value can be sent back to its switch unchanged.
  ///
  /// `matches` is the number of targets (the packs and the manifest) to which a fault applies.
  static func switches(_ status: ServerSwitches.Status, among packs: [ServedPack]) -> JSONValue {
    let targets = [Fault.Target.manifest] + packs.map { .pack($0.id.text) }
    return .object([
      .init("offline", .bool(status.isOffline)),
      .init("latency", status.latency > .zero ? .string(status.latency.written) : .null),
      .init(
        "throttle", .text(status.bytesPerSecond.map { BitRate.written(bytesPerSecond: $0) })),
      .init(
        "faults",
        .array(
          status.faults.map {
            .object([
              .init("fault", .string($0.fault.description)), .init("count", .integer($0.count)),
              .init("matches", .integer(targets.count(where: $0.fault.applies))),
            ])
          })),
    ])
  }

  static func request(_ line: RequestHistory.Line) -> JSONValue {
    let event = line.event
    let outcome = event.outcome
    let duration = outcome?.duration ?? line.start.duration(to: .now)
    return .object([
      .init("number", .integer(event.number)), .init("time", .string(event.time.text)),
      .init("device", .string(event.device)), .init("userAgent", .text(event.userAgent)),
      .init("method", .text(event.method)), .init("path", .text(event.path)),
      .init("query", .text(event.query)), .init("range", .text(event.range)),
      .init("pack", .text(event.pack?.text)), .init("version", .number(event.version)),
      .init("size", .number(event.size)), .init("sent", .integer(event.sent)),
      .init("milliseconds", .integer(duration.wholeMilliseconds)),
      .init("isOver", .bool(outcome != nil)),
      // Where nothing was said, there is no status.
      .init("status", .number(outcome?.status)),
      .init("isWhole", outcome.map { .bool($0.isWhole) } ?? .null),
      .init("fault", .text(event.fault)), .init("remark", .text(event.remark)),
      .init("problem", .text(event.problem?.rawValue)),
    ])
  }
}

extension DownloadPolicy {
  /// The events of the policy as they are written in a manifest.
  var events: [String] {
    switch self {
    case .essential(let events), .prefetch(let events):
      InstallationEvent.allCases.filter(events.contains).map(\.rawValue)
    case .onDemand: []
    }
  }
}

extension JSONValue {
  /// A text, or null.
  fileprivate static func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }

  /// A whole number, or null.
  fileprivate static func number(_ value: (some BinaryInteger)?) -> JSONValue {
    value.map { .integer($0) } ?? .null
  }
}

extension Moment {
  /// The moment in ISO 8601, in UTC, to a thousandth of a second.
  fileprivate var text: String {
    let fraction = String(nanoseconds / 1_000_000)
    let zeros = String(repeating: "0", count: 3 - fraction.count)
    return "\(Moment(seconds: seconds).description.dropLast()).\(zeros)\(fraction)Z"
  }
}
