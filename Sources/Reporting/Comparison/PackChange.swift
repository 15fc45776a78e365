package import BAPackKit
package import SourceDiagnostics
import SystemIO

/// What became of one pack.
package struct PackChange: Sendable {
  /// What became of it.
  package enum Kind: String, Sendable, CaseIterable {
    case added, removed
    /// Its files are others, or what is said of it.
    case changed
    /// Its archive has other bytes, with the same files and the same manifest.
    case rewritten
    /// It may have changed: too little is known of one side.
    case unknown
  }

  /// The ID of the pack.
  package let id: PackID
  /// What became of it.
  package internal(set) var kind: Kind
  /// The pack before; nil if it is new.
  package let old: InventoryPack?
  /// The pack now; nil if it is gone.
  package let new: InventoryPack?
  /// What is said of it: policy, platforms, language, data for the app.
  package internal(set) var attributes: [AttributeChange] = []
  /// What became of its files, the largest first.
  package internal(set) var files: [FileChange] = []
  /// Why the bytes are others though the files are not, in a few words each.
  package internal(set) var settings: [String] = []
  /// Whether players who have it download it again.
  package internal(set) var isDownloadedAgain = false
  /// Whether all its files could be compared.
  package internal(set) var isWhole = true
  /// Why apps that are out already stop working, where it is about the whole pack.
  package internal(set) var breaks: [Break] = []

  /// What is said of a pack, before and now.
  package struct AttributeChange: Sendable, Equatable {
    /// The key of the manifest.
    package var key: String
    package var old: JSONValue
    package var new: JSONValue
  }

  /// Why a pack with the same files has other bytes, in a few words.
  package var rewriting: String {
    if !settings.isEmpty { return settings.joined(separator: ", ") }
    return old?.form == nil || new?.form == nil ? "other bytes" : "encoded otherwise"
  }

  /// How much players download again.
  package var downloadAgain: UInt64? { isDownloadedAgain ? new?.downloadSize : 0 }
}
