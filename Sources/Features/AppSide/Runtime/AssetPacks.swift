// Long because an app gets it as a part of one generated file.
import BackgroundAssets
import Foundation
import System

#if os(macOS)
  import Security
#endif

/// The asset packs of the app.
///
/// `AssetPackManager.shared` ends an app without the required keys, extension or team ID. These
/// functions check the app first, and throw an `AssetPacks.Problem`. Do not use them in an
/// extension of the app.
///
/// A debug build, and a build that cannot use asset packs, read the files from the folder
/// `AssetPacks` in the resources of the app, if it exists: `<pack ID>/<path>`, or else `<path>`.
public nonisolated enum AssetPacks {
  /// A pack.
  public struct Pack: Sendable, Hashable, Identifiable {
    /// The ID of the pack.
    public let id: String
    /// The language of a localized pack, as a BCP 47 tag; nil for other packs.
    public let language: String?

    /// Creates a pack that is not a constant.
    public init(_ id: String, language: String? = nil) {
      self.id = id
      self.language = language
    }
  }

  /// A file in one or several packs.
  public struct File: Sendable, Hashable {
    /// The path in the packs.
    public let path: String
    /// The packs with the file when the code was generated; empty for other files.
    public let packs: [Pack]

    /// Creates a file for a path that is not a constant.
    public init(path: String, in packs: [Pack] = []) {
      self.path = path
      self.packs = packs
    }

    @inline(never)
    init(_ path: StaticString, _ owners: Int) {
      self.init(path: path.description, in: AssetPacks.owners[owners])
    }

    /// The languages for which a localized pack has the file.
    public var languages: [String] { packs.compactMap(\.language) }

    /// Returns the pack with the translation into a language; nil if there is none.
    public func pack(for language: String) -> Pack? {
      packs.first { $0.language.map { AssetPacks.isSame($0, language) } ?? false }
    }
  }

  /// A folder in one or several packs.
  public struct Folder: Sendable, Hashable {
    /// The path in the packs.
    public let path: String

    /// Creates a folder that is not a constant.
    public init(_ path: String) { self.path = path }

    /// Returns a file or a folder in this folder, such as a model that is a folder.
    public func file(_ name: String) -> File { File(path: path + "/" + name) }
  }

  /// The reason why a pack or file cannot be used.
  public enum Problem: Error, Sendable, Hashable {
    /// The system is older than iOS 26, macOS 26, tvOS 26 or visionOS 26.
    case oldSystem
    /// The app has no bundle ID, for example because it is a tool.
    case noBundleID
    /// A key in Info.plist of the app is missing or has another value.
    case infoPlist(key: String, expected: String)
    /// The folder 'Extensions' of the app has no downloader extension.
    case noExtension
    /// The app is not signed with a team ID.
    case noTeamID
    /// The server has no such pack for this device.
    case noPack(String)
    /// No pack on this device has the file.
    case noFile(String)
    /// The function requires a newer system.
    case requires(String)
  }
}

nonisolated extension AssetPacks.Problem: LocalizedError, CustomStringConvertible {
  /// The sentence for the user.
  public var errorDescription: String? { description }

  /// The sentence for the user.
  public var description: String {
    switch self {
    case .oldSystem: "Asset packs require iOS 26, macOS 26, tvOS 26 or visionOS 26."
    case .noBundleID: "The app has no bundle ID."
    case .infoPlist(let key, let expected): "Info.plist requires the key '\(key)': \(expected)."
    case .noExtension: "The app has no downloader extension in its folder 'Extensions'."
    case .noTeamID: "The app is not signed with a team ID."
    case .noPack(let id): "There is no asset pack '\(id)' for this device."
    case .noFile(let path): "No asset pack on this device has the file '\(path)'."
    case .requires(let system): "The function requires \(system)."
    }
  }
}

// MARK: - Checks before the first use of the framework

