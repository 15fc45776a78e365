import BlockCodecs
import SystemIO
import TerminalText

/// Rows that keep the order in which they came, and are found by their IDs.
struct Rows<Row: Sendable & Codable>: Sendable {
  private(set) var all: [Row] = []
  private var places: [String: Int] = [:]
  private let id: @Sendable (Row) -> String

  init(_ rows: [Row] = [], id: @escaping @Sendable (Row) -> String) {
    self.id = id
    for row in rows { add(row) }
  }

  mutating func add(_ row: Row) {
    places[id(row)] = all.count
    all.append(row)
  }

  mutating func remove(_ key: String) {
    self = Rows(all.filter { id($0) != key }, id: id)
  }

  /// A row; whoever sets one must have taken it from here.
  subscript(_ key: String) -> Row? {
    get { places[key].map { all[$0] } }
    set {
      if let newValue, let place = places[key] { all[place] = newValue }
    }
  }

  subscript(_ key: String?) -> Row? { key.flatMap { self[$0] } }
}

/// All that the mock knows: values, and nothing of how they are asked for.
struct Store: Sendable {
  var apps = Rows<App> { $0.id }
  var packs = Rows<Pack> { $0.id }
  var versions = Rows<Version> { $0.id }
  var files = Rows<MockFile> { $0.id }
  var releases = Rows<MockRelease> { $0.id }
  var submissions = Rows<ReviewSubmission> { $0.id }
  var items = Rows<ReviewItem> { $0.id }
  /// What the IDs are made of: equal seeds and equal requests give equal IDs.
  let seed: String
  /// The ID of the service in clients' records of uploads.
  let service: String
  /// The number of seconds by which transitions are ahead of the clock.
  var ahead: Int64 = 0
  private var idCount = 0

  init(apps: [App], seed: String, service: String = Store.makeServiceID()) {
    self.seed = seed
    self.service = service
    for app in apps { self.apps.add(app) }
  }

  /// Makes the ID of a new service.
  static func makeServiceID() -> String {
    var random = SystemRandomNumberGenerator()
    return id(of: "service/\(random.next() as UInt64)/\(random.next() as UInt64)")
  }

  /// Returns the time that determines transitions.
  func time(at clock: Moment) -> Moment { clock.adding(seconds: ahead) }

  // MARK: IDs

  /// A new ID: a UUID of version 5, of the seed and a count.
  mutating func makeID() -> String {
    idCount += 1
    return Self.id(of: "\(seed)/\(idCount)")
  }

  static func id(of text: String) -> String {
    guard var digest = try? Digest(.sha1) else { return text }
    Array(text.utf8).withRawSpan { digest.update($0) }
    return uuid(digest.finish().prefix(16), version: 5)
  }

  /// The one version of an app that can be sent to review.
  static func appStoreVersion(of app: App) -> String { id(of: "appStoreVersion/\(app.id)") }

  // MARK: Apps

  /// The number of apps from which on no unknown app is added.
  private static let mostApps = 1000

  /// Adds the app with a requested bundle ID or Apple ID, if it does not exist.
  ///
  /// Returns whether the app was added.
  mutating func admitApp(bundleID: String) -> Bool {
    guard App.isBundleID(bundleID), !apps.all.contains(where: { $0.bundleID == bundleID }) else {
      return false
    }
    return admit(App(bundleID: bundleID))
  }

  mutating func admitApp(id: String) -> Bool {
    guard App.isAppleID(id) else { return false }
    return admit(App(id: id, bundleID: "mock.app\(id)", name: "App \(id)"))
  }

  private mutating func admit(_ app: App) -> Bool {
    guard apps[app.id] == nil, apps.all.count < Self.mostApps else { return false }
    apps.add(app)
    return true
  }

  // MARK: Looking

  func packs(of app: String) -> [Pack] { packs.all.filter { $0.appID == app } }

  func versions(of pack: String) -> [Version] { versions.all.filter { $0.packID == pack } }

  func files(of version: String) -> [MockFile] { files.all.filter { $0.versionID == version } }

  func items(of submission: String) -> [ReviewItem] {
    items.all.filter { $0.submissionID == submission }
  }

  func release(_ kind: MockRelease.Kind, of version: String) -> MockRelease? {
    releases.all.first { $0.kind == kind && $0.versionID == version }
  }

  /// What a pack takes of the app's space: its largest version, but for those that nobody can get.
  func usedBytes(of pack: Pack) -> UInt64 {
    guard !pack.isArchived else { return 0 }
    return versions(of: pack.id).filter { $0.state == .complete && !isSuperseded($0) }
      .compactMap { files[$0.assetFile]?.size }.max() ?? 0
  }

  private func isSuperseded(_ version: Version) -> Bool {
    let states = releases.all.filter { $0.versionID == version.id }.map(\.state)
    // What was never offered outside cannot be superseded there.
    let offered = states.filter {
      ![.readyForBetaSubmission, .prepareForSubmission].contains($0)
    }
    return !offered.isEmpty && offered.allSatisfy { $0 == .superseded }
  }
}

extension Store: Codable {
  private enum Key: String, CodingKey {
    case apps, packs, versions, files, releases, submissions, items, seed, idCount
    case service, ahead
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    seed = try values.decode(String.self, forKey: .seed)
    idCount = try values.decode(Int.self, forKey: .idCount)
    // Older state files have neither.
    service = try values.decodeIfPresent(String.self, forKey: .service) ?? Self.makeServiceID()
    ahead = max(0, try values.decodeIfPresent(Int64.self, forKey: .ahead) ?? 0)
    apps = Rows(try values.decode([App].self, forKey: .apps)) { $0.id }
    packs = Rows(try values.decode([Pack].self, forKey: .packs)) { $0.id }
    versions = Rows(try values.decode([Version].self, forKey: .versions)) { $0.id }
    files = Rows(try values.decode([MockFile].self, forKey: .files)) { $0.id }
    releases = Rows(try values.decode([MockRelease].self, forKey: .releases)) { $0.id }
    submissions = Rows(try values.decode([ReviewSubmission].self, forKey: .submissions)) { $0.id }
    items = Rows(try values.decode([ReviewItem].self, forKey: .items)) { $0.id }
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(seed, forKey: .seed)
    try values.encode(idCount, forKey: .idCount)
    try values.encode(service, forKey: .service)
    try values.encode(ahead, forKey: .ahead)
    try values.encode(apps.all, forKey: .apps)
    try values.encode(packs.all, forKey: .packs)
    try values.encode(versions.all, forKey: .versions)
    try values.encode(files.all, forKey: .files)
    try values.encode(releases.all, forKey: .releases)
    try values.encode(submissions.all, forKey: .submissions)
    try values.encode(items.all, forKey: .items)
  }
}
