import Arguments
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import BAPackCommands

/// Secrets in addresses and in the environment: no output for users contains them.
@Suite struct SecretTests {
  /// The parts of an address that can be secret.
  private static let secrets = ["planteduser", "plantedpass", "plantedsig", "plantedfrag"]

  /// Valid and invalid addresses with all secrets; nothing listens on the port.
  private static let addresses = [
    "https://planteduser:plantedpass@127.0.0.1:1/p?Signature=plantedsig#plantedfrag",
    "http://planteduser:plantedpass@127.0.0.1:1/p?Signature=plantedsig#plantedfrag",
    "ftp://planteduser:plantedpass@127.0.0.1:1/p?Signature=plantedsig#plantedfrag",
    "https://planteduser:plantedpass@bad host/p?Signature=plantedsig#plantedfrag",
    "https://planteduser:planted/plantedpass@{x}/?plantedsig#plantedfrag",
    "https://planteduser:plantedpass@{id}/p?Signature=plantedsig#plantedfrag",
    "https://planteduser:plantedpass@127.0.0.1:1/{version}{nothing}?Signature=plantedsig",
  ]

  private func search(_ words: [String], environment: [String: String] = [:]) {
    let run = Captured(words, environment: environment)
    let shown = words.filter { !$0.contains("planted") }.joined(separator: " ")
    for secret in Self.secrets {
      #expect(!run.messages.contains(secret), "\(shown): \(run.messages)")
      // A result for programs, such as a manifest, has its addresses. An error has no result.
      guard run.ending != .status(.done) else { continue }
      #expect(!run.output.contains(secret), "\(shown): \(run.output)")
    }
  }

  @Test func `no message of a command with an address contains its secrets`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile(
      "m.json",
      #"""
      {"assetPackID": "a", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "fileSelectors": [{"file": "a.txt"}], "sourceRoot": "."}
      """#)
    try folder.makeFile("a.txt", "text")
    let packed = Captured("pack", folder.path("m.json"), "-o", folder.path("a.aar"))
    #expect(packed.ending == .status(.done), "\(packed.messages)")
    let names: Set = ["url", "template"]
    var count = 0
    for path in CommandPath(CommandTable.program).all where path.command.subcommands.isEmpty {
      let words = Array(path.names.dropFirst())
      // It would run until a signal.
      guard words != ["app-store", "mock"] else { continue }
      for option in path.ownOptions where names.contains(option.valueName) {
        count += 1
        for address in Self.addresses {
          search(words + ["--\(option.name)", address, folder.path("a.aar")])
          search(
            words + ["--\(option.name)", address, "-o", folder.path("out"), folder.path("a.aar")])
        }
      }
    }
    #expect(count >= 10)
    for address in Self.addresses {
      for more in [[], ["--format", "json"]] { search(["simulate", address] + more) }
      search(["simulate", address, folder.path("a.aar")])
      search(["pack", folder.path("m.json"), "-o", folder.path("b.aar"), "--cache", address])
      for command in ["info", "clean"] { search(["cache", command, "--cache", address]) }
    }
  }

  @Test func `no finding about a download manifest contains the secrets of its addresses`() throws {
    let folder = try TemporaryFolder()
    for (index, address) in Self.addresses.enumerated() {
      let name = "\(index).json"
      let pack = { (id: String) in
        #"""
        {"id": "\#(id)", "version": 1, "url": "\#(address)", "downloadPolicy": {"onDemand": {}},
         "downloadSize": 1, "userInfo": {}}
        """#
      }
      try folder.makeFile(name, #"{"assetPacks": [\#(pack("a")), \#(pack("b"))]}"#)
      for format in ["text", "json", "github", "sarif"] {
        search(
          ["download-manifest", "check", folder.path(name), "--ios", "--format", format])
      }
      search(["simulate", folder.path(name)])
    }
  }

  @Test func `no command shows or stores the secrets of its environment`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a.txt", "text")
    try folder.makeFile(
      "m.json",
      #"""
      {"assetPackID": "a", "downloadPolicy": {"onDemand": {}}, "platforms": [],
       "fileSelectors": [{"file": "a.txt"}], "sourceRoot": "."}
      """#)
    #expect(Captured("pack", folder.path("m.json"), "-o", folder.path("a.aar")).isDone)
    let secrets = [
      "BA_CACHE_TOKEN", "BA_CACHE_PASSWORD", "BA_CACHE_KEY", "BA_IDENTITY_PASSWORD",
      "BA_SERVE_PASSWORD", "BA_WEBHOOK_SECRET", "AUTHORIZATION",
    ]
    var environment = Dictionary(
      uniqueKeysWithValues: secrets.map { ($0, "planted\($0.lowercased())0123456789") })
    environment["BA_CACHE_USER"] = "user"
    for name in ["HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"] {
      environment[name] = folder.path("seen/\(name)")
    }
    var commands = [
      ["pack", folder.path("m.json"), "-o", folder.path("seen/b.aar"), "--verbose", "--cache"]
        + ["https://127.0.0.1:1/"],
      ["serve", folder.path("a.aar"), "--host", "127.0.0.1", "--port", "0", "--user", "user"]
        + ["--log", folder.path("seen/log"), "--ready-file", folder.path("seen/ready")]
        + ["--exec", "--", "cp", folder.path("seen/ready"), folder.path("seen/copy")],
      ["identity", "export", "--host", "127.0.0.1", "-o", folder.path("seen/server.p12")],
      ["identity", "export", "--authority", "-o", folder.path("seen/authority.pem")],
    ]
    for path in CommandPath(CommandTable.program).all where path.command.subcommands.isEmpty {
      let words = Array(path.names.dropFirst())
      // They would run until a signal.
      guard words != ["app-store", "mock"], words != ["serve"] else { continue }
      commands += [words, words + ["--help"], words + [folder.path("a.aar")]]
    }
    for words in commands {
      let run = Captured(words, environment: environment)
      #expect(!(run.output + run.messages).contains("planted"), "\(words): \(run.messages)")
      if words.contains("--exec") { #expect(run.isDone, "\(run.messages)") }
    }
    let seen = try FileManager.default.subpathsOfDirectory(atPath: folder.path("seen"))
    #expect(Set(["log", "copy", "server.p12"]).isSubset(of: seen), "\(seen)")
    for name in seen {
      guard let bytes = FileManager.default.contents(atPath: folder.path("seen/" + name)) else {
        continue
      }
      #expect(bytes.range(of: Data("planted".utf8)) == nil, "\(name)")
    }
  }
}

extension Captured {
  fileprivate var isDone: Bool { ending == .status(.done) }
}