nonisolated extension AssetPacks {
  /// Throws the reason why this app cannot use asset packs; does not change anything.
  public static func check() throws(Problem) {
    if let problem { throw problem }
  }

  /// The parts of an app that the system validates when it is first asked for packs.
  struct App {
    var bundleID: String?
    var info: [String: Any]
    /// The extension points of the extensions in the app.
    var extensionPoints: [String]
    var hasTeamID: Bool

    /// The first missing part; nil if there is none.
    var problem: Problem? {
      guard bundleID?.isEmpty == false else { return .noBundleID }
      if (info["BAAppGroupID"] as? String ?? "").isEmpty {
        return .infoPlist(key: "BAAppGroupID", expected: "the ID of the app group")
      }
      guard info["BAHasManagedAssetPacks"] as? Bool == true else {
        return .infoPlist(key: "BAHasManagedAssetPacks", expected: "true")
      }
      if info["BAUsesAppleHosting"] as? Bool != true, let problem = selfHostingProblem {
        return problem
      }
      guard extensionPoints.contains("com.apple.background-asset-downloader-extension") else {
        return .noExtension
      }
      return hasTeamID ? nil : .noTeamID
    }

    /// The first problem of the keys for packs on a server of the developer.
    private var selfHostingProblem: Problem? {
      guard let address = info["BAManifestURL"] as? String,
        URL(string: address)?.scheme?.lowercased() == "https"
      else {
        return .infoPlist(
          key: "BAManifestURL",
          expected: "an https URL, or 'BAUsesAppleHosting' with the value true")
      }
      let name = "BAInitialDownloadRestrictions"
      guard let limits = info[name] as? [String: Any] else {
        return .infoPlist(key: name, expected: "a dictionary")
      }
      let domains = limits["BADownloadDomainAllowList"] as? [String] ?? []
      if domains.isEmpty || domains.contains("") {
        return .infoPlist(key: name + ".BADownloadDomainAllowList", expected: "an array of domains")
      }
      for key in ["BADownloadAllowance", "BAEssentialDownloadAllowance"] {
        guard let number = limits[key] as? NSNumber, number.int64Value >= 0 else {
          return .infoPlist(key: name + "." + key, expected: "a number of bytes")
        }
      }
      return nil
    }
  }

  private static let problem: Problem? = {
    guard #available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *) else { return .oldSystem }
    let bundle = Bundle.main
    return App(
      bundleID: bundle.bundleIdentifier, info: bundle.infoDictionary ?? [:],
      extensionPoints: extensionPoints(of: bundle.bundleURL), hasTeamID: hasTeamID
    ).problem
  }()

  /// Returns the extension points of the extensions in an app.
  static func extensionPoints(of app: URL) -> [String] {
    var points: [String] = []
    for parent in [app, app.appendingPathComponent("Contents")] {
      let folder = parent.appendingPathComponent("Extensions")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
      for name in names.sorted() where name.hasSuffix(".appex") {
        for place in ["Info.plist", "Contents/Info.plist"] {
          let file = folder.appendingPathComponent(name).appendingPathComponent(place)
          guard let data = try? Data(contentsOf: file),
            let list = try? PropertyListSerialization.propertyList(from: data, format: nil),
            let attributes = (list as? [String: Any])?["EXAppExtensionAttributes"],
            let point = (attributes as? [String: Any])?["EXExtensionPointIdentifier"] as? String
          else { continue }
          points.append(point)
        }
      }
    }
    return points
  }

  /// Whether the app is signed with a team ID; only macOS starts an app without one.
  private static var hasTeamID: Bool {
    #if os(macOS)
      var code: SecCode?
      var file: SecStaticCode?
      var information: CFDictionary?
      guard SecCodeCopySelf([], &code) == errSecSuccess, let code,
        SecCodeCopyStaticCode(code, [], &file) == errSecSuccess, let file,
        SecCodeCopySigningInformation(
          file, SecCSFlags(rawValue: kSecCSSigningInformation), &information) == errSecSuccess
      else { return false }
      let team = (information as? [String: Any])?[kSecCodeInfoTeamIdentifier as String] as? String
      return team?.isEmpty == false
    #else
      return true
    #endif
  }
}

