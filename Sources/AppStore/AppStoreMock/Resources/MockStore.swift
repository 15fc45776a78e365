import BlockCodecs
import SourceDiagnostics
import SystemIO
import TerminalText

/// Rows in the order of their insertion, which are found by their IDs.
struct Rows<Row: Identifiable<String> & Sendable>: Sendable {
  private(set) var all: [Row] = []
  private var places: [String: Int] = [:]

  init(_ rows: [Row] = []) {
    for row in rows { add(row) }
  }

  mutating func add(_ row: Row) {
    places[row.id] = all.count
    all.append(row)
  }

  mutating func remove(_ key: String) { self = Rows(all.filter { $0.id != key }) }

  /// A row; only existing rows can be set.
  subscript(_ key: String) -> Row? {
    get { places[key].map { all[$0] } }
    set {
      if let newValue, let place = places[key] { all[place] = newValue }
    }
  }

  subscript(_ key: String?) -> Row? { key.flatMap { self[$0] } }
}

/// The contents of the mock, independent of requests.
struct MockStore: Sendable {
  var apps = Rows<MockApp>()
  var packs = Rows<MockPack>()
  var versions = Rows<MockVersion>()
  var files = Rows<MockFile>()
  var releases = Rows<MockRelease>()
  var submissions = Rows<ReviewSubmission>()
  var items = Rows<ReviewItem>()
  /// The seed of the IDs: equal seeds and equal requests result in equal IDs.
  private(set) var seed: String
  /// The ID of the service in clients' upload journals.
  private(set) var service: String
  /// The changes about which webhooks are not informed yet.
  private var events: [WebhookEvent] = []
  /// The number of seconds by which transitions are ahead of the clock.
  var ahead: Int64 = 0
  private var idCount = 0

  init(apps: [MockApp], seed: String, service: String = MockStore.makeServiceID()) {
    self.seed = seed
    self.service = service
    for app in apps { self.apps.add(app) }
  }

  /// Creates the ID of a new service.
  static func makeServiceID() -> String {
    var random = SystemRandomNumberGenerator()
    return id(of: "service/\(random.next() as UInt64)/\(random.next() as UInt64)")
  }

  /// Returns the time that determines transitions.
  func time(at clock: Moment) -> Moment { clock.adding(seconds: ahead) }

  // MARK: IDs

  /// Creates an ID: a UUID of version 5 from the seed and a counter.
  mutating func makeID() -> String {
    idCount += 1
    return Self.id(of: "\(seed)/\(idCount)")
  }

  static func id(of text: String) -> String {
    guard var digest = try? Digest(.sha1) else { return text }
    Array(text.utf8).withRawSpan { digest.update($0) }
    return uuid(digest.finish().prefix(16), version: 5)
  }

  // MARK: Events

  /// Records a change about which webhooks are informed.
  mutating func record(
    _ kind: WebhookEvent.Kind, of version: String, _ instance: String,
    _ states: (old: String, new: String)? = nil
  ) {
    guard let version = versions[version], let pack = packs[version.packID] else { return }
    events.append(
      WebhookEvent(
        id: Self.id(of: "\(seed)/event/\(instance)/\(states?.new ?? "")"), kind: kind,
        appID: pack.appID, instance: instance, states: states))
  }

  /// Removes and returns the recorded changes.
  mutating func takeEvents() -> [WebhookEvent] {
    defer { events = [] }
    return events
  }

  // MARK: Apps

  /// The maximum number of apps; further unknown apps are not added.
  private static let mostApps = 1000

  /// Adds the app with a requested bundle ID or Apple ID, if it does not exist.
  ///
  /// Returns whether the app was added.
  mutating func admitApp(bundleID: String) -> Bool {
    guard MockApp.isBundleID(bundleID), !apps.all.contains(where: { $0.bundleID == bundleID })
    else {
      return false
    }
    return admit(MockApp(bundleID: bundleID))
  }

  mutating func admitApp(id: String) -> Bool {
    guard MockApp.isAppleID(id) else { return false }
    return admit(MockApp(id: id, bundleID: "mock.app\(id)", name: "App \(id)"))
  }

  private mutating func admit(_ app: MockApp) -> Bool {
    guard apps[app.id] == nil, apps.all.count < Self.mostApps else { return false }
    apps.add(app)
    return true
  }

  // MARK: Queries

  func packs(of app: String) -> [MockPack] { packs.all.filter { $0.appID == app } }

  func versions(of pack: String) -> [MockVersion] { versions.all.filter { $0.packID == pack } }

  func files(of version: String) -> [MockFile] { files.all.filter { $0.versionID == version } }

  func items(of submission: String) -> [ReviewItem] {
    items.all.filter { $0.submissionID == submission }
  }

  func release(_ kind: MockRelease.Kind, of version: String) -> MockRelease? {
    releases.all.first { $0.kind == kind && $0.versionID == version }
  }

  /// Returns the storage that a pack uses: its largest version, without unavailable ones.
  func usedBytes(of pack: MockPack) -> UInt64 {
    guard !pack.isArchived else { return 0 }
    return versions(of: pack.id).filter { $0.state == .complete && !isSuperseded($0) }
      .compactMap { files[$0.assetFile]?.size }.max() ?? 0
  }

  private func isSuperseded(_ version: MockVersion) -> Bool {
    let states = releases.all.filter { $0.versionID == version.id }.map(\.state)
    // Versions that were never available outside cannot be superseded there.
    let offered = states.filter {
      ![.readyForBetaSubmission, .prepareForSubmission].contains($0)
    }
    return !offered.isEmpty && offered.allSatisfy { $0 == .superseded }
  }
}

// MARK: - In the state file

extension MockStore: Described {
  static let table = Table("the contents of a mock", blank: MockStore(apps: [], seed: "")) {
    Key("seed", \.seed, .text, "The seed of IDs and signatures.")
    Key("idCount", \.idCount, .count, "The number of IDs that were created.")
    // Files of earlier versions have neither of these.
    Key("service", \.service, .text, is: .optional, "The ID of the service.")
    Key("ahead", \.ahead, .ahead, is: .optional, "The seconds that were advanced.")
    Key("apps", \.apps, .rows(), "The apps.")
    Key("packs", \.packs, .rows(), "The packs.")
    Key("versions", \.versions, .rows(), "The versions of packs.")
    Key("files", \.files, .rows(), "The files of versions.")
    Key("releases", \.releases, .rows(), "The releases of versions.")
    Key("submissions", \.submissions, .rows(), "The submissions to App Review.")
    Key("items", \.items, .rows(), "The items of submissions.")
  }
}

extension JSONForm {
  fileprivate static func rows<Row: Described>() -> JSONForm where Value == Rows<Row> {
    .mapped(.list(of: .object), write: \.all, read: { Rows($0) })
  }
}

extension JSONForm<Int64> {
  fileprivate static var ahead: JSONForm {
    .mapped(.integer, write: { Int($0) }, read: { max(0, Int64($0)) })
  }
}
