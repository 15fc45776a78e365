// A mock of Apple's framework in memory, with the declarations that the generated code and the code
// on the pages in docs/app/ use. `Downloads.swift` has the rest of the framework.
//
// It has the documented names, types and isolation, and the documented behavior of a merged name
// space. It does not have availability, which does not exist on Linux: `Mock.system` is the
// system, and a call of a function of a later system ends the process, as the first use of
// `AssetPackManager.shared` in an app that the system refuses.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation
import System

/// The state of the simulated system, for tests.
public enum Mock {
  public struct Offer: Sendable {
    public var version = 1
    public var language: String?
    public var files: [String: Data]

    public init(version: Int = 1, language: String? = nil, files: [String: String]) {
      self.version = version
      self.language = language
      self.files = files.mapValues { Data($0.utf8) }
    }
  }

  public struct State: Sendable {
    /// The version of the system.
    public var system = 27.2
    /// Whether the app has the keys, the extension and the team ID.
    public var acceptsApp = true
    public var hasNetwork = true
    public var offers: [String: Offer] = [:]
    /// The packs on the device.
    public var local: [String: Offer] = [:]
    /// The packs whose download fails after half of it.
    public var failing: Set<String> = []
    /// The packs whose download stops at half of it until it is cancelled.
    public var stalling: Set<String> = []
    public var resolvedLanguage: String?
    /// The number of calls of `url` that fail as just after a change.
    public var busyCalls = 0
    /// The calls of the framework.
    public var calls: [String] = []
    var listeners:
      [UUID: (String, AsyncStream<AssetPackManager.DownloadStatusUpdate>.Continuation)] =
        [:]
  }

  private static let lock = NSLock()
  nonisolated(unsafe) private static var state = State()

  public static func with<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&state)
  }

  /// Replaces `#available` in a copy of the generated code.
  public static func isAvailable(_ version: Double) -> Bool { with { $0.system >= version } }

  static func call(_ name: String, since version: Double) {
    let system = with { state in
      state.calls.append(name)
      return state.system
    }
    if system < version { fatalError("'\(name)' requires \(version), the system is \(system)") }
  }

  static func send(_ update: AssetPackManager.DownloadStatusUpdate, about id: String) {
    let listeners = with { state in state.listeners.values.filter { $0.0 == id }.map(\.1) }
    for listener in listeners { listener.yield(update) }
  }
}

public enum ManagedBackgroundAssetsError: Error, Equatable {
  case assetPackNotFound(withID: String)
  case fileNotFound(at: FilePath)
}

public struct AssetPack: Sendable, Hashable, Identifiable {
  public struct Status: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let downloadAvailable = Status(rawValue: 1)
    public static let upToDate = Status(rawValue: 4)
    public static let downloaded = Status(rawValue: 64)
  }

  public let id: String
  public let downloadSize: Int
  public let version: Int

  init(_ id: String, _ offer: Mock.Offer) {
    self.id = id
    downloadSize = offer.files.values.reduce(0) { $0 + $1.count }
    version = offer.version
  }
}

public struct AssetPackManifest: Sendable {
  public let assetPacks: Set<AssetPack>

  public func assetPack(withID id: String) -> AssetPack? { assetPacks.first { $0.id == id } }
}

