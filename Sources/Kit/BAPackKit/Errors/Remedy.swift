package import SourceDiagnostics

// The remedies of this library. A program that has an option for one of them shows its own text.

extension Remedy {
  // MARK: Outputs

  /// Replace the existing file.
  package static let replaceExisting = Remedy("replace-existing", "replace it")
  /// Use another name for the output.
  package static let specifyAnotherOutput = Remedy("specify-another-output", "specify another file")
  /// Write to another disk.
  package static let writeToAnotherDisk = Remedy("write-to-another-disk", "write to another disk")
  /// Write to a folder with write permission.
  package static let writeToOwnFolder = Remedy(
    "write-to-own-folder", "write to a folder with write permission")
  /// Extract into a folder that is not empty.
  package static let writeIntoFolder = Remedy(
    "write-into-folder", "allow extracting into this folder")
  /// Use another folder for the cache: this one contains other files.
  package static let specifyAnotherCache = Remedy(
    "specify-another-cache", "specify another folder: this one contains other files")
  /// Write new manifests to another folder.
  package static let specifyAnotherManifestFolder = Remedy(
    "specify-another-manifest-folder", "write the manifests to another folder")

  // MARK: Memory

  /// Encode or decode fewer blocks at the same time.
  package static let useFewerThreads = Remedy("use-fewer-threads", "use fewer threads")
  /// Use smaller blocks in the pack.
  package static let useSmallerBlocks = Remedy("use-smaller-blocks", "use smaller blocks")
  /// Allow more memory.
  package static let allowMoreMemory = Remedy("allow-more-memory", "allow more memory")

  // MARK: Other inputs

  /// Create a pack, or specify one.
  package static let makePack = Remedy("make-pack", "specify the archive of an asset pack")
  /// List the contents of the pack with this name.
  package static func listPack(_ name: String) -> Remedy {
    Remedy("list-pack", "list the contents of '\(name)'", about: name)
  }
  /// Inspect a pack instead of reading it as a manifest.
  package static let inspectPack = Remedy(
    "inspect-pack", "inspect the pack instead of reading it as a manifest")
  /// Extract the files of a pack before they are packed again.
  package static let unpackFirst = Remedy("unpack-first", "extract its files first")
  /// List or extract all entries unchanged, including other entries than assets.
  package static let takeRawEntries = Remedy("take-raw-entries", "use the raw entries")
  /// Pack from the archive.
  package static let useArchiveAsSourceRoot = Remedy(
    "use-archive-as-source-root", "use the archive as the source root")
  /// Pack from the archive with this name.
  package static func useAsSourceRoot(_ name: String) -> Remedy {
    Remedy("use-as-source-root", "use the archive as the source root", about: name)
  }
  /// Validate the file with this name as a manifest, or create its pack.
  package static func useAsManifest(_ name: String) -> Remedy {
    Remedy("use-as-manifest", "use '\(name)' as a manifest", about: name)
  }
  /// Pass a manifest as a manifest, not as the source root.
  package static let passAsManifest = Remedy(
    "pass-as-manifest", "pass a manifest as a manifest, not as the source root")
  /// Create manifests for the files of the folder with this name.
  package static func proposePacks(_ folder: String) -> Remedy {
    Remedy("propose-packs", "create manifests for the files in '\(folder)'", about: folder)
  }
  /// Start from the template of a manifest.
  package static let startFromTemplate = Remedy(
    "start-from-template", "start from the template of a manifest")
  /// Start from the template of a project file.
  package static let startProject = Remedy(
    "start-project", "start from the template of a project file")
  /// Specify the project file at this path explicitly.
  package static func specifyProject(_ path: String) -> Remedy {
    Remedy("specify-project", "specify '\(path)' as the project file, if you trust it", about: path)
  }
  /// Work without the project file.
  package static let leaveOutProject = Remedy("leave-out-project", "work without a project file")
  /// Validate the file with this name as a download manifest.
  package static func checkDownloadManifest(_ name: String) -> Remedy {
    Remedy("check-download-manifest", "validate '\(name)' as a download manifest", about: name)
  }

  // MARK: Publishing

  /// Update the existing download manifest.
  package static let updateDownloadManifest = Remedy(
    "update-download-manifest", "update the existing download manifest")
  /// Write a new download manifest that continues the versions of the packs.
  package static let replaceDownloadManifest = Remedy(
    "replace-download-manifest", "replace it: the versions of its packs continue")
  /// Specify the base URL of the packs, or a URL template.
  package static let specifyAddresses = Remedy(
    "specify-addresses", "specify the base URL of the packs")
  /// Specify the base URL of the packs.
  package static let specifyBaseAddress = Remedy(
    "specify-base-address", "specify the base URL of the packs")
  /// Specify a URL template, which can contain the ID or version in any place.
  package static let specifyAddressTemplate = Remedy(
    "specify-address-template", "specify a URL template")
  /// Allow `http` addresses, for a test server.
  package static let allowInsecureAddresses = Remedy(
    "allow-insecure-addresses", "allow http for a test server")
  /// Do not write the published folder.
  package static let leaveOutPublishedFolder = Remedy(
    "leave-out-published-folder", "do not write the published folder")
  /// Write the files to a folder in the layout of their addresses.
  package static let publishToFolder = Remedy(
    "publish-to-folder", "write the files to a folder in the layout of their addresses")
  /// Add a pack to the download manifest, or update it there.
  package static let publishArchive = Remedy("publish-archive", "publish its archive")
  /// Confirm that the pack with this ID is removed from the download manifest.
  package static func removePack(_ id: String) -> Remedy {
    Remedy("remove-pack", "confirm that the pack '\(id)' is removed", about: id)
  }
  /// Print the keys for the app's `Info.plist`, with the values for its packs.
  package static let printInfoPlist = Remedy("print-info-plist", "print the keys for Info.plist")
  /// Print the keys for the `Info.plist` of an app with unmanaged downloads.
  package static let printUnmanagedInfoPlist = Remedy(
    "print-unmanaged-info-plist", "print the keys for Info.plist from the unmanaged manifest")
  /// Specify the address of the manifest, which the manifest does not contain.
  package static let specifyManifestAddress = Remedy(
    "specify-manifest-address", "specify the address of the manifest")
  /// Specify the app group, which the manifest does not contain.
  package static let specifyAppGroup = Remedy(
    "specify-app-group", "specify the app group that the app shares with its extension")
  /// Specify a download manifest instead of another file.
  package static let specifyDownloadManifest = Remedy(
    "specify-download-manifest", "specify a download manifest")

  // MARK: Validation

  /// Use another source root than the manifest's.
  package static let specifySourceRoot = Remedy(
    "specify-source-root", "specify another source root; any folder is allowed")
  /// Specify that the packs are on your own server.
  package static let hostYourself = Remedy("host-yourself", "your own server may accept it")
  /// Specify the primary language of the app.
  package static let specifyPrimaryLanguage = Remedy(
    "specify-primary-language", "specify the primary language of the app")
  /// List the excluded files.
  package static let listExcluded = Remedy("list-excluded", "list the excluded files")
}
