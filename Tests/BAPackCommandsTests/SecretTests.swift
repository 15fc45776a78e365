import Arguments
import Foundation
import SystemIO
import TestSupport
import Testing

@testable import BAPackCommands

/// Secrets in addresses: no output for users contains them.
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
}