public actor AssetPackManager {
  public enum DownloadStatusUpdate: Sendable {
    case began(AssetPack)
    case paused(AssetPack)
    case downloading(AssetPack, Progress)
    case finished(AssetPack)
    case failed(AssetPack, any Error)
  }

  public struct LocalAvailabilityError: Error {
    public let successes: Set<AssetPack>
    public let failures: [AssetPack: any Error]
  }

  public static var shared: AssetPackManager {
    let (accepts, system) = Mock.with { ($0.acceptsApp, $0.system) }
    guard accepts, system >= 26 else { fatalError("The app couldn't be validated") }
    return manager
  }

  private static let manager = AssetPackManager()

  // MARK: Packs

  public func assetPack(withID id: String) throws -> AssetPack {
    Mock.call("assetPack(withID:)", since: 26.0)
    guard let found = try offered().assetPack(withID: id) else {
      throw ManagedBackgroundAssetsError.assetPackNotFound(withID: id)
    }
    return found
  }

  public func status(ofAssetPackWithID id: String) throws -> AssetPack.Status {
    Mock.call("status(ofAssetPackWithID:)", since: 26.0)
    let isLocal = Mock.with { $0.local[id] != nil }
    return isLocal ? [.downloaded, .upToDate] : .downloadAvailable
  }

  nonisolated public func statusUpdates(
    forAssetPackWithID id: String
  ) -> some Sendable & AsyncSequence<DownloadStatusUpdate, Never> {
    Mock.call("statusUpdates(forAssetPackWithID:)", since: 26.0)
    let (stream, continuation) = AsyncStream.makeStream(of: DownloadStatusUpdate.self)
    let number = UUID()
    Mock.with { $0.listeners[number] = (id, continuation) }
    continuation.onTermination = { _ in
      Mock.with { $0.listeners[number] = nil }
    }
    return stream
  }

  public func ensureLocalAvailability(of pack: AssetPack) async throws {
    Mock.call("ensureLocalAvailability(of:)", since: 26.0)
    try await download(pack)
  }

  public func ensureLocalAvailability(
    of pack: AssetPack, requireLatestVersion: Bool = false
  ) async throws {
    Mock.call("ensureLocalAvailability(of:requireLatestVersion:)", since: 26.4)
    let version = Mock.with { $0.local[pack.id]?.version }
    if version == nil || requireLatestVersion && version != pack.version {
      try await download(pack)
    }
  }

  nonisolated public func assetPackIsAvailableLocally(withID id: String) -> Bool {
    Mock.call("assetPackIsAvailableLocally(withID:)", since: 26.4)
    return Mock.with { $0.local[id] != nil }
  }

  public func checkForUpdates() async throws -> (updatingIDs: Set<String>, removedIDs: Set<String>)
  {
    Mock.call("checkForUpdates()", since: 26.0)
    _ = try offered()
    return Mock.with { state in
      let removed = state.local.keys.filter { state.offers[$0] == nil }
      let updating = state.local.filter { state.offers[$0.key].map(\.version) != $0.value.version }
      for id in removed { state.local[id] = nil }
      return (Set(updating.keys).subtracting(removed), Set(removed))
    }
  }

  public func remove(assetPackWithID id: String) async throws {
    Mock.call("remove(assetPackWithID:)", since: 26.0)
    Mock.with { $0.local[id] = nil }
  }

  private func offered() throws -> AssetPackManifest {
    let (hasNetwork, offers) = Mock.with { ($0.hasNetwork, $0.offers) }
    guard hasNetwork else { throw URLError(.notConnectedToInternet) }
    return AssetPackManifest(assetPacks: Set(offers.map { AssetPack($0, $1) }))
  }

  /// Downloads a pack in two steps.
  private func download(_ pack: AssetPack) async throws {
    guard Mock.with({ $0.hasNetwork }) else { throw URLError(.notConnectedToInternet) }
    let progress = Progress(totalUnitCount: Int64(max(pack.downloadSize, 1)))
    Mock.send(.began(pack), about: pack.id)
    progress.completedUnitCount = progress.totalUnitCount / 2
    Mock.send(.downloading(pack, progress), about: pack.id)
    while Mock.with({ $0.stalling.contains(pack.id) }) {
      if progress.isCancelled {
        Mock.send(.failed(pack, CocoaError(.userCancelled)), about: pack.id)
        throw CocoaError(.userCancelled)
      }
      try? await Task.sleep(for: .milliseconds(1))
    }
    if Mock.with({ $0.failing.contains(pack.id) }) {
      Mock.send(.failed(pack, URLError(.timedOut)), about: pack.id)
      throw URLError(.timedOut)
    }
    progress.completedUnitCount = progress.totalUnitCount
    Mock.send(.downloading(pack, progress), about: pack.id)
    Mock.with { $0.local[pack.id] = $0.offers[pack.id] }
    Mock.send(.finished(pack), about: pack.id)
  }

  // MARK: Files

  /// Returns the file in the merged name space; several packs with it would be undefined.
  private nonisolated func file(
    _ path: FilePath, in id: String? = nil, language: Locale.Language? = nil
  ) throws -> Data {
    let local = Mock.with { $0.local }
    let found = local.filter { name, offer in
      if let id, name != id { return false }
      if let language {
        guard let own = offer.language else { return false }
        return Locale.Language(identifier: own).isEquivalent(to: language)
      }
      return true
    }.compactMap { $0.value.files[path.string] }
    if found.count > 1 { fatalError("undefined: several packs have '\(path.string)'") }
    guard let data = found.first else {
      throw ManagedBackgroundAssetsError.fileNotFound(at: path)
    }
    return data
  }

  /// Returns the URL of a file with these contents.
  private nonisolated func url(_ path: FilePath, _ contents: Data?) throws -> URL {
    let isBusy = Mock.with { state in
      state.busyCalls -= 1
      return state.busyCalls >= 0
    }
    if isBusy { throw CocoaError(.fileWriteNoPermission) }
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("mock-\(ProcessInfo.processInfo.processIdentifier)")
    let url = folder.appendingPathComponent(path.string)
    if let contents {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try contents.write(to: url)
    }
    return url
  }

  nonisolated public func contents(
    at path: FilePath, searchingInAssetPackWithID id: String? = nil,
    options: Data.ReadingOptions = .mappedIfSafe
  ) throws -> Data {
    Mock.call("contents(at:searchingInAssetPackWithID:options:)", since: 26.0)
    return try file(path, in: id)
  }

  nonisolated public func descriptor(
    for path: FilePath, searchingInAssetPackWithID id: String? = nil
  ) throws -> FileDescriptor {
    Mock.call("descriptor(for:searchingInAssetPackWithID:)", since: 26.0)
    return try .open(FilePath(url(path, file(path, in: id)).path), .readOnly)
  }

  nonisolated public func url(for path: FilePath) throws -> URL {
    Mock.call("url(for:)", since: 26.0)
    return try url(path, try? file(path))
  }
}

