package import SourceDiagnostics

/// One thing that devices do, how sure that is, and who says so.
///
/// Each event contains the rules that caused it. Where Apple documents nothing, the simulator uses
/// the more pessimistic interpretation, and the rule is marked `?`.
package struct SemanticRule: Sendable, Hashable {
  /// How sure it is.
  package enum Grade: String, Sendable, CaseIterable {
    /// Apple's own text, header or source, or a measurement with the version of the tool.
    case high = "H"
    /// An independent project that ran it.
    case medium = "M"
    /// One unsupported statement, or a conclusion of ours.
    case low = "L"
  }

  /// Its name, in small letters and hyphens.
  package let id: String
  /// What a device does, in one sentence or two.
  package let statement: String
  /// How sure it is.
  package let grade: Grade
  /// Who says so.
  package let source: String
  /// Whether Apple documents it, or it was measured.
  package let isDocumented: Bool

  private init(
    _ id: String, _ grade: Grade, _ source: String, _ statement: String, isDocumented: Bool = true
  ) {
    self.id = id
    self.statement = statement
    self.grade = grade
    self.source = source
    self.isDocumented = isDocumented
  }

  private static func unknown(_ id: String, _ source: String, _ statement: String) -> Self {
    Self(id, .low, source, statement, isDocumented: false)
  }

  /// Rules are the same that have the same name.
  package static func == (left: Self, right: Self) -> Bool { left.id == right.id }

  package func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension SemanticRule: Described {
  package static let table = Table<Self>(written: "a rule") {
    Key("rule", written: \.id, .text, "The ID of the rule.")
    Key("statement", written: \.statement, .text, "The behaviour of devices.")
    Key(
      "documented", written: \.isDocumented, .flag,
      "Whether Apple documents it, or it was measured.")
    Key("grade", written: \.grade, .word, "The certainty: high, medium or low.")
    Key("source", written: \.source, .text, "The source of the statement.")
  }
}

// MARK: - What is known

extension SemanticRule {
  private static let creating = "Apple, 'Creating managed asset packs'"
  private static let downloading = "Apple, 'Downloading Apple-hosted asset packs'"
  private static let localized = "Apple, 'Reducing download and storage demands'"
  private static let header = "Apple, BAAssetPackManager.h"

  static let policyEssential = Self(
    "policy-essential", .high, creating,
    "An essential pack is a part of the installation: the app opens when it is there.")
  static let policyPrefetch = Self(
    "policy-prefetch", .high, creating,
    "A prefetch pack begins with the installation and may end later.")
  static let policyOnDemand = Self(
    "policy-on-demand", .high, creating, "An on-demand pack comes only when the app asks for it.")
  static let policyEvents = Self(
    "policy-events", .high, creating,
    "A policy acts on the installation events that it names: with 'firstInstallation' alone, "
      + "an update of the app does not fetch the pack.")
  static let platform = Self(
    "platform", .high, creating,
    "A pack is offered on the platforms that it names.")
  static let manifestAsked = Self(
    "manifest-asked", .high, "polaris-key, measured in the simulator of iOS 26.5",
    "A device reads the manifest anew at an installation, at an update and at most calls of "
      + "the app."
  )
  package static let override = Self(
    "override", .medium, "the README of a public test app",
    "A device whose override is the server downloads nothing when Xcode installs the app, "
      + "whatever the policies say: packs come when the app asks. What is shown is what the App "
      + "Store does.")
  static let oldSystem = Self(
    "old-system", .medium, "WWDC26-378 and long public notes",
    "Systems before version 27 receive no localized packs.")

  static let versionRises = Self(
    "version-rises", .high, header,
    "A pack whose version rose is out of date, and updated by the system or by checkForUpdates(), "
      + "whatever the version of the app.")
  static let versionFalls = Self(
    "version-falls", .medium, "RawCull and SF50-TOLD, which publish packs",
    "A lower version does not replace a newer pack.")
  static let obsolete = Self(
    "obsolete", .high, header,
    "A pack that left the manifest is obsolete: it can be neither updated nor downloaded "
      + "again, and checkForUpdates() or the system removes it.")
  static let checkForUpdates = Self(
    "check-for-updates", .high, header,
    "checkForUpdates() starts the updates of what is out of date, all at once, removes what is "
      + "obsolete, and names both.")
  static let replaced = Self(
    "replaced", .high, "polaris-key, measured in the simulator of iOS 26.5",
    "An update replaces the files at their paths; a handle that is open keeps the old bytes.")
  static let wholeDownload = Self(
    "whole-download", .high, "polaris-key, measured in the simulator of iOS 26.5",
    "An update downloads the whole archive, whose bytes the progress counts; nothing is patched.")
  static let noDigest = Self(
    "no-digest", .high, "the schema of download manifests",
    "A manifest has the size of an archive and no digest: that it is the right one rests on "
      + "TLS and on the size.")
  static let kept = Self(
    "kept", .high, header, "The system removes no current pack while the app is installed.")
  static let removeByApp = Self(
    "remove", .high, header, "remove(assetPackWithID:) removes a pack at once.")

  static let ensureLocal = Self(
    "ensure-local", .high, header,
    "ensureLocalAvailability(of:) downloads a pack that is not there, and returns at once "
      + "where it is, without asking for an update.")
  static let ensureLatest = Self(
    "ensure-latest", .high, header,
    "With requireLatestVersion, a pack that is out of date is updated before the call returns.")
  static let partialSuccess = Self(
    "partial-success", .high, localized,
    "Of a set of packs each succeeds or fails alone; the error lists both.")
  static let packNotFound = Self(
    "pack-not-found", .high, "freight, EQMonitor and polaris-key",
    "A pack that the manifest does not have gives assetPackNotFound.")
  static let shouldDownload = Self(
    "should-download", .high, "the protocol of downloader extensions",
    "The system calls shouldDownload(_:) each time before it downloads a new pack. It does not "
      + "call it before an update of an installed pack or before a download that the app starts.")
  static let status = Self(
    "status", .high, header,
    "AssetPack.Status is a set of downloadAvailable, updateAvailable, upToDate, outOfDate, "
      + "obsolete, downloading and downloaded.")
  static let localStatus = Self(
    "local-status", .high, header,
    "localStatus(ofAssetPackWithID:) needs no network, and says nothing of a pack that is not "
      + "known."
  )
  static let polling = Self(
    "polling", .medium, "the daemon of iOS 26.1",
    "The system looks for updates daily where the app was opened within 7 days, every 7 days "
      + "within 28, and then no more; never where the app was never opened.")

  static let namespace = Self(
    "namespace", .high, downloading,
    "All packs that are there form one space of paths, as they were packed.")
  static let samePath = Self(
    "same-path", .high, header,
    "Which pack answers, where several have the same path and none is named, is undefined.")
  static let inPack = Self(
    "in-pack", .high, header, "A search that names a pack looks in that pack alone.")
  static let forLanguage = Self(
    "for-language", .high, localized,
    "A search for a language looks only in the packs that are localized for it.")
  static let sharedByLanguages = Self(
    "shared-by-languages", .high, localized,
    "Packs of different languages may have the same paths. A search for a language finds the file "
      + "of that language. A search by path alone is ambiguous if several of them are installed."
  )
  static let fileNotFound = Self(
    "file-not-found", .high, "freight, EQMonitor and polaris-key",
    "A path that no pack on the device has gives fileNotFound; so does every path before a "
      + "download."
  )

  static let folders = Self(
    "folders", .high, header,
    "contents(at:) and descriptor(for:) find files only; url(for:) gives folders, merged from "
      + "all packs, and an address even where there is nothing.")

  static let oneLanguage = Self(
    "one-language", .high, localized,
    "One language is resolved for the whole manifest, never pack by pack.")
  static let languageEquivalent = Self(
    "language-equivalent", .high, header,
    "Languages are compared by their likely subtags: 'en' is 'en-US' and 'en-Latn-US', and not "
      + "'en-CA'."
  )
  static let languageRegion = Self(
    "language-region", .medium, "WWDC26-378",
    "Where no pack has the language itself, one of the same language and script for another region "
      + "does.")
  static let languagePrimary = Self(
    "language-primary", .medium, "WWDC26-378",
    "Where no preference of the device has a pack, the app's primary language does.")
  static let resolvedLanguage = Self(
    "resolved-language", .high, header,
    "Setting resolvedLanguage downloads and removes nothing, and changes the language of the "
      + "app; nil takes it back. An extension cannot do it.")
  static let noLanguage = Self(
    "no-language", .high, "Apple, BAAssetPackManifest.h",
    "Where no pack is localized, resolvedLanguage is nil.")
  static let localLanguages = Self(
    "local-languages", .high, header,
    "locallyAvailableLanguages are those of the packs that are there.")
  static let reconcile = Self(
    "reconcile", .high, localized,
    "reconcilePreferredLanguages() downloads what the language needs and removes what it does "
      + "not, but for packs that the app asked for; it is not for apps that show several languages "
      + "at once.")

  /// What is known, in the order of the list.
  package static let documented: [SemanticRule] = [
    policyEssential, policyPrefetch, policyOnDemand, policyEvents, platform, manifestAsked,
    override,
    oldSystem, versionRises, versionFalls, obsolete, checkForUpdates, replaced, wholeDownload,
    noDigest, kept, removeByApp, ensureLocal, ensureLatest, partialSuccess, packNotFound,
    shouldDownload, status, localStatus, polling, namespace, samePath, inPack, forLanguage,
    sharedByLanguages, fileNotFound, folders, oneLanguage, languageEquivalent, languageRegion,
    languagePrimary, resolvedLanguage, noLanguage, localLanguages, reconcile,
  ]
}

// MARK: - What nobody documents

extension SemanticRule {
  static let order = unknown(
    "order", "nothing is known",
    "Downloads of one moment are shown one after the other, those before the first launch "
      + "first, else in the order of the manifest; a device may have several under way.")
  package static let platformNone = unknown(
    "platform-none", "one public note", "A pack that names no platform is offered on all.")
  package static let platformOfArchive = unknown(
    "platform-of-archive", "inferred; a manifest does not name its platform",
    "A pack in a download manifest is not installed on a platform that its archive does not name.")
  static let retries = unknown(
    "retries", "nothing is known",
    "A failed download is not retried automatically. A fault that happens once makes one download "
      + "fail, in a scenario and by address. The next download resumes the received part.")
  static let equalBytes = unknown(
    "equal-paths", "nothing is known",
    "Where several packs answer to a path, each of them may: an app must not care which.")
  static let similarPaths = unknown(
    "similar-paths", "inferred from Apple's file systems",
    "Paths that differ only by Unicode normalisation, or on a Mac by case, may be one file on "
      + "the device: where several packs have them, each is ambiguous; asked for in another form, "
      + "a file is missing."
  )
  static let installFails = unknown(
    "install-fails", "nothing is known",
    "Where an essential pack cannot be downloaded, the app is not installed, and not updated.")
  static let updateOfInstalled = unknown(
    "update-of-app", "nothing is known",
    "An update of the app brings the packs whose policies name 'subsequentUpdate', those that "
      + "are there only if their versions rose; it removes nothing.")
  static let lowStorage = unknown(
    "low-storage", "nothing is known",
    "A download needs space for the archive, and then for the archive and its files together, in "
      + "addition to the old files. Without that space the download fails; no pack is removed.")
  static let damaged = unknown(
    "damaged", "SF50-TOLD: a manifest has no digest",
    "An archive that arrives with other bytes or another size is thrown away, and the download "
      + "failed."
  )
  static let manifestFails = unknown(
    "manifest-fails", "nothing is known",
    "A device that cannot read the manifest goes on with the one that it has, and downloads "
      + "nothing new."
  )
  package static let languageWhichRegion = unknown(
    "language-which-region", "inferred; the regions are those of CLDR",
    "Of several regions the nearest by CLDR's parents counts, then the usual one, then the "
      + "first by name.")
  package static let languageParent = unknown(
    "language-parent", "inferred; the parents are those of CLDR",
    "If no pack has the language for any region, a pack of the parent language in CLDR matches, or "
      + "a pack of a child language: 'no' for 'nb' and 'nb' for 'no'.")
  package static let languageNext = unknown(
    "language-next", "inferred from WWDC26-378",
    "Where nothing suits a preference, the next one is tried before the primary language.")
  package static let languageNone = unknown(
    "language-none", "inferred",
    "Where the primary language has no pack of its own either, no localized pack is downloaded; "
      + "another region does not do for it.")
  static let missedPrefetch = unknown(
    "missed-prefetch", "nothing is known",
    "A failed prefetch starts again at the next check for updates, by the system or by "
      + "checkForUpdates().")
  package static let languageOfManifest = unknown(
    "language-of-manifest", "not verified by anybody",
    "A download manifest says the language of a pack with the key 'language', as 'serve' writes it."
  )
  static let languageChange = unknown(
    "language-change", "the headers have a request of that kind; nothing more is known",
    "When the device's language changes, the system downloads nothing before the app, an "
      + "update of it or reconcilePreferredLanguages() asks.")
  static let refusedEssential = unknown(
    "refused-essential", "nothing is known",
    "An essential pack that shouldDownload(_:) refuses does not keep the app from opening.")
  static let launchOffline = unknown(
    "launch", "nothing is known", "Opening the app downloads nothing by itself.")
  static let languageRequest = unknown(
    "language-request", "nothing is known",
    "A pack of another language than the resolved one is downloaded when the app asks for it "
      + "by its ID."
  )

  static let latestOfObsolete = unknown(
    "latest-of-obsolete", "nothing is known",
    "A request for the latest version of a pack that is obsolete fails; what is there stays.")
  static let reconcileOnDemand = unknown(
    "reconcile-on-demand", "nothing is known",
    "reconcilePreferredLanguages() brings what an installation would bring by itself: a pack "
      + "of the language that comes on demand still waits until the app asks.")

  /// What nobody documents, in the order of the list.
  package static let undocumented: [SemanticRule] = [
    order, platformNone, platformOfArchive, retries, equalBytes, similarPaths, installFails,
    updateOfInstalled,
    lowStorage, damaged, manifestFails,
    languageWhichRegion, languageParent, languageNext, languageNone, languageOfManifest,
    languageChange,
    refusedEssential, launchOffline, languageRequest, latestOfObsolete, reconcileOnDemand,
    missedPrefetch,
  ]

  /// All rules.
  package static let all = documented + undocumented
}
