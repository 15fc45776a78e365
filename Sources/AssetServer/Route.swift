package import BAPackKit
import SystemIO

/// What the path of a request stands for.
package enum Route: Sendable, Equatable {
  /// What a device is told about all packs.
  case manifest
  /// The archive of a pack.
  case pack(PackID)
  /// The page for people.
  case page
  case unknown

  /// Finds out what a path means among the packs that there are.
  ///
  /// `/manifest` is the manifest also where a pack is called so, and a pack whose ID is exactly
  /// what stands there comes before one to which `.aar` was added.
  package init(_ path: [UInt8], among has: (PackID) -> Bool) {
    self = .unknown
    guard path.first == slash else { return }
    // Bytes, not characters: a mark at the beginning of an ID would belong to the slash before it.
    let rest = path.dropFirst()
    if rest.isEmpty {
      self = .page
    } else if rest.elementsEqual("manifest".utf8) {
      self = .manifest
    } else {
      for folder in ["assetpacks/", "assets/", ""] where rest.starts(with: folder.utf8) {
        let name = rest.dropFirst(folder.utf8.count)
        let isArchive = name.suffix(Self.ending.count).elementsEqual(Self.ending)
        let names = isArchive ? [name, name.dropLast(Self.ending.count)] : [name]
        for part in names where !part.isEmpty {
          guard let id = String(validating: part, as: UTF8.self).map({ PackID($0) }), has(id) else {
            continue
          }
          self = .pack(id)
          return
        }
      }
    }
  }

  private static let ending = Array(".aar".utf8)
}

/// The platform that a device names when it asks for the manifest.
package enum AskedPlatform: Sendable, Equatable {
  /// None, or one that nobody knows: all packs are offered.
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

  /// Reads the values of `platform=`: the case does not matter, and simulators and Catalyst are
  /// what they stand for.
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
