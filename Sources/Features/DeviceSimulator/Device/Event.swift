package import BAPackKit
import TerminalText

/// An event on a device, with the rules that cause it.
package struct Event: Sendable, Equatable {
  /// A kind of event.
  package enum Kind: Sendable, Equatable {
    /// The device requested the manifest, with or without success.
    case manifest(release: String, packs: Int)
    case manifestFailed(String)
    case language(LanguageResolution)
    case downloaded(Download)
    /// The download of a pack failed.
    case failed(PackID, Reason)
    /// A pack is already on the device and is unchanged.
    case present(PackID, version: Int)
    /// The server has a lower version of a pack.
    case olderOnServer(PackID, version: Int, own: Int)
    case removed(PackID, version: Int, Removal)
    case obsolete(PackID)
    /// Packs that are downloaded when the app requests them.
    case waiting([PackID], UInt64)
    case appReady
    case appFailed(String)
    case launched
    case found(path: String, ReadResult)
    case status(PackID, [PackStatus], version: Int?, updates: [StatusUpdate])
    /// The system checked for updates.
    case polled
    /// The system no longer checks for updates.
    case pollingEnded
    case localLanguages([LanguageTag])
    case disk(used: UInt64, free: UInt64?)
    /// A step has no effect, because it is impossible in this state.
    case ignored(String)
    case noted(String)
  }

  /// A successful download.
  package struct Download: Sendable, Equatable {
    package var id: PackID
    package var version: Int
    /// The previous version; nil for a new pack.
    package var previous: Int?
    package var size: UInt64
    package var cause: Cause
    /// The start and end times.
    package var start: UInt64
    package var end: UInt64
    /// The time at which the policy downloads the pack.
    package var time: DownloadTime
  }

  /// The cause of a download.
  package enum Cause: String, Sendable, CaseIterable {
    case installation, update, request, language
    case appUpdate = "app-update"
  }

  /// The reason for a removal.
  package enum Removal: String, Sendable, CaseIterable {
    case obsolete, language
    case byApp = "by-app"
  }

  /// The reason for a failed download.
  package enum Reason: Sendable, Equatable {
    case offline
    case unknownPack
    /// The release contains the pack but does not offer it to the device.
    case notOffered(String)
    /// The number of bytes that the download needs, and the free space.
    ///
    /// Before the download the archive counts, and then the archive together with its files.
    case noRoom(needed: UInt64, left: UInt64, includesFiles: Bool)
    case refused
    /// The app cancelled the download.
    case cancelled
    /// The settings of the user do not allow the download now.
    case disallowed(AutomaticDownloads)
    case obsolete
    case notInstalled
    case trouble(String)
  }

  /// The result of a search for a path.
  package enum ReadResult: Sendable, Equatable {
    /// The packs that contain the file; several packs only if all of them have the same bytes.
    case readable([PackID], haveSameBytes: Bool)
    case ambiguous([PackID])
    case missing
    case folder([PackID])
    /// The specified pack is not on the device.
    case noPack(PackID)
    /// The files of these packs are unknown.
    case notKnown([PackID])
  }

  package let kind: Kind
  /// The time in milliseconds from the start.
  package let time: UInt64
  /// The rules that cause the event.
  package let rules: [SemanticRule]
}

extension Event {
  /// The rules that Apple does not document and that were not measured.
  package var undocumented: [SemanticRule] { rules.filter { !$0.isDocumented } }
}

extension [Event] {
  /// The rules of these events, in the order of all rules.
  package var rules: [SemanticRule] {
    let used = Set(flatMap(\.rules))
    return SemanticRule.all.filter(used.contains)
  }

  /// The undocumented rules of these events, in the order of all rules.
  package var undocumented: [SemanticRule] { rules.filter { !$0.isDocumented } }
}

extension Event.Reason {
  /// The reason in a few words.
  package var phrase: String {
    switch self {
    case .offline: "the device is offline"
    case .unknownPack: "the release offers no such pack"
    case .notOffered(let reason): reason
    case .noRoom(let needed, let left, let includesFiles):
      "it needs \(Quantity.bytes(needed)) "
        + (includesFiles ? "(archive and unpacked files); " : "(archive); ")
        + "\(Quantity.bytes(left)) free"
    case .refused: "the downloader extension rejects it"
    case .cancelled: "the app cancelled it"
    case .disallowed(let condition): condition.rawValue
    case .obsolete: "it is obsolete"
    case .notInstalled: "it is not on the device"
    case .trouble(let reason): reason
    }
  }
}
