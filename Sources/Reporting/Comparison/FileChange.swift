package import BAPackKit
import SystemIO

/// What became of one file of a pack.
package struct FileChange: Sendable, Equatable {
  /// What became of it.
  package enum Kind: Sendable, Equatable {
    case added
    case removed
    /// Other bytes at the same path.
    case changed
    /// The same bytes at another path of the same pack.
    case renamed(from: AssetPath)
    /// The same path and bytes, which were in another pack before.
    case moved(from: PackID)
    /// It may have changed: nobody could compare the bytes.
    case unknown
  }

  /// What became of it.
  package var kind: Kind
  /// Its path as the app sees it; of a removed file the one that it had.
  package var path: AssetPath
  /// Its size before; nil if it was not there, or is not known.
  package var oldSize: UInt64?
  /// Its size now.
  package var newSize: UInt64?
  /// How much of the archive it takes now, where that is known.
  package var stored: UInt64?
  /// The SHA-256 of what is there now, or was, if somebody had to know.
  package var digest: [UInt8]?
  /// Why apps that are out already no longer find what they ask for, if so.
  package var breakage: Breakage?

  /// The larger of its sizes, by which changes are put in order.
  package var weight: UInt64 { max(oldSize ?? 0, newSize ?? 0) }
}

/// Why apps that are out already stop working with a new release.
package enum Breakage: String, Sendable, CaseIterable {
  /// A path is gone, for devices that had it.
  case pathRemoved = "path-removed"
  /// A path is spelled in other case.
  case pathCase = "path-case"
  /// Two packs have a path with different contents, where only one had it.
  case pathAmbiguous = "path-ambiguous"
  /// A pack is gone.
  case packRemoved = "pack-removed"
  /// A platform gets a pack no longer.
  case platformDropped = "platform-dropped"
  /// Who speaks a language, or another one, gets a pack no longer.
  case languageDropped = "language-dropped"
  /// What came by itself has to be asked for.
  case policyWeakened = "policy-weakened"

  /// What it means for apps that are out already, in one sentence.
  package var reason: String {
    switch self {
    case .pathRemoved: "apps that ask for this path no longer find it"
    case .pathCase:
      "devices tell upper from lower case: apps that ask for the old path find nothing"
    case .pathAmbiguous: "which of the packs answers is not defined"
    case .packRemoved: "devices delete it, and apps that ask for it fail"
    case .platformDropped: "devices of that platform delete it"
    case .languageDropped: "devices of that language no longer have it"
    case .policyWeakened: "apps that rely on it being there do not ask for it"
    }
  }
}

/// Something that breaks, with its place.
package struct Break: Sendable, Equatable {
  /// What breaks.
  package var breakage: Breakage
  /// The pack that it is about.
  package var pack: PackID
  /// The path, where it is about one.
  package var path: AssetPath?
  /// What exactly: "iOS", "fr", "essential -> on demand".
  package var what: String?
}
