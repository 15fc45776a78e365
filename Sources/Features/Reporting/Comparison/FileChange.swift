package import BAPackKit
import SystemIO

/// A change of one file of a pack.
package struct FileChange: Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    case added
    case removed
    /// The bytes at the path differ.
    case changed
    /// The same bytes have another path in the same pack.
    case renamed(from: AssetPath)
    /// The same path and bytes were in another pack before.
    case moved(from: PackID)
    /// The file may have changed: its bytes could not be compared.
    case unknown
  }

  package var kind: Kind
  /// The path as the app uses it; for a removed file, the old path.
  package var path: AssetPath
  /// The old size; nil if the file did not exist, or if the size is unknown.
  package var oldSize: UInt64?
  package var newSize: UInt64?
  /// The number of bytes that the file takes in the new archive, if known.
  package var stored: UInt64?
  /// The SHA-256 digest of the new file, or of the removed file, if it was computed; without bytes
  /// for an empty file.
  package var digest: [UInt8]?
  /// The break that the change causes for released apps, if any.
  package var breakage: Breakage?

  /// The larger size, by which changes are sorted.
  package var weight: UInt64 { max(oldSize ?? 0, newSize ?? 0) }
}

/// A kind of break: a reason why released apps stop working with a new release.
package enum Breakage: String, Sendable, CaseIterable {
  /// A path is missing on devices that had it.
  case pathRemoved = "path-removed"
  /// The case of a path changed.
  case pathCase = "path-case"
  /// Two packs contain a path with different contents, and only one did before.
  case pathAmbiguous = "path-ambiguous"
  /// A pack was removed.
  case packRemoved = "pack-removed"
  /// A platform no longer receives a pack.
  case platformDropped = "platform-dropped"
  /// Devices with some languages no longer receive a pack.
  case languageDropped = "language-dropped"
  /// A pack or file that was downloaded automatically must be requested.
  case policyWeakened = "policy-weakened"

  /// The effect on released apps, in one sentence.
  package var reason: String {
    switch self {
    case .pathRemoved: "apps that request this path no longer find it"
    case .pathCase:
      "paths are case-sensitive on devices: apps that request the old path do not find it"
    case .pathAmbiguous: "the device may read the file of any of these packs"
    case .packRemoved: "devices delete it, and requests of apps for it fail"
    case .platformDropped: "devices of that platform delete it"
    case .languageDropped: "devices with that language no longer have it"
    case .policyWeakened: "apps rely on the automatic download and do not request it"
    }
  }
}

/// A break with its place.
package struct Break: Sendable, Equatable {
  /// The kind of the break.
  package var breakage: Breakage
  package var pack: PackID
  /// The path, if the break concerns one.
  package var path: AssetPath?
  /// The details: "iOS", "fr", "essential -> on demand".
  package var what: String?
}
