public import SourceDiagnostics

/// What a person can do about a refusal or a finding.
///
/// The cases are the remedies of this library, and a program names its own options for them;
/// ``description`` has text that fits any program.
public enum Remedy: Sendable, Hashable {
  /// Advice in words that fit any program: "check the disk".
  case advice(String)
  /// The remedy of a module that uses this library.
  case other(OtherRemedy)

  // MARK: Where the output goes

  /// Replace the existing file.
  case replaceExisting
  /// Give the output another name.
  case nameAnotherOutput
  /// Write to another disk, one that has space and no fault.
  case writeToAnotherDisk
  /// Write to a folder that the user may write to.
  case writeToOwnFolder
  /// Extract into a folder that has contents.
  case writeIntoFolder
  /// Keep encoded blocks in another folder: this one has files that are not the cache's.
  case nameAnotherCache

  // MARK: Memory

  /// Encode or decode fewer blocks at once.
  case useFewerThreads
  /// Make the blocks of the pack smaller.
  case useSmallerBlocks
  /// Allow more memory, if the machine has it.
  case allowMoreMemory

  // MARK: Another file was meant

  /// Make a pack, or name one.
  case makePack
  /// List what is in the pack of this name.
  case listPack(String)
  /// Inspect a pack instead of reading it as a manifest.
  case inspectPack
  /// Unpack a pack before its files are packed again.
  case unpackFirst
  /// List or extract every entry as it is, even those that are not assets.
  case takeRawEntries
  /// Pack from the archive of this name, or from any archive.
  case useAsSourceRoot(String?)
  /// Check the file of this name as a manifest, or make its pack.
  case useAsManifest(String)
  /// Give a manifest as a manifest, not as the source root.
  case nameAsManifest
  /// Begin with the template of a manifest.
  case startFromTemplate
  /// Begin with the template of a project file.
  case startProject
  /// Say that the project file at this path is the one that is meant.
  case nameProject(String)
  /// Work without the project file.
  case leaveOutProject
  /// Check the file of this name as a download manifest.
  case checkDownloadManifest(String)

  // MARK: Publishing

  /// Update the existing download manifest.
  case updateDownloadManifest
  /// Make a new download manifest; the versions of its packs continue.
  case replaceDownloadManifest
  /// Give the address that packs are served from, or a template of addresses.
  case nameAddresses
  /// Give the address that packs are served from.
  case nameBaseAddress
  /// Give a template of addresses, which can contain the ID or version anywhere.
  case nameAddressTemplate
  /// Accept addresses without TLS, for a test server.
  case allowInsecureAddresses
  /// Do not arrange files by their addresses.
  case leaveOutPublishedFolder
  /// Arrange files by their addresses, in a folder.
  case publishToFolder
  /// Add a pack to the existing download manifest, or update it there.
  case publishArchive
  /// Say that the pack of this ID is removed from the download manifest.
  case removePack(String)
  /// Print the keys of an app's Info.plist, with the values that its packs need.
  case printInfoPlist
  /// Print the keys of the Info.plist of an app that downloads by itself.
  case printUnmanagedInfoPlist
  /// Give the address of the manifest, which does not follow from the manifest itself.
  case nameManifestAddress
  /// Give the group of the app, which does not follow from the manifest.
  case nameAppGroup
  /// Give a download manifest instead of another file.
  case nameDownloadManifest

  // MARK: How manifests are judged

  /// Use another source root than the manifest's.
  case nameSourceRoot
  /// Say that the packs are on your own server.
  case hostYourself
  /// Give the primary language of the app.
  case namePrimaryLanguage
  /// Show what exclusions leave out.
  case listExcluded

}

/// A remedy that another module defines.
public struct OtherRemedy: Sendable, Hashable {
  /// What the other module defines.
  public let remedy: any Remediation

  /// Two are equal if they have the same type and value.
  public static func == (left: Self, right: Self) -> Bool {
    AnyHashable(left.remedy) == AnyHashable(right.remedy)
  }

  /// Hashes the value of the other module.
  public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(remedy)) }
}

extension Remedy {
  /// The remedy of a module that uses this library.
  package static func other(_ remedy: any Remediation) -> Remedy {
    .other(OtherRemedy(remedy: remedy))
  }
}

extension Remedy: ExpressibleByStringInterpolation {
  /// Makes advice from words in a program.
  public init(stringLiteral phrase: String) { self = .advice(phrase) }
}

extension Remedy: Remediation {
  /// An instruction that names no option of any program.
  public var description: String {
    switch self {
    case .advice(let phrase): phrase
    case .other(let other): other.remedy.description
    case .replaceExisting: "replace it"
    case .nameAnotherOutput: "name another file"
    case .writeToAnotherDisk: "write to another disk"
    case .writeToOwnFolder: "write to a folder that you may write to"
    case .writeIntoFolder: "allow to write into this one"
    case .nameAnotherCache: "name another folder: in this one, nothing shall be removed"
    case .useFewerThreads: "use fewer threads"
    case .useSmallerBlocks: "use smaller blocks"
    case .allowMoreMemory: "allow more memory, where the machine has it"
    case .makePack: "give the archive of an asset pack"
    case .listPack(let name): "look at what '\(name)' has"
    case .inspectPack: "look into a pack as a pack"
    case .unpackFirst: "unpack it first"
    case .takeRawEntries: "take the raw entries"
    case .useAsSourceRoot: "use the archive as the source root"
    case .useAsManifest(let name): "use '\(name)' as a manifest"
    case .nameAsManifest: "give a manifest as a manifest"
    case .startFromTemplate: "start from the template of a manifest"
    case .startProject: "start from the template of a project file"
    case .nameProject(let path): "name '\(path)' as the project file, if you trust it"
    case .leaveOutProject: "work without a project file"
    case .checkDownloadManifest(let name): "check '\(name)' as a download manifest"
    case .updateDownloadManifest: "update the download manifest that is there"
    case .replaceDownloadManifest: "make it anew: its versions go on"
    case .nameAddresses: "name the address that packs are served below"
    case .nameBaseAddress: "name the address that packs are served below"
    case .nameAddressTemplate: "name a template of addresses"
    case .allowInsecureAddresses: "allow http for a test server"
    case .leaveOutPublishedFolder: "do not lay the files out by their addresses"
    case .publishToFolder: "lay the files out by their addresses"
    case .publishArchive: "publish its archive"
    case .removePack(let id): "say that the pack '\(id)' is to be removed"
    case .printInfoPlist: "compute the keys of Info.plist from the packs"
    case .printUnmanagedInfoPlist: "compute the keys of Info.plist from the unmanaged manifest"
    case .nameManifestAddress: "give the address that the manifest is served from"
    case .nameAppGroup: "give the group that the app shares with its extension"
    case .nameDownloadManifest: "name a download manifest"
    case .nameSourceRoot: "name another source root, which may be any folder"
    case .hostYourself: "on a server of your own it may stay"
    case .namePrimaryLanguage: "name the primary language of the app"
    case .listExcluded: "list what exclusions drop"
    }
  }
}
