import BAPackKit
import Faults
package import SourceDiagnostics
import SystemIO

/// The state of a mock, for tests: the response to `GET /__mock/state`.
///
/// It contains no secrets.
package struct MockState: Described {
  let store: MockStore
  let now: Moment
  let faults: [ServiceFault]
  let violations: [String]
  let events: [MockEvent]

  /// A row, and the store with its related rows.
  private struct Stored<Row: Sendable>: Sendable {
    let row: Row
    let store: MockStore
  }

  private func stored<Row>(_ rows: [Row]) -> [Stored<Row>] {
    rows.map { Stored(row: $0, store: store) }
  }

  package static let table = Table<Self>(written: "the state of a mock") {
    Key("service", written: \.store.service, .text, "The ID of the service.")
    Key("now", written: \.now, .moment, "The time that determines transitions.")
    Key("apps", written: \.store.apps.all, .list(of: .object(app)), "The apps.")
    Key("packs", written: { $0.stored($0.store.packs.all) }, .list(of: .object(pack)), "The packs.")
    Key(
      "submissions", written: { $0.stored($0.store.submissions.all) },
      .list(of: .object(submission)), "The submissions to App Review.")
    Key("faults", written: { $0.faults.map(\.description) }, .list(of: .text), "The faults.")
    Key(
      "violations", written: \.violations, .list(of: .text),
      "The violations of clients, such as a token sent to the storage.")
    Key("requests", written: \.events, .list(of: .object), "The last requests.")
  }

  private static let app = Table<MockApp>(written: "an app") {
    Key("id", written: \.id, .text, "The Apple ID.")
    Key("bundleId", written: \.bundleID, .text, "The bundle ID.")
    Key(
      "appStoreVersion", written: { MockStore.versions(of: $0).first?.id }, .text,
      "The ID of the version of the app that can be submitted.")
    Key("platforms", written: \.platforms, .list(of: .text), "The platforms.")
  }

  private static let pack = Table<Stored<MockPack>>(written: "a pack") {
    Key("id", written: \.row.id, .text, "The ID of the record.")
    Key("app", written: \.row.appID, .text, "The Apple ID of the app.")
    Key("identifier", written: \.row.identifier, .text, "The ID of the pack.")
    Key("archived", written: \.row.isArchived, .flag, "Whether the pack is archived.")
    Key(
      "usedBytes", written: { $0.store.usedBytes(of: $0.row) }, .bytes,
      "The storage that the pack uses in bytes.")
    Key(
      "versions",
      written: { pack in
        pack.store.versions(of: pack.row.id).map { Stored(row: $0, store: pack.store) }
      }, .list(of: .object(version)), "The versions.")
  }

  private static let version = Table<Stored<MockVersion>>(written: "a version") {
    Key("id", written: \.row.id, .text, "The ID.")
    Key("number", written: \.row.number, .integer, "The number.")
    Key("state", written: \.row.state, .word, "The state.")
    Key(
      "errors", written: { $0.row.details.errors.map(\.code) }, .list(of: .text),
      "The codes of the errors.")
    Key(
      "warnings", written: { $0.row.details.warnings.map(\.code) }, .list(of: .text),
      "The codes of the warnings.")
    Key("releases", written: \.self, .object(releases), "The states of the releases.")
    Key(
      "files", written: { $0.store.files(of: $0.row.id) }, .list(of: .object(file)), "The files.")
  }

  private static let releases = Table<Stored<MockVersion>>(written: "releases") {
    MockRelease.Kind.allCases.map { kind in
      Key(
        kind.relationship, written: { $0.store.release(kind, of: $0.row.id)?.state }, .word,
        "The state of this release.")
    }
  }

  private static let file = Table<MockFile>(written: "a file") {
    Key("id", written: \.id, .text, "The ID.")
    Key("type", written: \.kind, .word, "The type of the file.")
    Key("name", written: \.name, .text, "The name.")
    Key("size", written: \.size, .bytes, "The size in bytes.")
    Key("state", written: \.state, .word, "The state.")
    Key("parts", written: \.parts.count, .count, "The number of parts.")
    Key(
      "missing", written: { $0.parts.filter { $0.tag == nil }.map(\.number) },
      .list(of: .integer), "The numbers of the missing parts.")
  }

  private static let submission = Table<Stored<ReviewSubmission>>(written: "a submission") {
    Key("id", written: \.row.id, .text, "The ID.")
    Key("app", written: \.row.appID, .text, "The Apple ID of the app.")
    Key("platform", written: \.row.platform, .nullable(.text), "The platform, or null.")
    Key("state", written: \.row.state, .word, "The state.")
    Key(
      "items", written: { $0.store.items(of: $0.row.id) }, .list(of: .object(item)), "The items.")
  }

  private static let item = Table<ReviewItem>(written: "an item") {
    Key("id", written: \.id, .text, "The ID.")
    Key("state", written: \.state, .word, "The state.")
    Key("version", written: \.versionID, .nullable(.text), "The version of a pack, or null.")
    Key(
      "appStoreVersion", written: \.appStoreVersionID, .nullable(.text),
      "The version of the app, or null.")
  }
}

extension AppStoreMock {
  var state: MockState {
    let (now, contents) = (now, with { $0 })
    return MockState(
      store: contents.store, now: now, faults: contents.faults.all,
      violations: contents.violations, events: contents.events)
  }
}

extension MockEvent: Described {
  package static let table = Table<Self>(written: "a request") {
    Key("number", written: \.number, .count, "The number of the request.")
    Key("time", written: \.time, .moment, "The time.")
    Key("method", written: \.method, .text, "The method.")
    Key("path", written: \.path, .text, "The path.")
    Key(
      "query", written: { $0.query.isEmpty ? nil : $0.query }, .text,
      "The parameters, without signatures.")
    Key("status", written: \.status, .count, "The status of the response; 0 if there was none.")
    Key("bytes", written: \.received, .bytes, "The number of received bytes of the body.")
    Key(
      "to", written: { $0.isForStorage ? Addressee.storage : .interface }, .word,
      "The address of the request.")
    Key("token", written: \.hasToken, .flag, "Whether the request has a token.")
    Key("fault", written: \.fault, .text, "The fault of the response.")
    Key("remark", written: \.remark, .text, "A reason that the client does not get.")
    Key("fields", written: \.fields, .fields, "The header fields, without tokens.")
    Key("body", written: \.body, .text, "The body, if it is a document.")
  }

  private enum Addressee: String, Sendable, CaseIterable { case storage, interface }

  /// The request in the log.
  package var members: [JSONValue.Member] { Self.table.members(of: self) }
}

extension JSONForm<[(name: String, value: String)]> {
  /// An object with a member for each header field.
  fileprivate static var fields: JSONForm {
    JSONForm(
      .values(of: .string()),
      write: { fields in .object(fields.map { .init($0.name, .string($0.value)) }) }, reading: nil)
  }
}
