package import BAPackKit
package import SourceDiagnostics

/// A behavior of devices, with its certainty and source.
///
/// Each event contains the rules that caused it. For undocumented behavior, the simulator uses the
/// more pessimistic interpretation, and the rule is marked `?`. A device of a scenario can have the
/// other behavior of some rules.
package struct SemanticRule: Sendable, Hashable {
  /// The name, in lowercase letters and hyphens.
  package let id: String
  /// The behavior of a device, in one or two sentences.
  package let statement: String
  /// The certainty.
  package let grade: Certainty
  /// The source of the statement.
  package let source: String
  /// Whether the behavior is documented by Apple or was measured.
  package let isDocumented: Bool
  /// The other behavior of an undocumented rule, if a device of a scenario can have it.
  package let otherwise: String?

  private init(
    _ id: String, _ grade: Certainty, _ source: String, _ statement: String,
    isDocumented: Bool = true, otherwise: String? = nil
  ) {
    self.id = id
    self.statement = statement
    self.grade = grade
    self.source = source
    self.isDocumented = isDocumented
    self.otherwise = otherwise
  }

  /// The date of the last search for sources of the undocumented rules.
  private static let searched = "searched 2026-11-29"

  private static func unknown(
    _ id: String, _ source: String, _ statement: String, otherwise: String? = nil
  ) -> Self {
    Self(
      id, .low, "\(source); \(searched)", statement, isDocumented: false, otherwise: otherwise)
  }

  /// Rules with the same name are equal.
  package static func == (left: Self, right: Self) -> Bool { left.id == right.id }

  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension SemanticRule: Described {
  package static let table = Table<Self>(written: "a rule") {
    Key("rule", written: \.id, .text, "The ID of the rule.")
    Key("statement", written: \.statement, .text, "The behavior of devices.")
    Key(
      "documented", written: \.isDocumented, .flag,
      "Whether Apple documents it, or it was measured.")
    Key("grade", written: \.grade, .word, "The certainty: high, medium or low.")
    Key("source", written: \.source, .text, "The source of the statement.")
    Key(
      "otherwise", written: \.otherwise, .text,
      "The other behavior, which a device with 'otherwise' and the ID of the rule has.")
  }
}

// MARK: - Documented rules

extension SemanticRule {
  private static let creating = "Apple, 'Creating managed asset packs'"
  private static let downloading = "Apple, 'Downloading Apple-hosted asset packs'"
  private static let localized = "Apple, 'Reducing download and storage demands'"
  private static let header = "Apple, BAAssetPackManager.h"
  private static let versions = "Apple, 'Overview of Apple-hosted background assets'"
  private static let apps =
    "github.com/YumNumm/EQMonitor, github.com/vladzaharia/polaris-key and the Flutter tool freight"

  static let policyEssential = Self(
    "policy-essential", .high, creating,
    "An essential pack is a part of the installation. The app can be opened when it is "
      + "installed.")
  static let essentialFailure = Self(
    "essential-failure", .high, "Apple developer forums, thread 808927",
    "If the download of an essential pack fails, the app can be opened nevertheless, without the "
      + "pack. 'device essential-failure blocks-launch' simulates the opposite.")
  static let updateProgress = Self(
    "update-progress", .high, "Apple developer forums, thread 808927",
    "An essential pack for updates of the app counts in the download progress of the store only if "
      + "its policy does not also contain 'firstInstallation'.")
  static let policyPrefetch = Self(
    "policy-prefetch", .high, creating,
    "The download of a prefetch pack begins with the installation and may end later.")
  static let policyOnDemand = Self(
    "policy-on-demand", .high, creating,
    "An on-demand pack is downloaded only when the app requests it.")
  static let policyEvents = Self(
    "policy-events", .high, creating,
    "A policy applies to the installation events that it names. With 'firstInstallation' "
      + "alone, an update of the app does not download the pack.")
  static let platform = Self(
    "platform", .high, creating,
    "A pack is offered on the platforms that its manifest lists.")
  static let manifestAsked = Self(
    "manifest-asked", .high,
    "github.com/vladzaharia/polaris-key, measured in the simulator of iOS 26.5",
    "A device requests the manifest at an installation, at an update and at most calls of the "
      + "app.")
  package static let override = Self(
    "override", .medium, "the README of a public test app",
    "A device whose override is the server downloads no packs when Xcode installs the app, "
      + "regardless of the policies. Packs are downloaded when the app requests them. The "
      + "simulation shows the behavior of the App Store.")
  static let oldSystem = Self(
    "old-system", .medium, "WWDC26-378 and detailed public notes",
    "Systems before version 27 receive no localized packs.")

  static let channelLive = Self(
    "channel", .high, versions,
    "Internal testing, external testing and the App Store each have one live version of a pack. It "
      + "applies to every installed version of the app from that channel. A processed version is "
      + "live for internal testing immediately, and in the others after its approval.")

  static let versionRises = Self(
    "version-rises", .high, header,
    "A pack with a higher version on the server is out of date. The system or "
      + "checkForUpdates() updates it, regardless of the version of the app.")
  static let versionFalls = Self(
    "version-falls", .medium,
    "github.com/rsyncOSX/RawCull and github.com/RISCfuture/SF50-TOLD, which publish packs",
    "A lower version does not replace a newer pack.")
  static let obsolete = Self(
    "obsolete", .high, header,
    "A pack that the manifest no longer contains is obsolete. It can be neither updated nor "
      + "downloaded, and checkForUpdates() or the system removes it.")
  static let checkForUpdates = Self(
    "check-for-updates", .high, header,
    "checkForUpdates() starts the updates of all packs that are out of date, removes obsolete "
      + "packs, and returns both.")
  static let replaced = Self(
    "replaced", .high,
    "github.com/vladzaharia/polaris-key, measured in the simulator of iOS 26.5",
    "An update replaces the files at their paths. An open file handle keeps the old bytes.")
  static let wholeDownload = Self(
    "whole-download", .high,
    "github.com/vladzaharia/polaris-key, measured in the simulator of iOS 26.5",
    "An update downloads the whole archive, and the progress counts all its bytes. There are "
      + "no patches.")
  static let noDigest = Self(
    "no-digest", .high, "the schema of download manifests",
    "A manifest contains the size of an archive and no digest. The integrity of the archive "
      + "depends on TLS and on the size.")
  static let kept = Self(
    "kept", .high, header, "The system removes no current pack while the app is installed.")
  static let removeByApp = Self(
    "remove", .high, header,
    "remove(assetPackWithID:) removes a pack immediately.")

  static let ensureLocal = Self(
    "ensure-local", .high, header,
    "ensureLocalAvailability(of:) downloads a pack that is not installed. It returns "
      + "immediately for an installed pack, without a check for updates.")
  static let ensureLatest = Self(
    "ensure-latest", .high, header,
    "With requireLatestVersion, a pack that is out of date is updated before the call returns.")
  static let partialSuccess = Self(
    "partial-success", .high, localized,
    "Each pack of a set succeeds or fails separately. The error lists both groups.")
  static let packNotFound = Self(
    "pack-not-found", .high, apps,
    "A pack that the manifest does not contain causes assetPackNotFound.")
  static let shouldDownload = Self(
    "should-download", .high, "the protocol of downloader extensions",
    "The system calls shouldDownload(_:) each time before it downloads a new pack. It does not "
      + "call it before an update of an installed pack or before a download that the app starts.")
  static let cancellation = Self(
    "cancel", .high, header,
    "The app can cancel a download. Nothing of the pack is installed.")
  static let secondCancellation = Self(
    "second-cancel", .medium, "Apple developer forums, thread 814877",
    "The second and later cancellations of a download fail with code 113 on iOS 26.0 to 26.3. The "
      + "download continues.")
  static let backgroundDownloads = Self(
    "background-downloads", .medium, "Apple, BAError.h: code 111",
    "In Low Power Mode, or without Background App Refresh, the system starts no downloads in the "
      + "background.")
  static let inAppContent = Self(
    "in-app-content", .medium, "WWDC23-10108",
    "If the user switched In-App Content off in the settings of the App Store, essential and "
      + "prefetch packs are not downloaded automatically.")
  static let status = Self(
    "status", .high, header,
    "AssetPack.Status is a set of downloadAvailable, updateAvailable, upToDate, outOfDate, "
      + "obsolete, downloading and downloaded.")
  static let statusUpdates = Self(
    "status-updates", .high, header,
    "statusUpdates reports that a download began, paused, progresses, finished or failed.")
  static let localStatus = Self(
    "local-status", .high, header,
    "localStatus(ofAssetPackWithID:) requires no network. The status of an unknown pack is "
      + "empty.")
  static let polling = Self(
    "polling", .medium, "the daemon of iOS 26.1",
    "The system checks for updates daily if the app was opened within 7 days, every 7 days if "
      + "it was opened within 28 days, and otherwise never.")

  static let namespace = Self(
    "namespace", .high, downloading,
    "All installed packs share one namespace of paths.")
  static let samePath = Self(
    "same-path", .high, header,
    "If several packs contain the same path and the search names no pack, the result is "
      + "undefined.")
  static let inPack = Self(
    "in-pack", .high, header,
    "A search that names a pack searches only that pack.")
  static let forLanguage = Self(
    "for-language", .high, localized,
    "A search for a language searches only the packs that are localized for it.")
  static let sharedByLanguages = Self(
    "shared-by-languages", .high, localized,
    "Packs of different languages may have the same paths. A search for a language finds the file "
      + "of that language. A search by path alone is ambiguous if several of them are installed."
  )
  static let fileNotFound = Self(
    "file-not-found", .high, apps,
    "A path that no installed pack contains causes fileNotFound, and so does every path "
      + "before a download.")

  static let folders = Self(
    "folders", .high, header,
    "contents(at:) and descriptor(for:) find only files. url(for:) also returns folders, "
      + "merged from all packs, and a URL even if the path does not exist.")

  static let oneLanguage = Self(
    "one-language", .high, localized,
    "One language is resolved for the whole manifest, not for each pack.")
  static let languageEquivalent = Self(
    "language-equivalent", .high, header,
    "Languages are compared by their likely subtags: 'en' is equal to 'en-US' and 'en-Latn-"
      + "US', but not to 'en-CA'.")
  static let languageRegion = Self(
    "language-region", .medium, "WWDC26-378",
    "If no pack has the exact language, a pack with the same language and script for another "
      + "region matches.")
  static let languagePrimary = Self(
    "language-primary", .medium, "WWDC26-378",
    "If no preferred language has a pack, the app's primary language is used.")
  static let resolvedLanguage = Self(
    "resolved-language", .high, header,
    "Setting resolvedLanguage downloads and removes no packs. It changes the language of the "
      + "app; nil resets it. An extension cannot set it.")
  static let noLanguage = Self(
    "no-language", .high, "Apple, BAAssetPackManifest.h",
    "If no pack is localized, resolvedLanguage is nil.")
  static let localLanguages = Self(
    "local-languages", .high, header,
    "locallyAvailableLanguages contains the languages of the installed packs.")
  static let reconcile = Self(
    "reconcile", .high, localized,
    "reconcilePreferredLanguages() downloads the packs of the language and removes those of "
      + "other languages, except packs that the app requested. It is not intended for apps that "
      + "use several languages at the same time.")

  /// The documented rules, in the order of the list.
  package static let documented: [SemanticRule] = [
    policyEssential, essentialFailure, updateProgress, policyPrefetch, policyOnDemand, policyEvents,
    platform, manifestAsked, override, oldSystem, channelLive, versionRises, versionFalls, obsolete,
    checkForUpdates, replaced, wholeDownload,
    noDigest, kept, removeByApp, ensureLocal, ensureLatest, partialSuccess, packNotFound,
    shouldDownload, cancellation, secondCancellation, backgroundDownloads, inAppContent, status,
    statusUpdates, localStatus, polling, namespace, samePath, inPack, forLanguage,
    sharedByLanguages, fileNotFound, folders, oneLanguage, languageEquivalent, languageRegion,
    languagePrimary, resolvedLanguage, noLanguage, localLanguages, reconcile,
  ]
}

// MARK: - Undocumented rules

extension SemanticRule {
  static let order = unknown(
    "order", "no source",
    "Downloads that start at the same time are shown one after the other: those before the "
      + "first launch first, and the others in the order of the manifest. A device may download "
      + "several packs in parallel.")
  package static let platformNone = unknown(
    "platform-none", "one public note",
    "A pack without platforms is offered on all platforms.")
  package static let platformOfArchive = unknown(
    "platform-of-archive", "inferred; a manifest does not name its platform",
    "A pack in a download manifest is not installed on a platform that its archive does not "
      + "list.")
  static let retries = unknown(
    "retries", "no source",
    "A failed download is not retried automatically. A fault that happens once makes one download "
      + "fail, in a scenario and by address. The next download resumes the received part.",
    otherwise: "A failed download is repeated once automatically.")
  static let equalBytes = unknown(
    "equal-paths", "no source",
    "If several packs contain the same path with the same bytes, any of them may be read. The "
      + "app must not depend on which one.",
    otherwise: "A path in several packs is ambiguous, also with the same bytes.")
  static let similarPaths = unknown(
    "similar-paths", "inferred from Apple's file systems",
    "Paths that differ only in Unicode normalization, or on a Mac in case, may be the same "
      + "file on the device. If several packs contain them, each path is ambiguous. A search with "
      + "another form of the path finds no file.",
    otherwise: "Paths that differ in Unicode normalization or case are different files.")
  static let updateOfInstalled = unknown(
    "update-of-app", "no source",
    "An update of the app downloads the packs whose policies contain 'subsequentUpdate'. "
      + "Installed packs are downloaded only if their versions increased. No pack is removed.",
    otherwise: "An update of the app also updates all installed packs and removes obsolete ones.")
  static let lowStorage = unknown(
    "low-storage", "no source",
    "A download needs space for the archive, and then for the archive and its files together, in "
      + "addition to the old files. Without that space the download fails; no pack is removed.",
    otherwise: "The archive is unpacked during the download and needs no space itself.")
  static let damaged = unknown(
    "damaged", "SF50-TOLD: a manifest has no digest",
    "An archive with different bytes or a different size is discarded, and the download "
      + "fails.")
  static let manifestFails = unknown(
    "manifest-fails", "no source",
    "A device that cannot read the manifest uses the previous manifest and downloads no new "
      + "packs. The app is not installed or updated without a manifest.")
  package static let languageWhichRegion = unknown(
    "language-which-region", "inferred; the regions are those of CLDR",
    "Of several regions, the nearest one by the parents in CLDR is used, then the default "
      + "one, then the first by name.")
  package static let languageParent = unknown(
    "language-parent", "inferred; the parents are those of CLDR",
    "If no pack has the language for any region, a pack of the parent language in CLDR matches, or "
      + "a pack of a child language: 'no' for 'nb' and 'nb' for 'no'.")
  package static let languageNext = unknown(
    "language-next", "inferred from WWDC26-378",
    "If no pack matches a preferred language, the next one is tried before the primary "
      + "language.")
  package static let languageNone = unknown(
    "language-none", "inferred",
    "If the primary language has no exact pack either, no localized pack is downloaded. "
      + "Another region of the primary language does not match.")
  static let missedPrefetch = unknown(
    "missed-prefetch", "no source",
    "A failed prefetch starts again at the next check for updates, by the system or by "
      + "checkForUpdates().",
    otherwise: "A failed prefetch does not start again before an update of the app.")
  package static let languageOfManifest = unknown(
    "language-of-manifest", "not verified",
    "A download manifest contains the language of a pack in the key 'language', as 'serve' "
      + "writes it.")
  static let languageChange = unknown(
    "language-change", "the headers contain such a request; no other source",
    "When the device's language changes, the system downloads no packs before a request of "
      + "the app, an update of the app or reconcilePreferredLanguages().",
    otherwise: "The system downloads the packs of the new language immediately.")
  static let refusedEssential = unknown(
    "refused-essential", "no source",
    "An essential pack that shouldDownload(_:) rejects does not prevent the app from opening.",
    otherwise: "A rejected essential pack counts as a failed download.")
  static let launchOffline = unknown(
    "launch", "no source",
    "Opening the app downloads no packs.",
    otherwise: "Opening the app checks for updates.")
  static let languageRequest = unknown(
    "language-request", "no source",
    "A pack of another language than the resolved one is downloaded when the app requests it "
      + "by its ID.",
    otherwise: "The request fails.")

  static let latestOfObsolete = unknown(
    "latest-of-obsolete", "no source",
    "A request for the latest version of an obsolete pack fails. The installed version is "
      + "kept.",
    otherwise: "The request succeeds with the installed version.")
  static let reconcileOnDemand = unknown(
    "reconcile-on-demand", "no source",
    "reconcilePreferredLanguages() downloads the packs that an installation would download "
      + "automatically. An on-demand pack of the language is downloaded only when the app "
      + "requests it.",
    otherwise: "It also downloads the on-demand packs of the language.")

  /// The undocumented rules, in the order of the list.
  package static let undocumented: [SemanticRule] = [
    order, platformNone, platformOfArchive, retries, equalBytes, similarPaths, updateOfInstalled,
    lowStorage, damaged, manifestFails,
    languageWhichRegion, languageParent, languageNext, languageNone, languageOfManifest,
    languageChange,
    refusedEssential, launchOffline, languageRequest, latestOfObsolete, reconcileOnDemand,
    missedPrefetch,
  ]

  /// All rules.
  package static let all = documented + undocumented

  /// The rules whose other behavior a device of a scenario can have.
  package static let switchable = undocumented.filter { $0.otherwise != nil }
}
