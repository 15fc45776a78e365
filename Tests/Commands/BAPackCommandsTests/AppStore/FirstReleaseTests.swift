import AppStoreMock
import Arguments
import Foundation
import TestSupport
import Testing

@testable import BAPackCommands

/// The way of a first release without a browser: `submit --with-app-version`, `wait --for` and
/// `status`.
@Suite(.mustEnd) struct FirstReleaseTests {
  private static func site(
    _ packs: String..., platforms: [String] = ["IOS"], extra: String = "",
    _ change: (inout MockSettings) -> Void = { _ in }
  ) throws -> MockedService {
    let site = try MockedService(platforms: platforms, change)
    for pack in packs { try upload(site, pack, extra: extra) }
    return site
  }

  private static func upload(
    _ site: MockedService, _ pack: String, seed: UInt8 = 1, extra: String = ""
  ) throws {
    let archive = try site.pack(pack, 100, seed: seed, platforms: #""iOS""#, extra: extra)
    let run = site.run("upload", archive, "--wait")
    guard run.ending == .status(.done) else {
      throw MockedService.Refused(messages: run.messages)
    }
  }

  private static func submissions(_ site: MockedService) throws -> [[String: Any]] {
    let run = site.run("app-store", "submissions", "list", "--all", "--format", "json")
    let object = try JSONSerialization.jsonObject(with: Data(run.outputBytes)) as? [String: Any]
    return try #require(object?["submissions"] as? [[String: Any]])
  }

  private static func id(_ site: MockedService) throws -> String {
    try #require(try submissions(site).last?["id"] as? String)
  }

  private static func approve(_ site: MockedService) throws {
    let id = try id(site)
    try site.control("review", #"{"submission": "\#(id)", "decision": "accept"}"#)
    try site.control("advance", #"{"seconds": 60}"#)
  }

  @Test func `the first packs are submitted with the version of the app`() throws {
    let site = try Self.site("cave", "isle")
    // Alone they are refused, and the remedy is the option.
    let alone = site.run("app-store", "submit", "cave", "isle", "--yes")
    #expect(alone.ending == .status(.failed))
    #expect(alone.messages.contains("must be submitted with a version of the app"))
    #expect(
      alone.messages.contains(
        "if neither the pack nor the app was ever live, add the version of the app with "
          + "--with-app-version"), "\(alone.messages)")
    let run = site.run(
      "app-store", "submit", "--all", "--with-app-version", "1.0", "--yes", "--format", "json")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(
      run.messages.contains(
        "Submitted 2 packs and version 1.0 of the app (IOS): waiting for review."),
      "\(run.messages)")
    #expect(run.output.contains(#""appVersion": "1.0""#))
    let list = site.run("app-store", "submissions", "list")
    #expect(list.output.contains("version 1.0 of the app (IOS) (ready for review)"))
    let twice = site.run(
      "app-store", "submit", "cave", "--with-app-version", "1.0", "--yes")
    #expect(twice.messages.contains("'cave' was already submitted"), "\(twice.messages)")
    try Self.approve(site)
    // Now the app is live: the next packs can go alone.
    try Self.upload(site, "cave", seed: 2)
    let next = site.run("app-store", "submit", "--all", "--yes")
    #expect(next.ending == .status(.done), "\(next.messages)")
    #expect(next.messages.contains("cave  version 2   replaces version 1 for all app users"))
    #expect(!next.messages.contains("isle"), "\(next.messages)")
  }

  @Test func `a prepared submission is completed and sent later`() throws {
    let site = try Self.site("cave", "isle")
    let run = site.run(
      "app-store", "submit", "cave", "--with-app-version", "1.0", "--no-submit", "--format", "json")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(run.output.contains(#""outcome": "prepared""#))
    let id = try Self.id(site)
    #expect(run.messages.contains("--submission \(id) --yes"), "\(run.messages)")
    #expect(try Self.submissions(site).map { $0["state"] as? String } == ["READY_FOR_REVIEW"])
    // Without the submission's ID its packs are not moved, and the message names the ID.
    let other = site.run("app-store", "submit", "cave", "--yes")
    #expect(other.ending == .status(.failed))
    #expect(other.messages.contains("use '--submission \(id)'"), "\(other.messages)")
    // Packs are added; the items that were there are kept.
    let added = site.run("app-store", "submit", "isle", "--submission", id, "--no-submit")
    #expect(added.ending == .status(.done), "\(added.messages)")
    #expect(added.messages.contains("It also contains version 1.0 of the app (IOS)."))
    // A newer version of a pack replaces the older one.
    try Self.upload(site, "isle", seed: 2)
    let sent = site.run(
      "app-store", "submit", "isle", "--with-app-version", "1.0", "--yes")
    #expect(sent.ending == .status(.done), "\(sent.messages)")
    let items = try #require(try Self.submissions(site).first?["items"] as? [[String: Any]])
    #expect(items.count == 3)
    #expect(
      Set(items.map { "\($0["pack"] as? String ?? "app") \($0["version"] as? Int ?? 0)" })
        == ["cave 1", "app 0", "isle 2"])
    #expect(site.heard("POST", "/v1/reviewSubmissions").count == 1)
  }

  @Test func `an open submission is sent as it is`() throws {
    let site = try Self.site("cave")
    _ = site.run("app-store", "submit", "cave", "--with-app-version", "1.0", "--no-submit")
    let id = try Self.id(site)
    let sent = site.run("app-store", "submit", "--submission", id, "--yes")
    #expect(sent.ending == .status(.done), "\(sent.messages)")
    let again = site.run("app-store", "submit", "--submission", id, "--yes")
    #expect(again.messages.contains("accepts no items: waiting for review"), "\(again.messages)")
    let absent = site.run("app-store", "submit", "--submission", "absent", "--yes")
    #expect(absent.ending == .status(.failed))
    #expect(absent.messages.contains("the app has no submission 'absent'"))
  }

  @Test func `a version of several platforms requires the platform`() throws {
    let site = try Self.site("cave", platforms: ["IOS", "MAC_OS"])
    let unclear = site.run("app-store", "submit", "cave", "--with-app-version", "1.0", "--yes")
    #expect(unclear.ending == .status(.failed))
    #expect(unclear.messages.contains("specify one of them with --platform"), "\(unclear.messages)")
    let absent = site.run("app-store", "submit", "cave", "--with-app-version", "9", "--yes")
    #expect(absent.messages.contains("the app has no version '9'"))
    let run = site.run(
      "app-store", "submit", "cave", "--with-app-version", "1.0", "--platform", "macOS", "--yes")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(run.messages.contains("version 1.0 of the app (MAC_OS)"))
    #expect(try Self.submissions(site).first?["platform"] as? String == "MAC_OS")
  }

  @Test func `a refused first release is taken back from the submission`() throws {
    let site = try MockedService(
      faults: ["PATCH /v1/reviewSubmissions/*: status 409 once"], platforms: ["IOS"])
    try Self.upload(site, "cave")
    let arguments = ["app-store", "submit", "cave", "--with-app-version", "1.0", "--yes"]
    let refused = site.run(arguments)
    #expect(refused.ending == .status(.failed))
    #expect(refused.messages.contains("complete the version of the app"), "\(refused.messages)")
    #expect((try Self.submissions(site).first?["items"] as? [Any])?.isEmpty == true)
    #expect(site.run(arguments).ending == .status(.done))
    #expect(site.heard("POST", "/v1/reviewSubmissions").count == 1)
  }

  @Test func `a localized pack is submitted with a note`() throws {
    let site = try Self.site("voice", extra: #", "language": "ja""#)
    let run = site.run("app-store", "submit", "voice", "--with-app-version", "1.0", "--yes")
    #expect(run.ending == .status(.done), "\(run.messages)")
    #expect(
      run.messages.contains("'voice' is a localized pack (ja): TestFlight has these now"),
      "\(run.messages)")
  }

  @Test(arguments: [
    ([], "Specify the IDs of packs, '--all', or '--submission'"),
    (["--all", "cave"], "'--all' and IDs of packs cannot be combined"),
  ])
  func `a contradiction is an error of the command line`(
    arguments: [String], message: String
  ) throws {
    let site = try MockedService()
    let run = site.run(["app-store", "submit"] + arguments)
    #expect(run.messages.contains(message), "\(run.messages)")
    #expect(site.mock.events.isEmpty)
  }

  @Test func `a wait ends when the users have a version, or when it was rejected`() throws {
    let site = try Self.site("cave")
    let open = site.run("app-store", "wait", "--for", "distribution", "--timeout", "0s")
    #expect(open.ending == .status(.unfinished), "\(open.messages)")
    #expect(
      open.messages.contains("cave  version 1   prepare for submission for all users"),
      "\(open.messages)")
    #expect(site.run("app-store", "wait", "--for", "internal").ending == .status(.done))
    _ = site.run("app-store", "submit", "cave", "--with-app-version", "1.0", "--yes")
    let id = try Self.id(site)
    try site.control("review", #"{"submission": "\#(id)", "decision": "reject"}"#)
    let rejected = site.run("app-store", "wait", "--for", "distribution")
    #expect(rejected.ending == .status(.failed))
    #expect(rejected.messages.contains("cave: version 1 was rejected"), "\(rejected.messages)")
    _ = try Self.upload(site, "isle")
    let version = try #require(
      site.run("app-store", "status", "isle", "--format", "json").outputObject?["versions"]
        as? [[String: Any]])
    let isle = try #require(version.first?["id"] as? String)
    try site.control("review", #"{"version": "\#(isle)", "beta": "submit"}"#)
    try site.control("review", #"{"version": "\#(isle)", "beta": "accept"}"#)
    try site.control("advance", #"{"seconds": 60}"#)
    let external = site.run("app-store", "wait", "isle", "--for", "external")
    #expect(external.ending == .status(.done), "\(external.messages)")
  }

  @Test func `the status shows which version is live in which channel`() throws {
    let site = try Self.site("cave")
    _ = site.run("app-store", "submit", "cave", "--with-app-version", "1.0", "--yes")
    try Self.approve(site)
    try Self.upload(site, "cave", seed: 2)
    #expect(
      site.run("app-store", "wait", "cave", "--version", "1", "--for", "distribution").ending
        == .status(.done))
    let status = site.run("app-store", "status")
    #expect(status.output.contains("live: internal 2, store 1\n"), "\(status.output)")
    let json = site.run("app-store", "status", "--format", "json").outputObject
    let packs = try #require(json?["packs"] as? [[String: Any]])
    #expect(packs.map { $0["internalVersion"] as? Int } == [2])
    #expect(packs.map { $0["appStoreVersion"] as? Int } == [1])
  }
}

extension Captured {
  /// The output as an object of JSON.
  fileprivate var outputObject: [String: Any]? {
    try? JSONSerialization.jsonObject(with: Data(outputBytes)) as? [String: Any]
  }
}
