import AppStoreConnect
import AppStoreMock
import Arguments
import Foundation
import SystemIO
import TestSupport
import Testing
import Transfers

@testable import BAPackCommands

/// `app-store webhook`: a command runs for each signed event, and for nothing else.
@Suite(.mustEnd) struct WebhookCommandTests {
  private static let secret = "plantedwebhooksecret"

  private static func body(
    _ state: String = "READY_FOR_DISTRIBUTION", type: String = "App Store Release"
  ) -> [UInt8] {
    let type = "backgroundAssetVersion\(type.replacing(" ", with: ""))StateUpdated"
    return Array(
      """
      {"data":{"type":"\(type)","id":"4734e219","attributes":{
       "timestamp":"2025-12-05T14:30:45Z","newState":"\(state)","oldState":"ACCEPTED; touch x"},
       "relationships":{"instance":{"id":"7012050b",
       "type":"backgroundAssetVersionAppStoreReleases"}}}}
      """.utf8)
  }

  private static func server(
    _ folder: borrowing TemporaryFolder, _ arguments: [String], command: String,
    environment: [String: String] = ["BA_WEBHOOK_SECRET": secret]
  ) throws -> RunningServer {
    try RunningServer(
      arguments + ["--exec", "--", "sh", "-c", "cd '\(folder.path)'; \(command)"],
      state: folder.path("home"), environment: environment, command: ["app-store", "webhook"])
  }

  private static func signature(_ body: [UInt8], _ secret: String = secret) throws -> String {
    try #require(WebhookSecret(secret)).signature(of: body)
  }

  private static func send(
    _ server: RunningServer, _ body: [UInt8], _ signature: String?, method: String = "POST"
  ) throws -> Int {
    var options = Transfers.Options()
    options.allowsHTTP = true
    options.proxies = Proxies()
    options.backoff.attempts = 1
    let fields = signature.map { [HeaderField("X-Apple-Signature", $0)] } ?? []
    let exchange = Exchange(
      method, try #require(server.facts["url"]), fields: fields,
      body: method == "GET" ? .none : .bytes(body))
    return try Transfers(options).exchange(exchange, .unstoppable).status
  }

