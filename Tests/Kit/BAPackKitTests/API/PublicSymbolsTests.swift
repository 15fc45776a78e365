import Foundation
import TestSupport
import Testing

/// The public declarations, recorded so that a commit shows their changes.
@Suite struct PublicSymbolsTests {
  @Test(
    .needs("swift"), arguments: ["BAPackKit", "LZFSE", "SourceDiagnostics", "SystemIO"])
  func `the public symbols of a module are the recorded ones`(module: String) throws {
    let symbols = try Self.symbols(of: module)
    let record = Checkout.file("Tests/Corpus/public-symbols/\(module).txt")
    if ProcessInfo.processInfo.environment["RECORD_SYMBOLS"] != nil {
      try symbols.write(to: record, atomically: true, encoding: .utf8)
    }
    #expect(
      try String(contentsOf: record, encoding: .utf8) == symbols,
      "RECORD_SYMBOLS=1 swift test --filter PublicSymbolsTests records them")
  }

  /// The symbol graph of a module, as `swift-symbolgraph-extract` writes it.
  private struct Graph: Decodable {
    struct Symbol: Decodable {
      struct Identifier: Decodable { var precise: String }
      struct Fragment: Decodable { var spelling: String }
      var identifier: Identifier
      var pathComponents: [String]
      var declarationFragments: [Fragment]
    }
    struct Relationship: Decodable {
      var kind: String
      var source: String
      var targetFallback: String?
    }
    var symbols: [Symbol]
    var relationships: [Relationship]
  }

  /// Returns a line for each symbol: its path, its declaration, and its conformances.
  private static func symbols(of module: String) throws -> String {
    let folder = try TemporaryFolder()
    let swift = URL(filePath: try #require(Peer.path(of: "swift"))).resolvingSymlinksInPath()
    let modules = URL(filePath: BuiltProgram.program).deletingLastPathComponent()
      .appending(path: "Modules").path(percentEncoded: false)
    let sources = Checkout.file("Sources/System").path(percentEncoded: false)
    let maps = try FileManager.default.contentsOfDirectory(atPath: sources)
      .filter { FileManager.default.fileExists(atPath: "\(sources)/\($0)/module.modulemap") }
    #if arch(arm64)
      let target = "aarch64-unknown-linux-gnu"
    #else
      let target = "x86_64-unknown-linux-gnu"
    #endif
    let answer = try Peer.ask(
      swift.deletingLastPathComponent().appending(path: "swift-symbolgraph-extract")
        .path(percentEncoded: false),
      [
        "-module-name", module, "-output-dir", folder.path, "-I", modules, "-target", target,
        "-minimum-access-level", "public", "-skip-synthesized-members",
      ] + maps.flatMap { ["-I", "\(sources)/\($0)"] })
    #expect(answer.status == 0, "\(answer.errors)")
    let graph = try JSONDecoder().decode(
      Graph.self, from: Data(folder.contents("\(module).symbols.json")))
    // Every type conforms to these.
    let implied: Set = ["Swift.SendableMetatype", "Swift.Copyable", "Swift.Escapable"]
    var protocols: [String: [String]] = [:]
    for relationship in graph.relationships where relationship.kind == "conformsTo" {
      guard let name = relationship.targetFallback, !implied.contains(name) else { continue }
      protocols[relationship.source, default: []].append(name)
    }
    let lines = graph.symbols.map { symbol in
      let declaration = symbol.declarationFragments.map(\.spelling).joined()
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
      let conformances = protocols[symbol.identifier.precise]?.sorted().joined(separator: ", ")
      return symbol.pathComponents.joined(separator: ".") + ": " + declaration
        + (conformances.map { " [\($0)]" } ?? "")
    }
    return lines.sorted().map { $0 + "\n" }.joined()
  }
}
