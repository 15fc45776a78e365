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
    uniqueKeysWithValues: RemedyPhrase.all.map { ($0.remedy.code ?? "", $0.text) })

  /// Specify a missing argument: neither the command line nor the project file provides the value.
  ///
  /// An error with this remedy is one of the command line.
  static func argument(_ phrase: String) -> Remedy { Remedy("specify-argument", phrase) }
}

/// The text of a library's remedy in this program, with its commands and options.
struct RemedyPhrase: Sendable {
  /// The remedy, about an example if it is about a name.
  let remedy: Remedy
  /// Returns the text for a subject, which is empty if the remedy has none.
  let text: @Sendable (_ subject: String) -> String

  private init(_ remedy: Remedy, _ text: String) {
    self.remedy = remedy
    self.text = { _ in text }
  }

  private init(
    _ remedy: (String) -> Remedy, _ text: @escaping @Sendable (_ subject: String) -> String
  ) {
    self.remedy = remedy("x")
    self.text = text
  }

  /// The texts of all remedies with a code.
  static let all: [RemedyPhrase] = [
    .init(.replaceExisting, "use --force to replace it"),
    .init(.specifyAnotherOutput, "specify another file with -o"),
    .init(.writeToAnotherDisk, "write to another disk with -o"),
    .init(.writeToOwnFolder, "write to a writable folder with -o"),
    .init(.writeIntoFolder, "use --force to write into this one"),
    .init(
      .specifyAnotherCache,
      "use another folder with --cache; files in this one are not removed"),
    .init(.specifyAnotherManifestFolder, "write the manifests to another folder with --packs-dir"),
    .init(.useFewerThreads, "use fewer threads (--threads)"),
    .init(.useSmallerBlocks, "use smaller blocks (--block-size)"),
    .init(.allowMoreMemory, "raise the limit with --memory"),
    .init(.makePack, "create packs with 'ba-package pack'"),
    .init(Remedy.listPack) { "'ba-package list \($0)' lists the contents" },
    .init(.inspectPack, "inspect a pack with 'ba-package info'"),
    .init(.unpackFirst, "unpack it first: 'ba-package extract <x.aar> -o <folder>'"),
    .init(.takeRawEntries, "'list --all' lists the raw entries, 'extract --all' extracts them"),
    .init(.useArchiveAsSourceRoot, "use the archive as the source root, with '--source-root'"),
    .init(Remedy.useAsSourceRoot) {
      ($0.hasSuffix(".aar") ? "the file may be an Android library; otherwise " : "")
        + "use it as a source root: 'ba-package pack <manifest> --source-root \($0)'"
    },
    .init(Remedy.useAsManifest) { "try 'ba-package validate \($0)', or 'ba-package pack \($0)'" },
    .init(.passAsManifest, "remove '--source-root' before a manifest"),
    .init(Remedy.proposePacks) { "'ba-package init \($0)' proposes packs for its files" },
    .init(.startFromTemplate, "'ba-package template' prints a manifest to start from"),
    .init(.startProject, "'ba-package template --project' prints a project file to start from"),
    .init(Remedy.specifyProject) { "use '--project \($0)' if you trust the file" },
    .init(.leaveOutProject, "use --no-project to ignore it"),
    .init(Remedy.checkDownloadManifest) { "try 'ba-package download-manifest check \($0)'" },
    .init(.updateDownloadManifest, "use 'download-manifest update'"),
    .init(.replaceDownloadManifest, "use --force to replace it; versions never decrease"),
    .init(.specifyAddresses, "specify it with --download-base-url or --url-template"),
    .init(.specifyBaseAddress, "specify the base URL with --download-base-url"),
    .init(
      .specifyAddressTemplate,
      "use --url-template, which accepts the pack ID at any place in the URL"),
    .init(.allowInsecureAddresses, "use --allow-http for a test server"),
    .init(.leaveOutPublishedFolder, "omit --publish-to"),
    .init(
      .publishToFolder,
      "publish the files with 'download-manifest create --publish-to <folder>'"),
    .init(.publishArchive, "pass its archive to 'download-manifest update'"),
    .init(Remedy.removePack) { "use '--remove \($0)'" },
    .init(.printInfoPlist, "'download-manifest info-plist' prints the keys with their values"),
    .init(
      .printUnmanagedInfoPlist,
      "'ba-package unmanaged info-plist' prints the keys with their values"),
    .init(.specifyManifestAddress, "'info-plist --manifest-url https://…' prints the key"),
    .init(.specifyAppGroup, "'info-plist --app-group-id …' prints the key"),
    .init(.specifyDownloadManifest, "specify the manifest that 'download-manifest create' wrote"),
    .init(.specifySourceRoot, "specify any folder with '--source-root'"),
    .init(.hostYourself, "for packs on your own server, use '--hosting self'"),
    .init(.specifyPrimaryLanguage, "specify the primary language with '--primary-language'"),
    .init(.listExcluded, "'evaluate --excluded' lists the excluded files"),
    .init(.trustAuthority, "specify the certificate authority with --ca if the server is yours"),
    .init(
      .specifyAPIKey,
      "specify it with --api-key, --api-issuer and --p8-file-path, or in ASC_KEY_ID, ASC_ISSUER_ID "
        + "and ASC_KEY_PATH"),
    .init(.keepUploadsElsewhere, "specify a file for the upload journal with --record"),
    .init(.uploadFailedAgain, "upload the same archive again with --retry-failed"),
    .init(.sendChecksum, "send a checksum with --checksum md5, which App Store Connect compares"),
    .init(.listSubmissions, "'ba-package app-store submissions list' lists the submissions"),
    .init(
      .submitWithAppVersion,
      "if neither the pack nor the app was ever live, add the version of the app with "
        + "--with-app-version"),
    .init(.specifyReviewPlatform, "specify one of them with --platform"),
    .init(Remedy.submitInSubmission) { "use '--submission \($0)'" },
    .init({ _ in .raiseVersion(to: 0) }) {
      "use version \($0), or omit '--asset-pack-versions' to increment versions "
        + "automatically"
    },
    .init(.specifyInputKind, "specify the input format with --from"),
    .init(.specifyPolicy, "use --essential, --prefetch or --on-demand"),
    .init(.specifyPlatforms, "specify them with --platforms"),
    .init(.specifyPackID, "specify it with --asset-pack-id"),
    .init(.specifyContentRoot, "specify the folder of the files with --content-root"),
    .init(.specifyTarget, "select a target with --target"),
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
