public import SourceDiagnostics

/// A remedy for an error or a finding.
///
/// The cases are the remedies of this library. A program describes them with its own options;
/// ``description`` is a text without options.
public enum Remedy: Sendable, Hashable {
  /// Advice as a text: "check the disk".
  case advice(String)
  /// The remedy of a module that uses this library.
  case other(OtherRemedy)

  // MARK: Outputs

  /// Replace the existing file.
  case replaceExisting
  /// Use another name for the output.
  case nameAnotherOutput
  /// Write to another disk.
  case writeToAnotherDisk
  /// Write to a folder with write permission.
  case writeToOwnFolder
  /// Extract into a folder that is not empty.
  case writeIntoFolder
  /// Use another folder for the cache: this one contains other files.
  case nameAnotherCache
  /// Write new manifests to another folder.
  case nameAnotherManifestFolder

  // MARK: Memory

  /// Encode or decode fewer blocks at the same time.
  case useFewerThreads
  /// Use smaller blocks in the pack.
  case useSmallerBlocks
  /// Allow more memory.
  case allowMoreMemory

  // MARK: Other inputs

  /// Create a pack, or specify one.
  case makePack
  /// List the contents of the pack with this name.
  case listPack(String)
  /// Inspect a pack instead of reading it as a manifest.
  case inspectPack
  /// Extract the files of a pack before they are packed again.
  case unpackFirst
  /// List or extract all entries unchanged, including other entries than assets.
  case takeRawEntries
  /// Pack from the archive with this name, or from any archive.
  case useAsSourceRoot(String?)
  /// Validate the file with this name as a manifest, or create its pack.
  case useAsManifest(String)
  /// Pass a manifest as a manifest, not as the source root.
  case nameAsManifest
  /// Create manifests for the files of the folder with this name.
  case proposePacks(String)
  /// Start from the template of a manifest.
  case startFromTemplate
  /// Start from the template of a project file.
  case startProject
  /// Specify the project file at this path explicitly.
  case nameProject(String)
  /// Work without the project file.
  case leaveOutProject
  /// Validate the file with this name as a download manifest.
  case checkDownloadManifest(String)

  // MARK: Publishing

  /// Update the existing download manifest.
  case updateDownloadManifest
  /// Write a new download manifest that continues the versions of the packs.
  case replaceDownloadManifest
  /// Specify the base URL of the packs, or a URL template.
  case nameAddresses
  /// Specify the base URL of the packs.
  case nameBaseAddress
  /// Specify a URL template, which can contain the ID or version in any place.
  case nameAddressTemplate
  /// Allow `http` addresses, for a test server.
  case allowInsecureAddresses
  /// Do not write the published folder.
  case leaveOutPublishedFolder
  /// Write the files to a folder in the layout of their addresses.
  case publishToFolder
  /// Add a pack to the download manifest, or update it there.
  case publishArchive
  /// Confirm that the pack with this ID is removed from the download manifest.
  case removePack(String)
  /// Print the keys for the app's `Info.plist`, with the values for its packs.
  case printInfoPlist
  /// Print the keys for the `Info.plist` of an app with unmanaged downloads.
  case printUnmanagedInfoPlist
  /// Specify the address of the manifest, which the manifest does not contain.
  case nameManifestAddress
  /// Specify the app group, which the manifest does not contain.
  case nameAppGroup
  /// Specify a download manifest instead of another file.
  case nameDownloadManifest

  // MARK: Validation

  /// Use another source root than the manifest's.
  case nameSourceRoot
  /// Specify that the packs are on your own server.
  case hostYourself
  /// Specify the primary language of the app.
  case namePrimaryLanguage
  /// List the excluded files.
  case listExcluded
}

/// A remedy that another module defines.
public struct OtherRemedy: Sendable, Hashable {
  /// The remedy of the other module.
  public let remedy: any Remediation

  /// Returns whether both have the same type and value.
  public static func == (left: Self, right: Self) -> Bool {
    AnyHashable(left.remedy) == AnyHashable(right.remedy)
  }

  /// Hashes the remedy of the other module.
  public func hash(into hasher: inout Hasher) { hasher.combine(AnyHashable(remedy)) }
}

extension Remedy {
  /// The remedy of a module that uses this library.
  package static func other(_ remedy: any Remediation) -> Remedy {
    .other(OtherRemedy(remedy: remedy))
  }
}

extension Remedy: ExpressibleByStringInterpolation {
  /// Creates advice from a text.
  public init(stringLiteral phrase: String) { self = .advice(phrase) }
}

extension Remedy: Remediation {
  /// The instruction, without names of options.
  public var description: String {
    switch self {
    case .advice(let phrase): phrase
    case .other(let other): other.remedy.description
    case .replaceExisting: "replace it"
    case .nameAnotherOutput: "specify another file"
    case .writeToAnotherDisk: "write to another disk"
    case .writeToOwnFolder: "write to a folder with write permission"
    case .writeIntoFolder: "allow extracting into this folder"
    case .nameAnotherCache: "specify another folder: this one contains other files"
    case .nameAnotherManifestFolder: "write the manifests to another folder"
    case .useFewerThreads: "use fewer threads"
    case .useSmallerBlocks: "use smaller blocks"
    case .allowMoreMemory: "allow more memory"
    case .makePack: "specify the archive of an asset pack"
    case .listPack(let name): "list the contents of '\(name)'"
    case .inspectPack: "inspect the pack instead of reading it as a manifest"
    case .unpackFirst: "extract its files first"
    case .takeRawEntries: "use the raw entries"
    case .useAsSourceRoot: "use the archive as the source root"
    case .useAsManifest(let name): "use '\(name)' as a manifest"
    case .nameAsManifest: "pass a manifest as a manifest, not as the source root"
    case .proposePacks(let folder): "create manifests for the files in '\(folder)'"
    case .startFromTemplate: "start from the template of a manifest"
    case .startProject: "start from the template of a project file"
    case .nameProject(let path): "specify '\(path)' as the project file, if you trust it"
    case .leaveOutProject: "work without a project file"
    case .checkDownloadManifest(let name): "validate '\(name)' as a download manifest"
    case .updateDownloadManifest: "update the existing download manifest"
    case .replaceDownloadManifest: "replace it: the versions of its packs continue"
    case .nameAddresses: "specify the base URL of the packs"
    case .nameBaseAddress: "specify the base URL of the packs"
    case .nameAddressTemplate: "specify a URL template"
    case .allowInsecureAddresses: "allow http for a test server"
    case .leaveOutPublishedFolder: "do not write the published folder"
    case .publishToFolder: "write the files to a folder in the layout of their addresses"
    case .publishArchive: "publish its archive"
    case .removePack(let id): "confirm that the pack '\(id)' is removed"
    case .printInfoPlist: "print the keys for Info.plist"
    case .printUnmanagedInfoPlist: "print the keys for Info.plist from the unmanaged manifest"
    case .nameManifestAddress: "specify the address of the manifest"
    case .nameAppGroup: "specify the app group that the app shares with its extension"
    case .nameDownloadManifest: "specify a download manifest"
    case .nameSourceRoot: "specify another source root; any folder is allowed"
    case .hostYourself: "your own server may accept it"
    case .namePrimaryLanguage: "specify the primary language of the app"
    case .listExcluded: "list the excluded files"
    }
  }
}