// MARK: - The files in the resources of the app

nonisolated extension AssetPacks {
  /// The folder 'AssetPacks' in the resources of the app; nil if it does not exist.
  public static let bundledFiles: URL? = {
    guard let folder = Bundle.main.resourceURL?.appendingPathComponent("AssetPacks") else {
      return nil
    }
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder)
    return exists && isFolder.boolValue ? folder : nil
  }()

  /// Returns the folder with the files of this build; nil if the system manages them.
  private static func bundleFolder() throws(Problem) -> URL? {
    #if DEBUG
      if let bundledFiles { return bundledFiles }
    #endif
    guard let problem else { return nil }
    guard let bundledFiles else { throw problem }
    return bundledFiles
  }

  /// Returns the place of a file in the resources; `packs` are searched in their order.
  private static func bundled(
    _ path: String, _ packs: [Pack], in folder: URL
  ) throws(Problem) -> URL {
    let places = packs.map { folder.appendingPathComponent($0.id) } + [folder]
    for place in places {
      let file = place.appendingPathComponent(path)
      if FileManager.default.fileExists(atPath: file.path) { return file }
    }
    throw .noFile(path)
  }

  private static func bundled(
    _ file: File, _ pack: Pack?, in folder: URL
  ) throws(Problem) -> URL {
    if let pack { return try bundled(file.path, [pack], in: folder) }
    let packs = file.packs.isEmpty ? Pack.all : file.packs
    // The translation for the user is first.
    let languages = Bundle.preferredLocalizations(from: packs.compactMap(\.language))
    let preferred = packs.filter { $0.language.map { languages.contains($0) } ?? false }
    return try bundled(file.path, preferred + packs, in: folder)
  }

  private static func bundled(
    _ file: File, language: String, in folder: URL
  ) throws(Problem) -> URL {
    let all = file.packs.isEmpty ? Pack.all : file.packs
    let packs = all.filter { $0.language.map { isSame($0, language) } ?? false }
    return try bundled(file.path, packs, in: folder)
  }

  /// Returns whether two language tags mean the same language, such as `en` and `en-US`.
  fileprivate static func isSame(_ tag: String, _ other: String) -> Bool {
    if tag.lowercased() == other.lowercased() { return true }
    guard #available(iOS 16.0, macOS 13.0, tvOS 16.0, visionOS 1.0, *) else { return false }
    return Locale.Language(identifier: tag).isEquivalent(to: Locale.Language(identifier: other))
  }
}

// MARK: - Downloads

