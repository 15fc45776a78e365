package import BAPackKit

/// Something that happens on a device, and the rules that made it happen.
package struct Event: Sendable, Equatable {
  /// What happens.
  package enum Kind: Sendable, Equatable {
    /// The device was told of the packs, or could not read that.
    case manifest(release: String, packs: Int)
    case manifestFailed(String)
    case language(LanguageResolution)
    case downloaded(Download)
    /// A pack did not come.
    case failed(PackID, Reason)
    /// A pack was there already, and stays as it is.
    case present(PackID, version: Int)
    /// A pack has a lower version on the server.
    case olderOnServer(PackID, version: Int, own: Int)
    case removed(PackID, version: Int, Removal)
    case obsolete(PackID)
    /// Packs that wait until the app asks.
    case waiting([PackID], UInt64)
    case appReady
    case appFailed(String)
    case launched
    case found(path: String, ReadResult)
    case status(PackID, [PackStatus], version: Int?)
    /// The system looked for updates.
    case polled
    /// Nothing is looked for any more.
    case pollingEnded
    case localLanguages([LanguageTag])
    case disk(used: UInt64, free: UInt64?)
    /// A step does nothing: nobody can do that now.
    case ignored(String)
    case noted(String)
  }

  /// A download that succeeded.
  package struct Download: Sendable, Equatable {
    package var id: PackID
    package var version: Int
    /// The version that was there before; nil for a new pack.
    package var previous: Int?
    package var size: UInt64
    package var cause: Cause
    /// When it began and ended.
    package var start: UInt64
    package var end: UInt64
    /// When the policy lets it come.
    package var time: DownloadTime
  }

  /// Why something is downloaded.
  package enum Cause: String, Sendable, CaseIterable {
    case installation, update, request, language
    case appUpdate = "app-update"
  }

  /// Why a pack is removed.
  package enum Removal: String, Sendable, CaseIterable {
    case obsolete, language
    case byApp = "by-app"
  }

  /// Why a pack does not come.
  package enum Reason: Sendable, Equatable {
    case offline
    case unknownPack
    /// The release has the pack, and does not offer it to the device.
    case notOffered(String)
    case noRoom(needed: UInt64, left: UInt64)
    case refused
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
    /// The pack that was named is not there.
    case noPack(PackID)
    /// The files of these packs are not known.
    case notKnown([PackID])
  }

  package let kind: Kind
  /// When it happened, in milliseconds from the beginning.
  package let time: UInt64
  /// The rules behind it.
  package let rules: [SemanticRule]
}

extension Event {
  /// The rules behind it that Apple does not document.
  package var undocumented: [SemanticRule] { rules.filter { !$0.isDocumented } }
}

extension [Event] {
  /// The rules behind these events, in the order of all rules.
  package var rules: [SemanticRule] {
    let used = Set(flatMap(\.rules))
    return SemanticRule.all.filter(used.contains)
  }

  /// The rules behind these events that Apple does not document, in the order of all rules.
  package var undocumented: [SemanticRule] { rules.filter { !$0.isDocumented } }
}

extension Event.Reason {
  /// The reason in a few words.
  package var phrase: String {
    switch self {
    case .offline: "the device is offline"
    case .unknownPack: "no such pack is offered"
    case .notOffered(let reason): reason
    case .noRoom(let needed, let left): "\(needed) bytes are needed, and \(left) are left"
    case .refused: "the extension refuses it"
    case .obsolete: "it is obsolete"
    case .notInstalled: "it is not on the device"
    case .trouble(let reason): reason
    }
  }
}
