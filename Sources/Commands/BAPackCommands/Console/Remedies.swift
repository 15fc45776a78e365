import AppStoreConnect
import AssetServer
import BAPackKit
import Converting
import SourceDiagnostics
import TerminalText
import Transfers

// The remedies of libraries, by this program's commands and options.

extension Remedy {
  /// An instruction, without a full stop.
  var phrase: String {
    switch self {
    case .advice(let phrase): phrase
    case .other(let other):
      (other.remedy as? any RemedyWithOptions)?.phrase ?? other.remedy.description
    case .replaceExisting: "use --force to replace it"
    case .nameAnotherOutput: "specify another file with -o"
    case .writeToAnotherDisk: "write to another disk with -o"
    case .writeToOwnFolder: "write to a writable folder with -o"
    case .writeIntoFolder: "use --force to write into this one"
    case .nameAnotherCache:
      "use another folder with --cache; files in this one are not removed"
    case .nameAnotherManifestFolder: "write the manifests to another folder with --packs-dir"
    case .useFewerThreads: "use fewer threads (--threads)"
    case .useSmallerBlocks: "use smaller blocks (--block-size)"
    case .allowMoreMemory: "raise the limit with --memory"
    case .makePack: "create packs with 'ba-package pack'"
    case .listPack(let name): "'ba-package list \(name)' lists the contents"
    case .inspectPack: "inspect a pack with 'ba-package info'"
    case .unpackFirst: "unpack it first: 'ba-package extract <x.aar> -o <folder>'"
    case .takeRawEntries: "'list --all' lists the raw entries, 'extract --all' extracts them"
    case .useAsSourceRoot(nil):
      "use the archive as the source root, with '--source-root'"
    case .useAsSourceRoot(let name?):
      (name.hasSuffix(".aar") ? "the file may be an Android library; otherwise " : "")
        + "use it as a source root: 'ba-package pack <manifest> --source-root \(name)'"
    case .useAsManifest(let name):
      "try 'ba-package validate \(name)', or 'ba-package pack \(name)'"
    case .nameAsManifest: "remove '--source-root' before a manifest"
    case .proposePacks(let folder): "'ba-package init \(folder)' proposes packs for its files"
    case .startFromTemplate: "'ba-package template' prints a manifest to start from"
    case .startProject: "'ba-package template --project' prints a project file to start from"
    case .nameProject(let path): "use '--project \(path)' if you trust the file"
    case .leaveOutProject: "use --no-project to ignore it"
    case .checkDownloadManifest(let name): "try 'ba-package download-manifest check \(name)'"
    case .updateDownloadManifest: "use 'download-manifest update'"
    case .replaceDownloadManifest: "use --force to replace it; versions never decrease"
    case .nameAddresses: "specify it with --download-base-url or --url-template"
    case .nameBaseAddress: "specify the base URL with --download-base-url"
    case .nameAddressTemplate:
      "use --url-template, which accepts the pack ID at any place in the URL"
    case .allowInsecureAddresses: "use --allow-http for a test server"
    case .leaveOutPublishedFolder: "omit --publish-to"
    case .publishToFolder:
      "publish the files with 'download-manifest create --publish-to <folder>'"
    case .publishArchive: "pass its archive to 'download-manifest update'"
    case .removePack(let id): "use '--remove \(id)'"
    case .printInfoPlist: "'download-manifest info-plist' prints the keys with their values"
    case .printUnmanagedInfoPlist:
      "'ba-package unmanaged info-plist' prints the keys with their values"
    case .nameManifestAddress:
      "'info-plist --manifest-url https://…' prints the key"
    case .nameAppGroup: "'info-plist --app-group-id …' prints the key"
    case .nameDownloadManifest: "specify the manifest that 'download-manifest create' wrote"
    case .nameSourceRoot: "specify any folder with '--source-root'"
    case .hostYourself: "for packs on your own server, use '--hosting self'"
    case .namePrimaryLanguage: "specify the primary language with '--primary-language'"
    case .listExcluded: "'evaluate --excluded' lists the excluded files"
    }
  }
}

/// An argument that is missing: neither the command line nor the project file provides the value.
///
/// An error with this remedy is one of the command line.
private struct MissingArgument: Remediation, Hashable {
  /// An instruction, without a full stop.
  let description: String
}

extension Remedy {
  /// Specify a missing argument.
  static func argument(_ phrase: String) -> Remedy {
    .other(MissingArgument(description: phrase))
  }
}

extension PackError {
  /// Whether an argument is missing.
  var isOfCommandLine: Bool {
    remedies.contains { remedy in
      if case .other(let other) = remedy { other.remedy is MissingArgument } else { false }
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
      "specify the certificate authority with --ca if the server is yours"
    }
  }
}

extension ServiceRemedy: RemedyWithOptions {
  fileprivate var phrase: String {
    switch self {
    case .nameAPIKey:
      "specify it with --api-key, --api-issuer and --p8-file-path, or in ASC_KEY_ID, ASC_ISSUER_ID "
        + "and ASC_KEY_PATH"
    case .keepUploadsElsewhere: "specify a file for the upload journal with --record"
    case .uploadFailedAgain: "upload the same archive again with --retry-failed"
    case .sendChecksum: "send a checksum with --checksum md5, which App Store Connect compares"
    case .listSubmissions: "'ba-package app-store submissions list' lists the submissions"
    }
  }
}

extension ServerRemedy: RemedyWithOptions {
  fileprivate var phrase: String {
    switch self {
    case .raiseVersion(let version):
      "use version \(version), or omit '--asset-pack-versions' to increment versions "
        + "automatically"
    }
  }
}

extension ConversionRemedy: RemedyWithOptions {
  fileprivate var phrase: String {
    switch self {
    case .nameInputKind: "specify the input format with --from"
    case .namePolicy: "use --essential, --prefetch or --on-demand"
    case .namePlatforms: "specify them with --platforms"
    case .namePackID: "specify it with --asset-pack-id"
    case .nameContentRoot: "specify the folder of the files with --content-root"
    case .nameTarget: "select a target with --target"
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