nonisolated extension AssetPacks {
  /// Returns when packs are on the device; downloads the missing ones.
  ///
  /// If the task is cancelled, the downloads end with their next progress, and the function throws
  /// a `CancellationError`. (iOS 26.0 to 26.3 can refuse a second cancellation.) A system before
  /// 26.4 does not download an update for `requireLatest`.
  ///
  /// - Parameters:
  ///   - packs: The packs.
  ///   - requireLatest: Whether updates of packs on the device are downloaded, too.
  ///   - progress: A function that receives the finished part, from 0 to 1, on any thread.
  public static func ensure(
    _ packs: [Pack], requireLatest: Bool = false,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws {
    if try bundleFolder() == nil {
      guard #available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *) else {
        throw Problem.oldSystem
      }
      try await download(packs, requireLatest, progress)
    }
    progress(1)
  }

  /// Returns when packs are on the device; downloads the missing ones.
  public static func ensure(
    _ packs: Pack..., requireLatest: Bool = false,
    progress: @escaping @Sendable (Double) -> Void = { _ in }
  ) async throws {
    try await ensure(packs, requireLatest: requireLatest, progress: progress)
  }

  /// Returns the size of the downloads of missing packs in bytes, to show it before a download.
  public static func downloadSize(of packs: [Pack]) async throws -> Int {
    guard try bundleFolder() == nil,
      #available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *)
    else { return 0 }
    var missing: [Pack] = []
    for pack in packs where try await !isOnDevice(pack) { missing.append(pack) }
    return try await assetPacks(missing).reduce(0) { $0 + $1.downloadSize }
  }

  /// Returns whether a pack is on the device, without a request.
  ///
  /// Before iOS 26.4 the system may send a request.
  public static func isOnDevice(_ pack: Pack) async throws -> Bool {
    if try bundleFolder() != nil { return true }
    guard #available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *) else { return false }
    let manager = AssetPackManager.shared
    if #available(iOS 26.4, macOS 26.4, tvOS 26.4, visionOS 26.4, *) {
      return manager.assetPackIsAvailableLocally(withID: pack.id)
    }
    // The status is a set of options.
    return (try? await manager.status(ofAssetPackWithID: pack.id).contains(.downloaded)) ?? false
  }

  /// Starts updates, and removes packs that the server no longer has.
  ///
  /// - Returns: The IDs of the packs that are being updated, and of the removed ones.
  public static func checkForUpdates() async throws -> (updating: Set<String>, removed: Set<String>)
  {
    guard try bundleFolder() == nil,
      #available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *)
    else { return ([], []) }
    let (updating, removed) = try await AssetPackManager.shared.checkForUpdates()
    return (updating, removed)
  }

  /// Removes a pack from the device; the system removes no pack by itself while it is offered.
  public static func remove(_ pack: Pack) async throws {
    guard try bundleFolder() == nil,
      #available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *)
    else { return }
    try await AssetPackManager.shared.remove(assetPackWithID: pack.id)
  }

  #if ASSET_PACKS_SDK_27_2
    /// Returns the version of a pack on the device.
    public static func localVersion(of pack: Pack) throws -> Int {
      guard try bundleFolder() == nil,
        #available(iOS 27.2, macOS 27.2, tvOS 27.2, visionOS 27.2, *)
      else { throw Problem.requires("iOS 27.2") }
      return try AssetPackManager.shared.localVersion(ofAssetPackWithID: pack.id)
    }

    /// Returns the size of a pack on the device in bytes; slow for a pack with many files.
    public static func localSize(of pack: Pack) async throws -> Int64 {
      guard try bundleFolder() == nil,
        #available(iOS 27.2, macOS 27.2, tvOS 27.2, visionOS 27.2, *)
      else { throw Problem.requires("iOS 27.2") }
      return try await AssetPackManager.shared.localSize(
        ofAssetPackWithID: pack.id, calculationMethod: .allocated)
    }
  #endif

  #if !ASSET_PACKS_SDK_26
    /// Sets the language of localized packs, downloads its packs, and removes those of others.
    ///
    /// It is also the language of the app's texts; nil is the language of the system.
    public static func use(language: String?) async throws {
      guard try bundleFolder() == nil else { return }
      guard #available(iOS 27.0, macOS 27.0, tvOS 27.0, visionOS 27.0, *) else {
        throw Problem.requires("iOS 27, macOS 27, tvOS 27 or visionOS 27")
      }
      let manager = AssetPackManager.shared
      manager.resolvedLanguage = language.map { Locale.Language(identifier: $0) }
      try await manager.reconcilePreferredLanguages()
    }
  #endif

  /// Returns the system's values for packs.
  @available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *)
  private static func assetPacks(_ packs: [Pack]) async throws -> [AssetPack] {
    if packs.isEmpty { return [] }
    let manager = AssetPackManager.shared
    #if !ASSET_PACKS_SDK_26
      if #available(iOS 27.0, macOS 27.0, tvOS 27.0, visionOS 27.0, *) {
        let manifest = try await manager.manifest
        return try packs.map { pack in
          guard let found = manifest.assetPack(withID: pack.id) else {
            throw Problem.noPack(pack.id)
          }
          return found
        }
      }
    #endif
    var found: [AssetPack] = []
    for pack in packs { found.append(try await manager.assetPack(withID: pack.id)) }
    return found
  }

  @available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *)
  private static func download(
    _ packs: [Pack], _ requireLatest: Bool, _ progress: @escaping @Sendable (Double) -> Void
  ) async throws {
    // A pack on the device needs no request, so that the app works without a network.
    var missing: [Pack] = []
    for pack in packs {
      let isLocal = requireLatest ? false : try await isOnDevice(pack)
      if !isLocal { missing.append(pack) }
    }
    let found = try await assetPacks(missing)
    if found.isEmpty { return }
    let downloads = Downloads(found.map { ($0.id, $0.downloadSize) }, progress)
    let watchers = found.map { pack in
      let updates = AssetPackManager.shared.statusUpdates(forAssetPackWithID: pack.id)
      return Task {
        for await update in updates {
          if case .downloading(_, let progress) = update {
            await downloads.note(progress, of: pack.id)
          }
        }
      }
    }
    defer { for watcher in watchers { watcher.cancel() } }
    do {
      try await withTaskCancellationHandler {
        try await request(found, requireLatest)
      } onCancel: {
        Task { await downloads.cancel() }
      }
    } catch {
      if Task.isCancelled { throw CancellationError() }
      throw error
    }
    try Task.checkCancellation()
  }

  @available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *)
  private static func request(_ packs: [AssetPack], _ requireLatest: Bool) async throws {
    let manager = AssetPackManager.shared
    #if !ASSET_PACKS_SDK_26
      if packs.count > 1, #available(iOS 27.0, macOS 27.0, tvOS 27.0, visionOS 27.0, *) {
        return try await manager.ensureLocalAvailability(
          of: Set(packs), requireLatestVersions: requireLatest)
      }
    #endif
    for pack in packs {
      try Task.checkCancellation()
      if #available(iOS 26.4, macOS 26.4, tvOS 26.4, visionOS 26.4, *) {
        try await manager.ensureLocalAvailability(of: pack, requireLatestVersion: requireLatest)
      } else {
        try await manager.ensureLocalAvailability(of: pack)
      }
    }
  }

  /// The progress of several downloads.
  private actor Downloads {
    private let sizes: [String: Int]
    private let report: @Sendable (Double) -> Void
    private var running: [String: Progress] = [:]
    private var parts: [String: Double] = [:]
    private var isCancelled = false

    init(_ sizes: [(String, Int)], _ report: @escaping @Sendable (Double) -> Void) {
      self.sizes = Dictionary(sizes, uniquingKeysWith: { first, _ in first })
      self.report = report
    }

    func note(_ progress: Progress, of pack: String) {
      running[pack] = progress
      if isCancelled { return progress.cancel() }
      parts[pack] = progress.fractionCompleted
      let total = sizes.values.reduce(0) { $0 + Double(max($1, 1)) }
      let done = parts.reduce(0) { $0 + Double(max(sizes[$1.key] ?? 0, 1)) * $1.value }
      report(min(done / total, 1))
    }

    func cancel() {
      isCancelled = true
      for progress in running.values { progress.cancel() }
    }
  }
}

