import BAPackKit
import Foundation
import KitProperties

/// A property that holds for arbitrary bytes, and the name of its fuzz target.
public struct Property: Sendable {
  /// The argument of `Fuzz/run`, and the folder of inputs in Tests/Corpus.
  public let name: String
  /// Returns a description of the violated property for an input; nil if there is none.
  public let violation: @Sendable ([UInt8]) -> String?

  /// All properties that are fuzzed.
  public static let all: [Property] = [
    Property(name: "json") { ManifestProperties.violation(inJSON: $0) },
    // The first byte selects the hosting.
    Property(name: "manifests") { bytes in
      let hosting: Hosting? =
        switch bytes.first {
        case UInt8(ascii: "\n"): .apple
        case UInt8(ascii: "\t"): .selfHosted
        default: nil
        }
      return ManifestProperties.violation(inManifest: bytes, for: hosting)
    },
    Property(name: "languages") {
      ManifestProperties.violation(inLanguage: String(decoding: $0, as: UTF8.self))
    },
    Property(name: "lzfse-decode") { LZFSEProperties.violation(inStream: $0) },
    Property(name: "lzfse-round-trip") { LZFSEProperties.violation(inRoundTripOf: $0) },
    Property(name: "pack-read") { PackProperties.violation(in: $0) },
    Property(name: "pack-block") { PackProperties.violation(inBlock: $0) },
    Property(name: "pack-extract") { bytes in
      inFolder { PackProperties.violation(inExtractionOf: bytes, in: $0) }
    },
    // The first 32 bytes are the script of the walk.
    Property(name: "pack-walk") { bytes in
      guard bytes.count > 32 else { return nil }
      return PackWalkProperty.violation(
        in: Array(bytes.dropFirst(32)), walkedBy: Array(bytes.prefix(32)))
    },
    Property(name: "names") { bytes in inFolder { NamesProperty.violation(of: bytes, in: $0) } },
    Property(name: "download-manifests") { DownloadManifestProperties.violation(inManifest: $0) },
    Property(name: "info-plists") { DownloadManifestProperties.violation(inPropertyList: $0) },
    Property(name: "publication-records") { DownloadManifestProperties.violation(inRecord: $0) },
    Property(name: "request-heads") { RequestProperty.violation(in: $0) },
    Property(name: "fault-texts") { ServingProperty.violation(in: $0) },
    Property(name: "host-names") { IdentityProperty.violation(inHost: $0) },
    Property(name: "certificates") { IdentityProperty.violation(inCertificate: $0) },
    Property(name: "key-values") { SteamProperties.violation(inKeyValues: $0) },
    Property(name: "steam-scripts") { bytes in
      inFolder { SteamProperties.violation(inScript: bytes, in: $0) }
    },
    Property(name: "property-lists") { OnDemandProperties.violation(inPropertyList: $0) },
    Property(name: "on-demand-projects") { OnDemandProperties.violation(inProject: $0) },
    Property(name: "macho") { AppProperties.violation(inProgram: $0) },
    Property(name: "scenarios") { ScenarioProperties.violation(in: $0) },
    Property(name: "app-store-documents") { DocumentProperty.violation(inBody: $0) },
    Property(name: "app-store-texts") { DocumentProperty.violation(inText: $0) },
  ]

  /// Calls `body` with the path of a new folder in memory, and removes the folder.
  private static func inFolder(_ body: (String) -> String?) -> String? {
    let folder = "/dev/shm/ba-package-\(UUID().uuidString)"
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return body(folder)
  }
}
