import BAPackKit
package import SourceDiagnostics
package import SystemIO

/// An app or an extension in a product: its property list, its program and its profile.
package struct CodeBundle: Sendable {
  /// The reason why a part of it is missing.
  package enum Part: Sendable, Equatable {
    case propertyList, program, profile
  }

  /// A part that cannot be read, with the reason.
  package struct Damage: Sendable {
    package var part: Part
    package var file: FilePath
    package var reason: Unreadable
  }

  /// The folder in the product.
  package let folder: FilePath
  /// Whether its files are in an inner folder, as on macOS.
  package let isDeep: Bool
  package internal(set) var info: InfoList?
  package internal(set) var program: Program?
  package internal(set) var profile: ProvisioningProfile?
  package internal(set) var damages: [Damage] = []
  /// Whether the code is in a library for debugging.
  package internal(set) var isDebugBuild = false
  /// The programs that are too large to be read, or are encrypted in an archive.
  package internal(set) var unread: [FilePath] = []

  init(_ folder: FilePath, isDeep: Bool) {
    self.folder = folder
    self.isDeep = isDeep
  }

  /// The folder with its property list.
  var contents: FilePath { isDeep ? folder.appending(FileName("Contents")) : folder }
  var infoPath: FilePath { contents.appending(FileName("Info.plist")) }

  var profilePath: FilePath {
    contents.appending(
      FileName(isDeep ? "embedded.provisionprofile" : "embedded.mobileprovision"))
  }

  /// The folder name without its extension.
  private var stem: String {
    let name = FilePath(folder.name.bytes).text
    return name.split(separator: ".").dropLast().joined(separator: ".")
  }

  /// The path of the program.
  package var programPath: FilePath {
    let name = info?.string("CFBundleExecutable") ?? stem
    let around = isDeep ? contents.appending(FileName("MacOS")) : contents
    return around.appending(FilePath(name).normalized)
  }

  /// The path of the library with the code of a debug build.
  var debugPath: FilePath { FilePath(programPath.bytes + Array(".debug.dylib".utf8)) }

  package var identifier: String? { info?.string("CFBundleIdentifier") }

  /// The entitlements in the signature.
  package var entitlements: PlacedValue? { program?.entitlements }

  /// The app groups in the signature.
  package var groups: [String] {
    entitlements?["com.apple.security.application-groups"]?.texts.map(\.text) ?? []
  }

  /// The minimum system in the property list.
  package var minimumSystem: SystemVersion? {
    (info?.string("MinimumOSVersion") ?? info?.string("LSMinimumSystemVersion"))
      .flatMap { SystemVersion($0) }
  }
}
