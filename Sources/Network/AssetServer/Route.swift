package import BAPackKit
import SystemIO

/// The resource at the path of a request.
package enum Route: Sendable, Equatable {
  /// The manifest with all packs.
  case manifest
  /// The archive of a pack.
  case pack(PackID)
  /// The live page.
  case page
  case unknown

  /// Resolves a path; `has` returns whether a pack exists.
  ///
  /// `/manifest` is the manifest even if a pack has this ID. For `/a.aar`, the pack `a.aar` takes
  /// precedence over the pack `a`.
  package init(_ path: [UInt8], among has: (PackID) -> Bool) {
    self = .unknown
    guard path.first == slash else { return }
    // Compare bytes: a combining mark at the start of an ID would form a character with the slash.
    let rest = path.dropFirst()
    if rest.isEmpty {
      self = .page
    } else if rest == Self.manifestName[...] {
      self = .manifest
    } else if let path = String(validating: rest, as: UTF8.self) {
      for folder in Self.folders where rest.prefix(folder.count) == folder[...] {
        let name = path.utf8.dropFirst(folder.count)
        let isArchive = rest.suffix(Self.ending.count) == Self.ending[...]
        let id =
          Self.id(name, has) ?? (isArchive ? Self.id(name.dropLast(Self.ending.count), has) : nil)
        if let id {
          self = .pack(id)
          return
        }
      }
    }
  }

  private static let manifestName = Array("manifest".utf8)
  private static let folders = ["assetpacks/", "assets/", ""].map { Array($0.utf8) }
  private static let ending = Array(".aar".utf8)

  private static func id(_ name: Substring.UTF8View, _ has: (PackID) -> Bool) -> PackID? {
    guard !name.isEmpty, let text = String(name) else { return nil }
    let id = PackID(text)
    return has(id) ? id : nil
  }
}

/// The platform in a request for the manifest.
package enum RequestedPlatform: Sendable, Equatable {
  /// No platform: all packs are offered.
  case any
  case unknown(String)
  case known(Platform)

  /// Other names of platforms: those in Apple's SDKs, in Mach-O files and of devices.
  ///
  /// They are in lower case and have no simulator suffix.
  private static let names: [String: Platform] = [
    "iphone": .iOS, "iphoneos": .iOS, "ipad": .iOS, "ipados": .iOS,
    "mac": .macOS, "macosx": .macOS, "osx": .macOS,
    "maccatalyst": .macOS, "catalyst": .macOS, "iosmac": .macOS, "uikitformac": .macOS,
    "tv": .tvOS, "appletv": .tvOS, "appletvos": .tvOS,
    "vision": .visionOS, "visionpro": .visionOS, "xr": .visionOS, "xros": .visionOS,
  ]

  /// Reads the values of `platform=`.
  ///
  /// Case is ignored. Simulators and Catalyst have the platform that they simulate or run on.
  package init(_ values: [String]) {
    guard let value = values.first, !value.isEmpty else {
      self = .any
      return
    }
    var name = value.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" }
    if name.hasPrefix("platform") { name = String(name.dropFirst("platform".count)) }
    for ending in ["simulator", "sim"] where name.hasSuffix(ending) && name != ending {
      name = String(name.dropLast(ending.count))
    }
    let platform = Platform.allCases.first { $0.rawValue.lowercased() == name }
    self = (platform ?? Self.names[name]).map { .known($0) } ?? .unknown(value)
  }
}