  @Test(arguments: ["", "hmacsha256=", "HMACSHA256="])
  func `a command gets the event, and not the secret`(prefix: String) throws {
    let folder = try TemporaryFolder()
    let server = try Self.server(
      folder, ["--once"], command: "cat > body; env > env; tr '\\0' ' ' < /proc/$$/cmdline > words")
    let body = Self.body()
    #expect(try Self.send(server, body, prefix + Self.signature(body)) == 200)
    #expect(try server.wait() == .init(status: 0, wasSignalled: false))
    #expect(try folder.contents("body") == body)
    let lines = String(decoding: try folder.contents("env"), as: UTF8.self)
      .split(separator: "\n")
    #expect(lines.contains("BA_WEBHOOK_NEW_STATE=READY_FOR_DISTRIBUTION"))
    #expect(lines.contains("BA_WEBHOOK_OLD_STATE=ACCEPTED; touch x"))
    #expect(lines.contains("BA_WEBHOOK_TYPE=backgroundAssetVersionAppStoreReleaseStateUpdated"))
    #expect(lines.contains("BA_WEBHOOK_INSTANCE=7012050b"))
    #expect(lines.contains("BA_WEBHOOK_ID=4734e219"))
    for text in ["env", "words"] {
      let bytes = try folder.contents(text)
      #expect(Data(bytes).range(of: Data(Self.secret.utf8)) == nil)
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("x")))
    #expect(try !server.messages.contains(Self.secret))
    #expect(try !server.messages.contains(Self.signature(body)))
  }

  @Test(arguments: [MockSettings.WebhookSignature.prefixed, .digits])
  func `the mock informs a command of a processed version`(
    form: MockSettings.WebhookSignature
  ) throws {
    let folder = try TemporaryFolder()
    let server = try Self.server(
      folder, ["--once"], command: "printf %s \"$BA_WEBHOOK_TYPE\" > type")
    let site = try MockedService { $0.webhookSignature = form }
    try site.addWebhook(try #require(server.facts["url"]), secret: Self.secret)
    #expect(site.run("upload", try site.pack("cave", 100), "--wait").ending == .status(.done))
    #expect(try server.wait() == .init(status: 0, wasSignalled: false))
    #expect(
      String(decoding: try folder.contents("type"), as: UTF8.self)
        == "backgroundAssetVersionInternalBetaReleaseCreated")
  }

  @Test func `unsigned, foreign, large and malformed requests start no command`() throws {
    let folder = try TemporaryFolder()
    let server = try Self.server(folder, [], command: "echo x >> runs")
    let body = Self.body()
    let right = try Self.signature(body)
    let wrong = [
      nil, "", "hmacsha256=", try Self.signature(body, "another secret"), String(right.dropLast()),
      right + "0", "sha256=" + right, try Self.signature(Self.body("REJECTED")),
    ]
    for signature in wrong {
      #expect(try Self.send(server, body, signature) == 401, "\(signature ?? "none")")
    }
    #expect(try Self.send(server, body, right, method: "GET") == 405)
    let large = [UInt8](repeating: 0x20, count: 1 << 17)
    #expect(try Self.send(server, large, Self.signature(large)) == 413)
    let text = Array("hello".utf8)
    #expect(try Self.send(server, text, Self.signature(text)) == 400)
    // An event that is not about packs is accepted.
    let ping = Array(#"{"data":{"type":"webhookPingCreated","id":"1"}}"#.utf8)
    #expect(try Self.send(server, ping, Self.signature(ping)) == 200)
    #expect(try Self.send(server, body, right) == 200)
    #expect(try Self.send(server, body, right) == 200)
    let deadline = ContinuousClock.now + .seconds(60)
    while (try? folder.contents("runs"))?.count != 4, .now < deadline { usleep(5_000) }
    server.send(signal: SIGINT)
    #expect(try server.wait() == .init(status: SIGINT, wasSignalled: true))
    #expect(try folder.contents("runs") == Array("x\nx\n".utf8))
  }

  @Test func `with --once, the status is that of the command`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("secret", Array("\(Self.secret)\n".utf8))
    let server = try Self.server(
      folder, ["--once", "--secret-file", folder.path("secret")], command: "exit 7",
      environment: [:])
    let body = Self.body()
    #expect(try Self.send(server, body, Self.signature(body)) == 200)
    #expect(try server.wait() == .init(status: 7, wasSignalled: false))
  }

  @Test func `without a secret or a command, nothing is served`() throws {
    let missing = Captured("app-store", "webhook", "--exec", "--", "true")
    #expect(missing.ending == .status(.failed))
    #expect(missing.messages.contains("BA_WEBHOOK_SECRET"), "\(missing.messages)")
    let without = Captured("app-store", "webhook", environment: ["BA_WEBHOOK_SECRET": "x"])
    #expect(without.messages.contains("Missing command after '--'"), "\(without.messages)")
    let name = Captured(
      "app-store", "webhook", "--listen", "example.com", "--exec", "--", "true",
      environment: ["BA_WEBHOOK_SECRET": "x"])
    #expect(name.messages.contains("requires an IP address"), "\(name.messages)")
  }
}

/// `app-store submit --external` with an interface that has the request, and with one that has not.
@Suite(.mustEnd) struct BetaReviewTests {
  @Test func `the review for external testers starts where the interface has a request`() throws {
    let site = try MockedService { $0.betaReviewSubmissions = .present }
    let upload = site.run("upload", try site.pack("cave", 100), "--wait")
    #expect(upload.ending == .status(.done), "\(upload.messages)")
    let planned = site.run("app-store", "submit", "cave", "--external")
    #expect(planned.ending == .status(.failed))
    #expect(site.heard("POST", "/v1/betaBackgroundAssetReviewSubmissions").isEmpty)
    let run = site.run("app-store", "submit", "cave", "--external", "--yes")
    #expect(run.ending == .status(.done), "\(run.messages)")
    let status = site.run("app-store", "status", "cave")
    #expect(status.output.contains("external: waiting for review"), "\(status.output)")
    let twice = site.run("app-store", "submit", "cave", "--external", "--yes")
    #expect(twice.messages.contains("is waiting for review for external testers"))
  }

  @Test func `without the request, the manual step is explained`() throws {
    let site = try MockedService()
    let upload = site.run("upload", try site.pack("cave", 100), "--wait")
    #expect(upload.ending == .status(.done), "\(upload.messages)")
    let run = site.run("app-store", "submit", "--all", "--external", "--yes")
    #expect(run.ending == .status(.failed))
    #expect(run.messages.contains("has no request for it"), "\(run.messages)")
    #expect(run.messages.contains("'Set Up External Testing'"), "\(run.messages)")
  }
}
