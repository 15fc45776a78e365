// Long because it starts many servers, one for each feature of the command.
import Arguments
import Foundation
import Glibc
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing
import Transfers

/// `serve` for scripts and devices: the built program, over TLS.
@Suite("serve", .mustEnd)
final class ServeTests {
  let folder: TemporaryFolder
  let state: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    state = try TemporaryFolder()
    try folder.makeFile("packs/a.aar", pack("a"))
    try folder.makeFile(
      "packs/more/b.aar", pack("b", contents: "hello, hello", more: #", "language": "fr""#))
  }

  func serve(
    _ more: [String] = [], called name: String? = nil, environment: [String: String] = [:]
  ) throws -> RunningServer {
    try RunningServer(
      [folder.path("packs")] + more, state: state.path, environment: environment, called: name)
  }

  /// Returns a client that trusts the server's authority and does not retry.
  func transfers(_ server: RunningServer) throws -> Transfers {
    var options = Transfers.Options()
    let file = try #require(server.facts["caFile"])
    options.roots = [Array(try Data(contentsOf: URL(filePath: file)))]
    options.proxies = Proxies()
    options.backoff.attempts = 1
    return try Transfers(options)
  }

  func request(
    _ server: RunningServer, _ path: String, fields: [HeaderField] = [], method: String = "GET"
  ) throws -> HTTPResponse {
    try transfers(server).exchange(
      Exchange(method, try #require(server.facts["url"]) + path, fields: fields), .unstoppable)
  }

  func versions(_ server: RunningServer) throws -> [String: Int] {
    try numbers("version", server)
  }

  /// Returns a number of each pack in the manifest for iOS.
  func numbers(_ key: String, _ server: RunningServer) throws -> [String: Int] {
    let document = try JSONSerialization.jsonObject(
      with: Data(try request(server, "/manifest?platform=iOS").body))
    let packs = try #require((document as? [String: Any])?["assetPacks"] as? [[String: Any]])
    return try Dictionary(
      uniqueKeysWithValues: packs.map {
        (try #require($0["id"] as? String), try #require($0[key] as? Int))
      })
  }

  @Test func `serve raises the limit of open files, for thousands of connections`() throws {
    let sizes = folder.path("sizes")
    let script = #"grep FDSize "/proc/$PPID/status" >"$0"; ulimit -H -n >>"$0""#
    let run = try BuiltProgram.run(
      [
        "serve", folder.path("packs"), "--host", "127.0.0.1", "--port", "0", "--quiet", "--exec",
        "--", "sh", "-c", script, sizes,
      ],
      environment: ["HOME": state.path, "XDG_DATA_HOME": state.path, "XDG_STATE_HOME": state.path],
      after: "ulimit -S -n 256")
    #expect(run.status == 0, "\(run.messages)")
    let arguments = try String(contentsOfFile: sizes, encoding: .utf8).split(
      whereSeparator: \.isWhitespace)
    let numbers = arguments.compactMap { Int($0) }
    #expect(numbers.count == 2, "\(arguments)")
    #expect(numbers.first ?? 0 >= min(4096, numbers.last ?? 4096), "\(arguments)")
  }

  @Test func `a client that trusts the root gets manifest and packs, and each request is a line`()
    throws
  {
    let server = try serve(["--log", folder.path("log.jsonl")])
    #expect(try versions(server) == ["a": 0, "b": 0])
    let answer = try request(server, "/assetpacks/a")
    #expect(answer.status == 200)
    #expect(answer.body == (try folder.contents("packs/a.aar")))
    #expect(try request(server, "/nothing").status == 404)
    server.send(signal: SIGINT)
    #expect(try server.wait() == .init(status: SIGINT, wasSignalled: true))
    #expect(!server.hasReadyFile)
    let output = try server.output
    #expect(output.contains("\nListening on port \(server.port)\n"))
    #expect(output.contains("Serving 2 packs ("))
    #expect(output.contains("  127.0.0.1  GET /manifest?platform=iOS  200  "))
    #expect(output.contains("  127.0.0.1  GET /assetpacks/a  200  \(answer.body.count) bytes  "))
    #expect(output.contains("  127.0.0.1  GET /nothing  404  "))
    let log = try String(contentsOfFile: folder.path("log.jsonl"), encoding: .utf8)
      .split(separator: "\n")
    #expect(log.count == 3)
    // Connections end in any order on a busy machine.
    let text = try #require(log.first { $0.contains(#""path":"/assetpacks/a""#) })
    let line = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    #expect(line?["path"] as? String == "/assetpacks/a")
    #expect(line?["status"] as? Int == 200)
    #expect(line?["bytes"] as? Int == answer.body.count)
    #expect(line?["pack"] as? String == "a")
    #expect(line?["version"] as? Int == 0)
  }

  @Test func `the second run has the same root, and versions increase with changed bytes`()
    throws
  {
    let root = state.path("data/ba-package/identity/root.pem")
    do {
      let server = try serve()
      #expect(try versions(server) == ["a": 0, "b": 0])
      #expect(try server.output.contains("Certificate authority: created"))
    }
    let first = try Data(contentsOf: URL(filePath: root))
    try folder.makeFile("packs/a.aar", pack("a", contents: "changed"))
    do {
      let server = try serve()
      #expect(try versions(server) == ["a": 1, "b": 0])
      #expect(!(try server.output.contains("Certificate authority: created")))
    }
    #expect(try Data(contentsOf: URL(filePath: root)) == first)
    try folder.makeFile("packs/a.aar", pack("a"))
    #expect(try versions(try serve()) == ["a": 2, "b": 0])
    let refused = try serve(["--asset-pack-versions", "1"])
    #expect(try refused.wait() == .init(status: 1, wasSignalled: false))
    #expect(try refused.messages.contains("is a folder"))
  }

  @Test func `the language of a pack is in the manifest unless it is disabled`() throws {
    #expect(
      String(decoding: try request(try serve(), "/manifest").body, as: UTF8.self)
        .contains("\"language\": \"fr\""))
    #expect(
      !String(decoding: try request(try serve(["--no-language"]), "/manifest").body, as: UTF8.self)
        .contains("language"))
  }

  @Test func `two files of one pack are an error with both names`() throws {
    try folder.makeFile("packs/copy.aar", pack("a"))
    let server = try serve()
    #expect(try server.wait() == .init(status: 1, wasSignalled: false))
    let messages = try server.messages
    for name in ["packs/a.aar", "packs/copy.aar"] { #expect(messages.contains(name)) }
    #expect(!server.hasReadyFile)
  }

  @Test func `a damaged pack is reported, and the others are served`() throws {
    var bytes = pack("bad")
    bytes[bytes.count / 2] ^= 0xFF
    bytes.removeLast(3)
    try folder.makeFile("packs/bad.aar", bytes)
    let server = try serve()
    #expect(try versions(server) == ["a": 0, "b": 0])
    #expect(try server.messages.contains("packs/bad.aar"))
  }

  @Test func `a pack whose blocks exceed the memory limit is not served`() throws {
    let source = try TemporaryFolder()
    try source.makeHole("in/large", size: 8 << 20)
    try source.makeFile(
      "m.json",
      #"""
      {"assetPackID": "large", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "sourceRoot": "in", "fileSelectors": [{"directory": "."}]}
      """#)
    let packed = Captured(
      "pack", source.path("m.json"), "-o", folder.path("packs/large.aar"), "--block-size", "8M")
    #expect(packed.ending == .status(.done), "\(packed.messages)")
    let bounded = try serve(["--memory", "4M"])
    #expect(try versions(bounded) == ["a": 0, "b": 0])
    #expect(try bounded.messages.contains("packs/large.aar"))
    #expect(try bounded.messages.contains("--memory"))
    #expect(try versions(serve()) == ["a": 0, "b": 0, "large": 0])
  }

  @Test func `a folder without packs is an error, except with --watch`() throws {
    let empty = try TemporaryFolder()
    let server = try RunningServer([empty.path], state: state.path)
    #expect(try server.wait() == .init(status: 1, wasSignalled: false))
    #expect(try server.messages.contains("there are no packs to serve in '\(empty.path)'"))
    let watching = try RunningServer([empty.path, "--watch"], state: state.path)
    #expect(try versions(watching) == [:])
    try empty.makeFile("new.aar", pack("new"))
    #expect(try watching.waits(forOutput: "Serving 'new' version 0"))
    #expect(try versions(watching) == ["new": 0])
    try empty.makeFile("new.aar", pack("new", contents: "other"))
    #expect(try watching.waits(forOutput: "Serving 'new' version 1 instead of 0"))
    try FileManager.default.removeItem(atPath: empty.path("new.aar"))
    #expect(try watching.waits(forOutput: "'new' is no longer served"))
    #expect(try versions(watching) == [:])
  }

  @Test
  func `a command runs without a shell, gets the address, and ends the server with its status`()
    throws
  {
    let script = folder.path("check.sh")
    try folder.makeFile(
      "check.sh",
      Array(
        """
        printf '%s|' "$1" "$BA_BASE_URL" "$BA_CA_FILE" "$BA_CONTROL_TOKEN" \
        "${BA_SERVE_PASSWORD-none}"
        exit 7
        """.utf8))
    let server = try serve(
      ["--user", "me", "--exec", "--", "/bin/sh", script, "a b $HOME"],
      environment: ["BA_SERVE_PASSWORD": "secret"])
    #expect(try server.wait() == .init(status: 7, wasSignalled: false))
    #expect(!server.hasReadyFile)
    let parts = try server.output.split(separator: "|").map(String.init)
    #expect(parts.count == 5)
    #expect(parts[0] == "a b $HOME")
    #expect(parts[1].hasPrefix("https://127.0.0.1:"))
    #expect(parts[2].hasSuffix("/root.pem"))
    #expect(parts[3].count == 32)
    #expect(parts[4] == "none")
    #expect(!(try server.messages.contains("secret")))
    let missing = try serve(["--exec", "--", "/nonexistent/program"])
    #expect(try missing.wait() == .init(status: 127, wasSignalled: false))
    #expect(try missing.messages.contains("cannot start '/nonexistent/program'"))
  }

  @Test(.heavy) func `an idle server ends, and a server with requests does not`() throws {
    let idle = try serve(["--exit-when-idle", "300ms"])
    #expect(try idle.wait() == .init(status: 0, wasSignalled: false))
    // The response takes longer than a server may be idle. It is complete, and the server ends.
    let busy = try serve(["--exit-when-idle", "2s", "--fault", "a: stall 4s"])
    let response = try request(busy, "/a")
    #expect(response.status == 200)
    #expect(try response.body == folder.contents("packs/a.aar"))
    #expect(try busy.wait() == .init(status: 0, wasSignalled: false))
  }

  @Test
  func `a running download has five seconds after the first signal, and none after the second`()
    throws
  {
    let server = try serve(["--fault", "a: stall 600s"])
    let port = UInt16(server.port)
    // One request in progress is enough to keep the server running.
    let file = try #require(server.facts["caFile"])
    let url = try #require(server.facts["url"])
    let asking = Thread {
      var options = Transfers.Options()
      options.roots = [Array((try? Data(contentsOf: URL(filePath: file))) ?? Data())]
      options.proxies = Proxies()
      options.backoff.attempts = 1
      _ = try? Transfers(options).exchange(Exchange("GET", url + "/a"), .unstoppable)
    }
    asking.start()
    // The page reports the request in progress.
    let page = try #require(server.facts["pageURL"])
    let token = try #require(server.facts["controlToken"])
    var plain = Transfers.Options()
    plain.allowsHTTP = true
    plain.proxies = Proxies()
    let deadline = ContinuousClock.now + .seconds(600)
    var isAnswering = false
    while !isAnswering, .now < deadline {
      let state = try Transfers(plain).exchange(
        Exchange("GET", page + "api/state", fields: [.init("Authorization", "Bearer \(token)")]),
        .unstoppable)
      #expect(state.status == 200)
      isAnswering =
        String(decoding: state.body, as: UTF8.self).contains("stall")
        && String(decoding: state.body, as: UTF8.self).contains("\"/a\"")
    }
    #expect(isAnswering)
    server.send(signal: SIGINT)
    // The port is free immediately, while the download may continue.
    var isFree = false
    while !isFree, .now < deadline { isFree = (try? Listener(at: .loopback(port: port))) != nil }
    #expect(isFree)
    while server.hasReadyFile, .now < deadline { usleep(2_000) }
    #expect(!server.hasReadyFile)
    server.send(signal: SIGINT)
    #expect(try server.wait() == .init(status: SIGINT, wasSignalled: true))
  }

  @Test(arguments: [
    (["packs/c.aar"], "packs/c.aar", "no such file"),
    (["packs", "--asset-pack-versions", "3"], "a version is for one pack", "is a folder"),
    (["packs", "--user", "me"], "the password of 'me' is missing", "set ba_serve_password"),
  ])
  func `misspelt names are reported before any file is created`(
    arguments: [String], what: String, why: String
  ) throws {
    let captured = Captured(
      ["serve", folder.path(arguments[0])] + arguments.dropFirst() + [
        "--host", "127.0.0.1", "--port", "0", "--ready-file", folder.path("ready.json"),
        "--identity", state.path("i"), "--state", state.path("s"),
      ])
    #expect(captured.ending == .status(.failed))
    #expect(captured.messages.contains(what))
    #expect(captured.messages.lowercased().contains(why))
    #expect(try FileManager.default.contentsOfDirectory(atPath: state.path).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: folder.path("ready.json")))
  }

  @Test func `a port in use is an error with a hint`() throws {
    let listener = try Listener(at: .loopback())
    let port = listener.address.port
    let captured = Captured(
      [
        "serve", folder.path("packs"), "--host", "127.0.0.1", "--port", "\(port)", "--identity",
        state.path("i"), "--state", state.path("s"),
      ])
    #expect(captured.ending == .status(.failed))
    #expect(captured.messages.contains("cannot listen on port \(port): Address already in use"))
    #expect(captured.messages.contains("'ss -ltnp'"))
  }

  @Test func `a log that is a folder is an error without options of other commands`() throws {
    let captured = Captured(
      [
        "serve", folder.path("packs"), "--host", "127.0.0.1", "--port", "0", "--log", folder.path,
        "--identity", state.path("i"), "--state", state.path("s"),
      ])
    #expect(captured.ending == .status(.failed))
    #expect(captured.messages.contains("specify a file, not a folder"))
    #expect(!captured.messages.contains("-o"))
  }

  @Test func `a ready file of another program is not changed`() throws {
    try folder.makeFile("ready.json", Array("precious".utf8))
    let captured = Captured(
      [
        "serve", folder.path("packs"), "--host", "127.0.0.1", "--port", "0", "--ready-file",
        folder.path("ready.json"), "--identity", state.path("i"), "--state", state.path("s"),
      ])
    #expect(captured.ending == .status(.failed))
    #expect(captured.messages.contains("ready.json' already exists and is not a ready file"))
    #expect(captured.messages.contains("specify another file for '--ready-file'"))
    #expect(!captured.messages.contains("--force"))
    #expect(try folder.contents("ready.json") == Array("precious".utf8))
  }

  @Test func `faults are options, and a misspelt one is an error with all faults`() throws {
    let server = try serve(["--fault", "a: status 503 once", "--latency", "1ms"])
    #expect(try request(server, "/a").status == 503)
    #expect(try request(server, "/a").status == 200)
    #expect(try server.waits(forOutput: "fault: a: status 503"))
    let captured = Captured(["serve", "x", "--fault", "a: exploode"])
    #expect(captured.ending == .status(.usage))
    #expect(captured.messages.contains("unknown fault 'exploode'"))
    #expect(captured.messages.contains("'cut 60%'"))
  }

  @Test func `a request without name and password is refused`() throws {
    let server = try serve(["--user", "me"], environment: ["BA_SERVE_PASSWORD": "secret"])
    #expect(try request(server, "/manifest").status == 401)
    let right = HeaderField(
      "Authorization", "Basic " + Data("me:secret".utf8).base64EncodedString())
    #expect(try request(server, "/manifest", fields: [right]).status == 200)
    #expect(try server.output.contains("https://me:<password>@127.0.0.1"))
    let without = try serve(["--user", "me"], environment: ["BA_SERVE_PASSWORD": ""])
    #expect(try without.wait() == .init(status: 1, wasSignalled: false))
    #expect(try without.messages.contains("BA_SERVE_PASSWORD"))
  }

  @Test func `under the name of Apple's tool, the server accepts the options of that tool`() throws
  {
    let server = try RunningServer(
      [
        folder.path("packs/a.aar"), folder.path("packs/more/b.aar"), "--asset-pack-versions", "4",
        "1700000000", "--choose-identity-automatically",
      ], state: state.path, called: "ba-serve")
    #expect(try versions(server) == ["a": 4, "b": 1_700_000_000])
    #expect(try server.output.contains("Listening on port \(server.port)\n"))
  }

  @Test func `a device that does not trust the root is reported, with a hint`() throws {
    let server = try serve()
    var options = Transfers.Options()
    options.proxies = Proxies()
    options.backoff.attempts = 1
    let url = try #require(server.facts["url"])
    #expect(throws: Failure.self) {
      _ = try Transfers(options).exchange(Exchange("GET", url + "/manifest"), .unstoppable)
    }
    #expect(
      try server.waits(
        forOutput: "  127.0.0.1  does not trust this server: install its profile"))
  }

  @Test func `a download of a file that is overwritten is incomplete`() throws {
    let old = [UInt8](repeating: 1, count: 300_000)
    try folder.makeFile(
      "large/big.aar", pack("big", contents: String(decoding: old, as: UTF8.self)))
    let server = try RunningServer(
      [folder.path("large"), "--fault", "big: stall 1s once"], state: state.path)
    // The server pauses after half of the bytes, and the file gets other bytes, as by 'cp'.
    let path = folder.path("large/big.aar")
    let overwritten = Noted<Bool>()
    let url = try #require(server.facts["url"]) + "/big"
    let work = Work.unstoppable.reporting { _ in
      guard overwritten.add(true) == 0, let file = FileHandle(forUpdatingAtPath: path) else {
        return
      }
      try? file.write(contentsOf: Data([9, 9, 9]))
      try? file.close()
    }
    let failure = #expect(throws: Failure.self) {
      let file = try AtomicFile(folder.path("received"))
      _ = try transfers(server).get(url, into: file.descriptor, work)
      try file.publish()
    }
    guard case .cutOff(let received, let expected?) = failure?.transferError else {
      Issue.record("the download failed otherwise: \(String(describing: failure))")
      return
    }
    #expect(!overwritten.all.isEmpty && received < expected)
    #expect(try server.waits(forOutput: "incomplete: "))
    #expect(!FileManager.default.fileExists(atPath: folder.path("received")))
  }

  @Test func `a download continues with the old bytes if the pack is replaced`() throws {
    let server = try serve(["--watch", "--fault", "a: stall 3s once"])
    let old = try folder.contents("packs/a.aar")
    let new = pack("a", contents: "something else")
    let path = folder.path("packs/a.aar")
    let replacing = Thread {
      // Like 'pack': another file replaces the name.
      try? Data(new).write(to: URL(filePath: path), options: .atomic)
    }
    replacing.start()
    // The server pauses at one half, and by then the name belongs to the other file.
    #expect(try request(server, "/a").body == old)
    #expect(try server.waits(forOutput: "Serving 'a' version 1 instead of 0"))
    #expect(try request(server, "/a").body == new)
    #expect(try versions(server) == ["a": 1, "b": 0])
  }

  @Test func `programs get one object a line`() throws {
    let server = try serve(["--format", "json"])
    _ = try request(server, "/a", fields: [.init("Range", "bytes=1-2")])
    #expect(try server.waits(forOutput: "\"event\":\"request\""))
    let lines = try server.output.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(lines.map { $0["event"] as? String } == ["ready", "request"])
    #expect(lines[0]["url"] as? String == server.facts["url"])
    #expect(lines[0]["packs"] as? Int == 2)
    #expect(lines[1]["range"] as? String == "bytes=1-2")
    #expect(lines[1]["status"] as? Int == 206)
    #expect(lines[1]["bytes"] as? Int == 2)
  }

  @Test func `a given certificate is used, and an invalid one is reported`() throws {
    do {
      let server = try serve()
      #expect(try request(server, "/manifest").status == 200)
    }
    let identity = state.path("data/ba-package/identity/")
    let own = identity + "host-127.0.0.1.pem"
    let server = try serve(["--identity-path", own, "--identity-path", own])
    #expect(server.facts["caFile"] == own)
    #expect(server.facts["enrolmentURL"] == nil)
    let root = try serve(["--identity-path", identity + "root.pem", "--identity-path", own])
    #expect(try root.wait() == .init(status: 1, wasSignalled: false))
    #expect(
      try root.messages.contains("the private key does not match the certificate"))
    let authority = try serve(
      ["--identity-path", identity + "root.pem", "--identity-path", identity + "root-key.pem"])
    #expect(try authority.wait() == .init(status: 1, wasSignalled: false))
    #expect(
      try authority.messages.contains("it is a certificate authority, not a server certificate"))
  }

  @Test func `the enrolment page shows the digest of the terminal, and the profile`() throws {
    let server = try serve()
    var options = Transfers.Options()
    options.allowsHTTP = true
    options.proxies = Proxies()
    let url = try #require(server.facts["enrolmentURL"])
    let page = try Transfers(options).exchange(Exchange("GET", url + "/"), .unstoppable)
    let line = try #require(
      try server.output.split(separator: "\n").first { $0.contains("SHA-256") })
    let digest = try #require(line.split(separator: " ").last)
    #expect(digest.count == 95)
    #expect(String(decoding: page.body, as: UTF8.self).contains(digest))
    let profile = try Transfers(options).exchange(
      Exchange("GET", url + "/ba-package.mobileconfig"), .unstoppable)
    #expect(profile.head["content-type"] == "application/x-apple-aspen-config")
    struct Profile: Decodable {
      enum CodingKeys: String, CodingKey { case type = "PayloadType" }
      var type: String
    }
    let plist = try PropertyListDecoder().decode(Profile.self, from: Data(profile.body))
    #expect(plist.type == "Configuration")
    #expect(
      try Transfers(options).exchange(Exchange("GET", url + "/root.pem"), .unstoppable).status
        == 404)
  }

  @Test func `the authority is shown, exported and removed`() throws {
    // The server issues the certificate of a host when the first client connects to that host.
    _ = try versions(try serve())
    let place = ["--identity", state.path("data/ba-package/identity")]
    let shown = Captured(["identity", "show"] + place)
    #expect(shown.ending == .status(.done))
    #expect(shown.output.contains("host         127.0.0.1, until "))
    let json = Captured(["identity", "show", "--format", "json"] + place)
    let object =
      try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any]
    #expect(object?["isConstrained"] as? Bool == true)
    let pem = Captured(["identity", "export"] + place)
    #expect(pem.output.hasPrefix("-----BEGIN CERTIFICATE-----\n"))
    for (name, first) in [("r.der", UInt8(0x30)), ("r.mobileconfig", UInt8(ascii: "<"))] {
      let written = Captured(["identity", "export", "-o", folder.path(name)] + place)
      #expect(written.ending == .status(.done))
      #expect(try folder.contents(name).first == first)
    }
    let unknown = Captured(["identity", "export", "-o", folder.path("r.foo")] + place)
    #expect(unknown.ending == .status(.usage))
    #expect(unknown.messages.contains("use '--form <form>'"))
    let outside = Captured(
      ["identity", "export", "--host", "8.8.8.8", "-o", folder.path("r.p12")] + place,
      environment: ["BA_IDENTITY_PASSWORD": "x"])
    #expect(outside.messages.contains("'ba-package serve --host 8.8.8.8'"))
    let bare = Captured(["identity", "export", "-o", folder.path("r.p12")] + place)
    #expect(bare.ending == .status(.usage))
    let p12 = Captured(
      ["identity", "export", "--host", "127.0.0.1", "-o", folder.path("r.p12")] + place,
      environment: ["BA_IDENTITY_PASSWORD": "secret"])
    #expect(p12.ending == .status(.done))
    #expect(try FileStatus(ofFileAt: folder.path("r.p12")).permissions == 0o600)
    let removed = Captured(["identity", "remove"] + place)
    #expect(removed.messages.contains("Removed the certificate authority"))
    #expect(Captured(["identity", "show"] + place).ending == .status(.failed))
  }
}
