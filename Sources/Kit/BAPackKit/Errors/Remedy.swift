package import SourceDiagnostics

// The remedies of this library. A program that has an option for one of them shows its own text.

extension Remedy {
  // MARK: Outputs

  package static let replaceExisting = Remedy("replace-existing", "replace it")
  package static let specifyAnotherOutput = Remedy("specify-another-output", "specify another file")
  package static let writeToAnotherDisk = Remedy("write-to-another-disk", "write to another disk")
  package static let writeToOwnFolder = Remedy(
    "write-to-own-folder", "write to a folder with write permission")
  package static let writeIntoFolder = Remedy(
    "write-into-folder", "allow extracting into this folder")
  package static let specifyAnotherCache = Remedy(
    "specify-another-cache", "specify another folder: this one contains other files")
  package static let specifyAnotherManifestFolder = Remedy(
    "specify-another-manifest-folder", "write the manifests to another folder")

  // MARK: Memory

  package static let useFewerThreads = Remedy("use-fewer-threads", "use fewer threads")
  package static let useSmallerBlocks = Remedy("use-smaller-blocks", "use smaller blocks")
  package static let allowMoreMemory = Remedy("allow-more-memory", "allow more memory")

  // MARK: Other inputs

  package static let makePack = Remedy("make-pack", "specify the archive of an asset pack")
  package static func listPack(_ name: String) -> Remedy {
    Remedy("list-pack", "list the contents of '\(name)'", about: name)
  }
  package static let inspectPack = Remedy(
    "inspect-pack", "inspect the pack instead of reading it as a manifest")
  package static let unpackFirst = Remedy("unpack-first", "extract its files first")
  package static let takeRawEntries = Remedy("take-raw-entries", "use the raw entries")
  package static let useArchiveAsSourceRoot = Remedy(
    "use-archive-as-source-root", "use the archive as the source root")
  package static func useAsSourceRoot(_ name: String) -> Remedy {
    Remedy("use-as-source-root", "use the archive as the source root", about: name)
  }
  package static func useAsManifest(_ name: String) -> Remedy {
    Remedy("use-as-manifest", "use '\(name)' as a manifest", about: name)
  }
  package static let passAsManifest = Remedy(
    "pass-as-manifest", "pass a manifest as a manifest, not as the source root")
  package static func proposePacks(_ folder: String) -> Remedy {
    Remedy("propose-packs", "create manifests for the files in '\(folder)'", about: folder)
  }
  package static let startFromTemplate = Remedy(
    "start-from-template", "start from the template of a manifest")
  package static let startProject = Remedy(
    "start-project", "start from the template of a project file")
  package static func specifyProject(_ path: String) -> Remedy {
    Remedy("specify-project", "specify '\(path)' as the project file, if you trust it", about: path)
  }
  package static let leaveOutProject = Remedy("leave-out-project", "work without a project file")
  package static func checkDownloadManifest(_ name: String) -> Remedy {
    Remedy("check-download-manifest", "validate '\(name)' as a download manifest", about: name)
  }

  // MARK: Publishing

  package static let updateDownloadManifest = Remedy(
    "update-download-manifest", "update the existing download manifest")
  package static let replaceDownloadManifest = Remedy(
    "replace-download-manifest", "replace it: the versions of its packs continue")
  package static let specifyAddresses = Remedy(
    "specify-addresses", "specify the base URL of the packs")
  package static let specifyBaseAddress = Remedy(
    "specify-base-address", "specify the base URL of the packs")
  package static let specifyAddressTemplate = Remedy(
    "specify-address-template", "specify a URL template")
  package static let allowInsecureAddresses = Remedy(
    "allow-insecure-addresses", "allow http for a test server")
  package static let leaveOutPublishedFolder = Remedy(
    "leave-out-published-folder", "do not write the published folder")
  package static let publishToFolder = Remedy(
    "publish-to-folder", "write the files to a folder in the layout of their addresses")
  package static let publishArchive = Remedy("publish-archive", "publish its archive")
  package static func removePack(_ id: String) -> Remedy {
    Remedy("remove-pack", "confirm that the pack '\(id)' is removed", about: id)
  }
  package static let printInfoPlist = Remedy("print-info-plist", "print the keys for Info.plist")
  package static let printUnmanagedInfoPlist = Remedy(
    "print-unmanaged-info-plist", "print the keys for Info.plist from the unmanaged manifest")
  package static let specifyManifestAddress = Remedy(
    "specify-manifest-address", "specify the address of the manifest")
  package static let specifyAppGroup = Remedy(
    "specify-app-group", "specify the app group that the app shares with its extension")
  package static let specifyDownloadManifest = Remedy(
    "specify-download-manifest", "specify a download manifest")

  // MARK: Validation

  package static let specifySourceRoot = Remedy(
    "specify-source-root", "specify another source root; any folder is allowed")
  package static let hostYourself = Remedy("host-yourself", "your own server may accept it")
  package static let specifyPrimaryLanguage = Remedy(
    "specify-primary-language", "specify the primary language of the app")
  package static let listExcluded = Remedy("list-excluded", "list the excluded files")
}