// MARK: - Files

nonisolated extension AssetPacks {
  /// Returns the contents of a file of a pack that is on the device.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - pack: The pack to search. Without it, the system chooses one of the packs on the device
  ///     that have the file, and its choice is undefined.
  ///   - options: How the file is read; by default it is mapped into memory.
  public static func contents(
    of file: File, in pack: Pack? = nil, options: Data.ReadingOptions = .mappedIfSafe
  ) throws -> Data {
    if let folder = try bundleFolder() {
      return try Data(contentsOf: bundled(file, pack, in: folder), options: options)
    }
    guard #available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *) else {
      throw Problem.oldSystem
    }
    return try AssetPackManager.shared.contents(
      at: FilePath(file.path), searchingInAssetPackWithID: pack?.id, options: options)
  }

  /// Returns the contents of the translation of a file.
  public static func contents(
    of file: File, language: String, options: Data.ReadingOptions = .mappedIfSafe
  ) throws -> Data {
    if let folder = try bundleFolder() {
      return try Data(contentsOf: bundled(file, language: language, in: folder), options: options)
    }
    #if !ASSET_PACKS_SDK_26
      if #available(iOS 27.0, macOS 27.0, tvOS 27.0, visionOS 27.0, *) {
        return try AssetPackManager.shared.contents(
          at: FilePath(file.path), asLocalizedFor: Locale.Language(identifier: language),
          options: options)
      }
    #endif
    return try contents(of: file, in: translation(of: file, language), options: options)
  }

  /// Opens a file of a pack that is on the device; the caller closes the descriptor.
  public static func descriptor(of file: File, in pack: Pack? = nil) throws -> FileDescriptor {
    if let folder = try bundleFolder() {
      return try FileDescriptor.open(FilePath(bundled(file, pack, in: folder).path), .readOnly)
    }
    guard #available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *) else {
      throw Problem.oldSystem
    }
    return try AssetPackManager.shared.descriptor(
      for: FilePath(file.path), searchingInAssetPackWithID: pack?.id)
  }

  /// Opens the translation of a file; the caller closes the descriptor.
  public static func descriptor(of file: File, language: String) throws -> FileDescriptor {
    if let folder = try bundleFolder() {
      let path = try bundled(file, language: language, in: folder).path
      return try FileDescriptor.open(FilePath(path), .readOnly)
    }
    #if !ASSET_PACKS_SDK_26
      if #available(iOS 27.0, macOS 27.0, tvOS 27.0, visionOS 27.0, *) {
        return try AssetPackManager.shared.descriptor(
          for: FilePath(file.path), asLocalizedFor: Locale.Language(identifier: language))
      }
    #endif
    return try descriptor(of: file, in: translation(of: file, language))
  }

  /// Returns the URL of a file, or of a folder such as a compiled model.
  ///
  /// It is slow: do not call it on the main thread. Do not store the URL for a later start of the
  /// app.
  public static func url(of file: File) throws -> URL {
    if let folder = try bundleFolder() { return try bundled(file, nil, in: folder) }
    guard #available(iOS 26.0, macOS 26.0, tvOS 26.0, visionOS 26.0, *) else {
      throw Problem.oldSystem
    }
    return try existing(file.path) { try AssetPackManager.shared.url(for: FilePath(file.path)) }
  }

  /// Returns the URL of the translation of a file.
  public static func url(of file: File, language: String) throws -> URL {
    if let folder = try bundleFolder() {
      return try bundled(file, language: language, in: folder)
    }
    #if !ASSET_PACKS_SDK_26
      if #available(iOS 27.0, macOS 27.0, tvOS 27.0, visionOS 27.0, *) {
        return try existing(file.path) {
          try AssetPackManager.shared.url(
            for: FilePath(file.path), asLocalizedFor: Locale.Language(identifier: language))
        }
      }
    #endif
    throw Problem.requires("iOS 27, macOS 27, tvOS 27 or visionOS 27")
  }

  /// Returns the URL of a folder of the packs.
  public static func url(of folder: Folder) throws -> URL { try url(of: File(path: folder.path)) }

  /// Returns the URL that a function finds, if a file is there: the system also returns URLs of
  /// files that do not exist.
  private static func existing(_ path: String, _ find: () throws -> URL) throws -> URL {
    let url: URL
    do {
      url = try find()
    } catch CocoaError.fileWriteNoPermission {
      // Seen for some milliseconds after the state of a pack changed.
      Thread.sleep(forTimeInterval: 0.05)
      url = try find()
    }
    guard FileManager.default.fileExists(atPath: url.path) else { throw Problem.noFile(path) }
    return url
  }

  /// Returns the pack with a translation, for systems that do not search by language.
  private static func translation(of file: File, _ language: String) throws(Problem) -> Pack {
    guard let pack = file.pack(for: language) else { throw .noFile(file.path) }
    return pack
  }
}
