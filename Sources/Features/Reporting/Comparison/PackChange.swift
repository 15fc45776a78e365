package import BAPackKit
package import SourceDiagnostics
import SystemIO

package struct PackChange: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case added, removed
    /// The files or the manifest differ.
    case changed
    /// The archive has different bytes, with the same files and the same manifest.
    case rewritten
    /// The pack may have changed: one release is not fully known.
    case unknown
  }

  package let id: PackID
  package internal(set) var kind: Kind
  /// The old pack; nil if it is new.
  package let old: InventoryPack?
  /// The new pack; nil if it was removed.
  package let new: InventoryPack?
  /// The changes of the manifest: policy, platforms, language, data for the app.
  package internal(set) var attributes: [AttributeChange] = []
  /// The changes of the files, in descending order of size.
  package internal(set) var files: [FileChange] = []
  /// The reasons why the bytes differ although the files are equal.
  package internal(set) var settings: [String] = []
  /// Whether devices with the pack download it again.
  package internal(set) var isDownloadedAgain = false
  /// Whether all its files could be compared.
  package internal(set) var isWhole = true
  /// The breaks that concern the whole pack.
  package internal(set) var breaks: [Break] = []

  /// A changed value of a manifest.
  package struct AttributeChange: Sendable, Equatable {
    /// The key of the manifest.
    package var key: String
    package var old: JSONValue
    package var new: JSONValue
  }

  /// A short reason why a pack with the same files has different bytes.
  package var rewriting: String {
    if !settings.isEmpty { return settings.joined(separator: ", ") }
    return old?.form == nil || new?.form == nil ? "different bytes" : "different encoding"
  }

  /// The number of bytes that devices download again.
  package var downloadAgain: UInt64? { isDownloadedAgain ? new?.downloadSize : 0 }
}