#if !MOCK_SDK_26
  public enum SizeCalculationMethod: Int, Sendable {
    case logical, allocated
  }

  extension AssetPackManifest {
    public var primaryLanguage: Locale.Language? { nil }
    public var availableLanguages: [Locale.Language] {
      Mock.with { $0.offers.values.compactMap(\.language) }.map { .init(identifier: $0) }
    }
    public var resolvedLanguage: Locale.Language? {
      Mock.with { $0.resolvedLanguage }.map { .init(identifier: $0) }
    }
    public var localizedAssetPacks: Set<AssetPack> {
      resolvedLanguage.map(localizedAssetPacks) ?? []
    }
    public func localizedAssetPacks(for language: Locale.Language) -> Set<AssetPack> {
      let offers = Mock.with { $0.offers }
      return assetPacks.filter { pack in
        offers[pack.id]?.language.map { Locale.Language(identifier: $0) == language } ?? false
      }
    }
  }

  extension AssetPackManager {
    public var manifest: AssetPackManifest {
      get async throws {
        Mock.call("manifest", since: 27.0)
        return try offered()
      }
    }

    public func ensureLocalAvailability(
      of packs: Set<AssetPack>, requireLatestVersions: Bool = false
    ) async throws {
      Mock.call("ensureLocalAvailability(of:requireLatestVersions:)", since: 27.0)
      var failures: [AssetPack: any Error] = [:]
      for pack in packs.sorted(by: { $0.id < $1.id }) {
        let version = Mock.with { $0.local[pack.id]?.version }
        if version != nil, !requireLatestVersions || version == pack.version { continue }
        do {
          try await download(pack)
        } catch {
          failures[pack] = error
        }
      }
      guard failures.isEmpty else {
        throw LocalAvailabilityError(
          successes: packs.subtracting(failures.keys), failures: failures)
      }
    }

    nonisolated public var resolvedLanguage: Locale.Language? {
      get { Mock.with { $0.resolvedLanguage.map { Locale.Language(identifier: $0) } } }
      set {
        Mock.call("resolvedLanguage", since: 27.0)
        Mock.with { $0.resolvedLanguage = newValue?.minimalIdentifier }
      }
    }

    public func reconcilePreferredLanguages() async throws {
      Mock.call("reconcilePreferredLanguages()", since: 27.0)
      Mock.with { state in
        for (id, offer) in state.offers where offer.language != nil {
          state.local[id] = offer.language == state.resolvedLanguage ? offer : nil
        }
      }
    }

    nonisolated public func contents(
      at path: FilePath, asLocalizedFor language: Locale.Language,
      options: Data.ReadingOptions = .mappedIfSafe
    ) throws -> Data {
      Mock.call("contents(at:asLocalizedFor:options:)", since: 27.0)
      return try file(path, language: language)
    }

    nonisolated public func descriptor(
      for path: FilePath, asLocalizedFor language: Locale.Language
    ) throws -> FileDescriptor {
      Mock.call("descriptor(for:asLocalizedFor:)", since: 27.0)
      return try .open(FilePath(url(path, file(path, language: language)).path), .readOnly)
    }

    nonisolated public func url(
      for path: FilePath, asLocalizedFor language: Locale.Language
    ) throws -> URL {
      Mock.call("url(for:asLocalizedFor:)", since: 27.0)
      return try url(path, try? file(path, language: language))
    }

    nonisolated public func localVersion(ofAssetPackWithID id: String) throws -> Int {
      Mock.call("localVersion(ofAssetPackWithID:)", since: 27.2)
      guard let offer = Mock.with({ $0.local[id] }) else {
        throw ManagedBackgroundAssetsError.assetPackNotFound(withID: id)
      }
      return offer.version
    }

    public func localSize(
      ofAssetPackWithID id: String, calculationMethod: SizeCalculationMethod
    ) async throws -> Int64 {
      Mock.call("localSize(ofAssetPackWithID:calculationMethod:)", since: 27.2)
      guard let offer = Mock.with({ $0.local[id] }) else {
        throw ManagedBackgroundAssetsError.assetPackNotFound(withID: id)
      }
      return offer.files.values.reduce(0) { $0 + Int64($1.count) }
    }
  }
#endif
