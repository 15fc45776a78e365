import BAPackKit
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@testable import Converting

/// A folder with a game, and a script that describes a depot.
struct SteamFolder: ~Copyable {
  let folder: TemporaryFolder

  /// Creates the files below `game`.
  init(_ files: [String] = []) throws {
    let made = try TemporaryFolder()
    try made.makeFolder("game")
    for file in files { try made.makeFile("game/" + file, file) }
    folder = made
  }

  /// Converts a script next to the game, whose content root is the game's folder.
  func convert(
    _ script: [UInt8], named name: String = "depot.vdf",
    _ change: (inout ConversionOptions) -> Void = { _ in }
  ) throws -> Conversion {
    try folder.makeFile(name, script)
    var options = ConversionOptions(.unstoppable)
    options.assetPackID = "Pack"
    options.downloadPolicy = .onDemand
    options.platforms = Platform.allCases
    change(&options)
    return try Conversion(of: FilePath(folder.path(name)), options)
  }

  /// Converts the contents of a depot.
  func convert(
    depot inside: String, _ change: (inout ConversionOptions) -> Void = { _ in }
  ) throws -> Conversion {
    try convert(Array("\"DepotBuild\" { \"ContentRoot\" \"game\"\n\(inside) }".utf8), change)
  }

  /// Returns the differences between the files that a manifest selects and those of the script.
  func differences(_ converted: ConvertedManifest) throws -> [String] {
    let manifest = try converted.landed(in: FilePath(folder.path("out")))
    try folder.makeFile("out/m.json", manifest.authoredJSON())
    let document = ManifestDocument(
      parsing: manifest.authoredJSON(), named: folder.path("out/m.json"))
    return try converted.differences(from: document, .unstoppable).map {
      "\($0.id.name): \($0.message)"
    }
  }
}

extension Conversion {
  /// The findings as `id: message`, without those that every test has.
  var messages: [String] { findings.map { "\($0.id.name): \($0.message)" } }
  var ids: [String] { findings.map(\.id.name) }
}

extension ConvertedManifest {
  /// The selectors as written, one per line.
  var selectors: [String] { manifest.fileSelectors.map { $0.jsonValue.description } }
  /// The selected files: `source -> destination`.
  var meant: [String] {
    (files ?? []).map { file in
      file.source == file.destination
        ? file.source.text : "\(file.source.text) -> \(file.destination.text)"
    }
  }
}
