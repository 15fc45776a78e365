import AppStoreConnect
import AssetServer
import BAPackKit
import Converting
import SourceDiagnostics
import TerminalText
import Transfers

extension Remedy {
  /// An instruction with this program's commands and options, without a full stop.
  var phrase: String {
    code.flatMap { Self.phrases[$0] }.map { $0(subject ?? "") } ?? description
  }

  private static let phrases = Dictionary(
    uniqueKeysWithValues: Phrase.all.map { ($0.code, $0.text) })

  /// Specify a missing argument: neither the command line nor the project file provides the value.
  ///
  /// An error with this remedy is one of the command line.
  static func argument(_ phrase: String) -> Remedy { Remedy("specify-argument", phrase) }
}

/// A remedy of a library, by this program's commands and options.
private struct Phrase: Sendable {
  let code: String
  let text: @Sendable (_ subject: String) -> String

  init(_ remedy: Remedy, _ text: String) {
    code = remedy.code ?? ""
    self.text = { _ in text }
  }

  init(_ remedy: (String) -> Remedy, _ text: @escaping @Sendable (_ subject: String) -> String) {
    code = remedy("").code ?? ""
    self.text = text
  }

  static let all: [Phrase] = [
    Phrase(.replaceExisting, "use --force to replace it"),
    Phrase(.specifyAnotherOutput, "specify another file with -o"),
    Phrase(.writeToAnotherDisk, "write to another disk with -o"),
    Phrase(.writeToOwnFolder, "write to a writable folder with -o"),
    Phrase(.writeIntoFolder, "use --force to write into this one"),
    Phrase(
      .specifyAnotherCache,
      "use another folder with --cache; files in this one are not removed"),
    Phrase(.specifyAnotherManifestFolder, "write the manifests to another folder with --packs-dir"),
    Phrase(.useFewerThreads, "use fewer threads (--threads)"),
    Phrase(.useSmallerBlocks, "use smaller blocks (--block-size)"),
    Phrase(.allowMoreMemory, "raise the limit with --memory"),
    Phrase(.makePack, "create packs with 'ba-package pack'"),
    Phrase(Remedy.listPack) { "'ba-package list \($0)' lists the contents" },
    Phrase(.inspectPack, "inspect a pack with 'ba-package info'"),
    Phrase(.unpackFirst, "unpack it first: 'ba-package extract <x.aar> -o <folder>'"),
    Phrase(.takeRawEntries, "'list --all' lists the raw entries, 'extract --all' extracts them"),
    Phrase(.useArchiveAsSourceRoot, "use the archive as the source root, with '--source-root'"),
    Phrase(Remedy.useAsSourceRoot) {
      ($0.hasSuffix(".aar") ? "the file may be an Android library; otherwise " : "")
        + "use it as a source root: 'ba-package pack <manifest> --source-root \($0)'"
    },
    Phrase(Remedy.useAsManifest) { "try 'ba-package validate \($0)', or 'ba-package pack \($0)'" },
    Phrase(.passAsManifest, "remove '--source-root' before a manifest"),
    Phrase(Remedy.proposePacks) { "'ba-package init \($0)' proposes packs for its files" },
    Phrase(.startFromTemplate, "'ba-package template' prints a manifest to start from"),
    Phrase(.startProject, "'ba-package template --project' prints a project file to start from"),
    Phrase(Remedy.specifyProject) { "use '--project \($0)' if you trust the file" },
    Phrase(.leaveOutProject, "use --no-project to ignore it"),
    Phrase(Remedy.checkDownloadManifest) { "try 'ba-package download-manifest check \($0)'" },
    Phrase(.updateDownloadManifest, "use 'download-manifest update'"),
    Phrase(.replaceDownloadManifest, "use --force to replace it; versions never decrease"),
    Phrase(.specifyAddresses, "specify it with --download-base-url or --url-template"),
    Phrase(.specifyBaseAddress, "specify the base URL with --download-base-url"),
    Phrase(
      .specifyAddressTemplate,
      "use --url-template, which accepts the pack ID at any place in the URL"),
    Phrase(.allowInsecureAddresses, "use --allow-http for a test server"),
    Phrase(.leaveOutPublishedFolder, "omit --publish-to"),
    Phrase(
      .publishToFolder,
      "publish the files with 'download-manifest create --publish-to <folder>'"),
    Phrase(.publishArchive, "pass its archive to 'download-manifest update'"),
    Phrase(Remedy.removePack) { "use '--remove \($0)'" },
    Phrase(.printInfoPlist, "'download-manifest info-plist' prints the keys with their values"),
    Phrase(
      .printUnmanagedInfoPlist,
      "'ba-package unmanaged info-plist' prints the keys with their values"),
    Phrase(.specifyManifestAddress, "'info-plist --manifest-url https://…' prints the key"),
    Phrase(.specifyAppGroup, "'info-plist --app-group-id …' prints the key"),
    Phrase(.specifyDownloadManifest, "specify the manifest that 'download-manifest create' wrote"),
    Phrase(.specifySourceRoot, "specify any folder with '--source-root'"),
    Phrase(.hostYourself, "for packs on your own server, use '--hosting self'"),
    Phrase(.specifyPrimaryLanguage, "specify the primary language with '--primary-language'"),
    Phrase(.listExcluded, "'evaluate --excluded' lists the excluded files"),
    Phrase(.trustAuthority, "specify the certificate authority with --ca if the server is yours"),
    Phrase(
      .specifyAPIKey,
      "specify it with --api-key, --api-issuer and --p8-file-path, or in ASC_KEY_ID, ASC_ISSUER_ID "
        + "and ASC_KEY_PATH"),
    Phrase(.keepUploadsElsewhere, "specify a file for the upload journal with --record"),
    Phrase(.uploadFailedAgain, "upload the same archive again with --retry-failed"),
    Phrase(.sendChecksum, "send a checksum with --checksum md5, which App Store Connect compares"),
    Phrase(.listSubmissions, "'ba-package app-store submissions list' lists the submissions"),
    Phrase({ _ in .raiseVersion(to: 0) }) {
      "use version \($0), or omit '--asset-pack-versions' to increment versions "
        + "automatically"
    },
    Phrase(.specifyInputKind, "specify the input format with --from"),
    Phrase(.specifyPolicy, "use --essential, --prefetch or --on-demand"),
    Phrase(.specifyPlatforms, "specify them with --platforms"),
    Phrase(.specifyPackID, "specify it with --asset-pack-id"),
    Phrase(.specifyContentRoot, "specify the folder of the files with --content-root"),
    Phrase(.specifyTarget, "select a target with --target"),
  ]
}

extension PackError {
  /// Whether an argument is missing.
  var isOfCommandLine: Bool { remedies.contains { $0.code == Remedy.argument("").code } }

  /// All remedies in one line; nil if there are none.
  var remedyText: String? {
    remedies.isEmpty ? nil : remedies.map { shown($0.phrase) }.joined(separator: ", or ")
  }
}

extension Ledger {
  /// The same findings, with remedies that name this program's options.
  var message: Ledger { worded { $0.phrase } }
}
