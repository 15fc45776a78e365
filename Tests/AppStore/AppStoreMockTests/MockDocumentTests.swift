import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import AppStoreMock

/// The documents of a mock: its state file, and the requests and responses of its control
/// interface.
@Suite(.mustEnd) struct MockDocumentTests {
  private static let now = Moment(seconds: 1_769_765_463, nanoseconds: 7_000_000)

  private static let details = Details(
    errors: [.init(code: "1", description: "an error")],
    warnings: [.init(code: "2", description: "a warning")])

  private static var pack: MockPack {
    var pack = MockPack(id: "p", appID: "7", identifier: "cave", created: now)
    pack.isArchived = true
    pack.lastVersion = 3
    pack.internalBetaVersion = "a"
    pack.externalBetaVersion = "b"
    pack.appStoreVersion = "c"
    return pack
  }

  private static var version: MockVersion {
    var version = MockVersion(id: "v", packID: "p", number: 3, created: now)
    version.state = .failed
    version.details = details
    version.platforms = ["IOS"]
    version.locale = "de"
    version.assetFile = "f"
    version.manifestFile = "m"
    version.due = now
    return version
  }

  private static var file: MockFile {
    var file = MockFile(
      id: "f", versionID: "v", kind: .manifest, name: "a.aar", size: 9, token: "t", expires: now,
      parts: [.init(number: 1, offset: 4, length: 5, tag: "x")])
    file.state = .failed
    file.errors = details.errors
    file.composite = "y"
    file.md5 = "z"
    file.judgement = judgement
    file.due = now
    return file
  }

  private static let judgement = Judgement(
    details: details, isBroken: true, platforms: ["TV_OS"], locale: "fr")

  private static let release = MockRelease(
    id: "r", versionID: "v", kind: .externalBeta, state: .inReview, due: now)

  private static let submission = ReviewSubmission(
    id: "s", appID: "7", platform: "IOS", submitted: now, state: .inReview, due: now)

  private static let item = ReviewItem(
    id: "i", submissionID: "s", versionID: "v", appStoreVersionID: "a", state: .approved)

  private static var store: MockStore {
    var store = MockStore(
      apps: [MockApp(id: "7", bundleID: "com.example.x", name: "X")], seed: "seed")
    _ = store.makeID()
    store.ahead = 600
    store.packs.add(pack)
    store.versions.add(version)
    store.files.add(file)
    store.releases.add(release)
    store.submissions.add(submission)
    store.items.add(item)
    return store
  }

  @Test func `each property of the state is written and read`() throws {
    try expectRoundTrip(MockApp(id: "7", bundleID: "com.example.x", name: "X", platforms: ["IOS"]))
    try expectRoundTrip(Self.pack)
    try expectRoundTrip(Self.version)
    try expectRoundTrip(Self.details)
    try expectRoundTrip(Self.details.errors[0])
    try expectRoundTrip(Self.judgement)
    try expectRoundTrip(Self.file)
    try expectRoundTrip(Self.file.parts[0])
    try expectRoundTrip(Self.release)
    try expectRoundTrip(Self.submission)
    try expectRoundTrip(Self.item)
    // Events are sent to webhooks when the request that caused them ends.
    try expectRoundTrip(Self.store, unwritten: ["events"])
    try expectRoundTrip(KeptState(store: Self.store))
  }

  @Test(arguments: [(-1, -1, 999), (-1000, -1, 0), (-1001, -2, 999), (1007, 1, 7), (0, 0, 0)])
  func `a moment is a number of milliseconds`(
    milliseconds: Int, seconds: Int64, rest: UInt32
  ) throws {
    var findings = Ledger()
    let text = SourceText(Array("\(milliseconds)".utf8), named: "moment")
    let node = try #require(JSONDocument(parsing: text).root)
    let read = JSONForm<Moment>.milliseconds.read(node, of: "due", into: &findings)
    #expect(read == Moment(seconds: seconds, nanoseconds: rest * 1_000_000))
    #expect(
      JSONForm<Moment>.milliseconds.value(Moment(seconds: seconds)) == .integer(seconds * 1000))
  }

  @Test func `a state file without a service ID and without advanced time is read`() throws {
    let text = #"""
      {
        "format" : 1,
        "store" : {
          "apps" : [
            {
              "bundleID" : "com.example.lantern", "id" : "1234567890", "name" : "L\/1",
              "platforms" : [ "IOS" ]
            }
          ],
          "files" : [

          ],
          "idCount" : 4, "items" : [], "packs" : [], "releases" : [], "seed" : "ba-package",
          "submissions" : [], "versions" : []
        }
      }
      """#
    let store = try KeptState.read(Array(text.utf8), named: "state.json").document.store
    #expect(store.seed == "ba-package")
    #expect(store.service.utf8.count == 36)
    #expect(store.ahead == 0)
    #expect(store.apps.all.map(\.name) == ["L/1"])
  }

  @Test(arguments: [
    ("advance", "{}", #"send {"seconds": 600}"#),
    (
      "advance", #"{"seconds": -1}"#,
      "'seconds' must be a whole number from 0 to 1099511627776, not '-1'"
    ),
    ("advance", #"{"seconds": "x"}"#, "'seconds' must be a whole number, not a string"),
    ("advance", "[]", #"the body must be an object, not an array; send {"seconds": 600}"#),
    ("fault", "{}", #"send {"fault": "PUT /upload/*: status 503 once"}"#),
    ("fault", #"{"fault": 1}"#, "'fault' must be a string, not a number"),
    (
      "review", "{}",
      #"send {"submission": "ID", "decision": "accept"}, or {"version": "ID", "beta": "submit"}"#
    ),
    (
      "review", #"{"version": "x", "beta": "y"}"#,
      "'beta' must be 'submit', 'begin', 'accept' or 'reject', not 'y'"
    ),
  ])
  func `an invalid request to the control interface is refused`(
    path: String, body: String, message: String
  ) throws {
    let error = try #require(try MockSite().control(path, body, 400).string("error"))
    #expect(error.contains(message), "\(error)")
  }
}
