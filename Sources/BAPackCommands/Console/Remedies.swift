import AppStoreConnect
import AssetServer
import BAPackKit
import Converting
import SourceDiagnostics
import TerminalText
import Transfers

// The remedies of libraries, in the words of this program's commands and options.

extension Remedy {
  /// An instruction, without a full stop.
  var phrase: String {
    switch self {
    case .advice(let phrase): phrase
    case .other(let other):
      (other.remedy as? any RemedyWithOptions)?.phrase ?? other.remedy.description
    case .replaceExisting: "replace it with --force"
    case .nameAnotherOutput: "name another file with -o"
    case .writeToAnotherDisk: "write to another disk with -o"
    case .writeToOwnFolder: "write to a folder that you may write to, with -o"
    case .writeIntoFolder: "use --force to write into this one"
    case .nameAnotherCache:
      "name another folder with --cache: in this one, nothing shall be removed"
    case .useFewerThreads: "use fewer threads (--threads)"
    case .useSmallerBlocks: "use smaller blocks (--block-size)"
    case .allowMoreMemory: "allow more with --memory, where the machine has it"
    case .makePack: "'ba-package pack' makes packs"
    case .listPack(let name): "'ba-package list \(name)' shows what it has"
    case .inspectPack: "look into a pack with 'ba-package info'"
    case .unpackFirst: "unpack it first: 'ba-package extract <x.aar> -o <folder>'"
    case .takeRawEntries: "'list --all' shows the raw entries, 'extract --all' takes them"
    case .useAsSourceRoot(nil):
      "an archive can be the source root: name it with '--source-root'"
    case .useAsSourceRoot(let name?):
      (name.hasSuffix(".aar") ? "an Android library perhaps; otherwise " : "")
        + "it can be a source root: 'ba-package pack <manifest> --source-root \(name)'"
    case .useAsManifest(let name):
      "try 'ba-package validate \(name)', or 'ba-package pack \(name)'"
    case .nameAsManifest: "a manifest is given without '--source-root'"
    case .startFromTemplate: "'ba-package template' prints a manifest to start from"
    case .startProject: "'ba-package template --project' prints a project file to start from"
    case .nameProject(let path): "name it with '--project \(path)', if you trust it"
    case .leaveOutProject: "leave it out with --no-project"
    case .checkDownloadManifest(let name): "try 'ba-package download-manifest check \(name)'"
    case .updateDownloadManifest: "use 'download-manifest update'"
    case .replaceDownloadManifest: "make it anew with --force: its versions go on"
    case .nameAddresses: "name it with --download-base-url or --url-template"
    case .nameBaseAddress: "name the base with --download-base-url"
    case .nameAddressTemplate:
      "use --url-template, which can put the pack anywhere in the address"
    case .allowInsecureAddresses: "give --allow-http for a test server"
    case .leaveOutPublishedFolder: "leave out --publish-to"
    case .publishToFolder:
      "lay the files out with 'download-manifest create --publish-to <folder>'"
    case .publishArchive: "give its archive to 'download-manifest update'"
    case .removePack(let id): "say '--remove \(id)'"
    case .printInfoPlist: "'download-manifest info-plist' prints the keys with their values"
    case .printUnmanagedInfoPlist:
      "'ba-package unmanaged info-plist' prints the keys with their values"
    case .nameManifestAddress:
      "give its address: 'info-plist --manifest-url https://…' prints the key"
    case .nameAppGroup: "give the group: 'info-plist --app-group-id …' prints the key"
    case .nameDownloadManifest: "name the manifest that 'download-manifest create' made"
    case .nameSourceRoot: "'--source-root' takes any folder"
    case .hostYourself: "on a server of your own it may stay: '--hosting self'"
    case .namePrimaryLanguage: "name the primary language with '--primary-language'"
    case .listExcluded: "'evaluate --excluded' lists what exclusions drop"
    }
  }
}

/// A remedy of another module, for which this program has commands or options.
private protocol RemedyWithOptions: Remediation {
  /// An instruction, without a full stop.
  var phrase: String { get }
}

extension TransferRemedy: RemedyWithOptions {
  fileprivate var phrase: String {
    switch self {
    case .trustAuthority:
      "name the certificate of whoever vouches for it with --ca, if it is your own"
    }
  }
}

extension ServiceRemedy: RemedyWithOptions {
  fileprivate var phrase: String {
    switch self {
    case .nameAPIKey:
      "name it with --api-key, --api-issuer and --p8-file-path, or in ASC_KEY_ID, ASC_ISSUER_ID "
        + "and ASC_KEY_PATH"
    case .keepUploadsElsewhere: "name a file for what was uploaded with --record"
    case .uploadFailedAgain: "upload the same archive again with --retry-failed"
    case .listSubmissions: "'ba-package app-store submissions list' lists the submissions"
    }
  }
}

extension ServerRemedy: RemedyWithOptions {
  fileprivate var phrase: String {
    switch self {
    case .raiseVersion(let version):
      "give it version \(version), or leave '--asset-pack-versions' out: versions then rise by "
        + "themselves"
    }
  }
}

extension ConversionRemedy: RemedyWithOptions {
  fileprivate var phrase: String {
    switch self {
    case .nameInputKind: "say what it is with --from"
    case .namePolicy: "give --essential, --prefetch or --on-demand"
    case .namePlatforms: "name them with --platforms"
    case .namePackID: "name it with --asset-pack-id"
    case .nameContentRoot: "name the folder that the files are in with --content-root"
    case .nameTarget: "name the one that is meant with --target"
    }
  }
}

extension PackError {
  /// All remedies in one line; nil if there are none.
  var remedyText: String? {
    remedies.isEmpty ? nil : remedies.map { shown($0.phrase) }.joined(separator: ", or ")
  }
}

extension Ledger {
  /// The same findings, with remedies that name this program's options.
  var message: Ledger { worded { ($0 as? Remedy)?.phrase } }
}
