import Arguments
import BAPackKit
import BlockSharing
import SystemIO
import TerminalText

/// The caches of compressed blocks: a folder with a size limit, and a server that several machines
/// share.
struct CacheOptions: Sendable {
  private static let place = RepeatableOption(
    "cache", .folder, called: "folder or URL", in: .cache,
    "Reuse compressed blocks from a folder or a server.",
    details: """
      A folder and a server can be used together. A server from the project file is only read, \
      unless BA_CACHE_ORIGIN names it. See 'ba-package help caching'.
      """)
  private static let limit = DefaultedOption(
    "cache-limit", .byteCount(in: 1 << 20...1 << 50), called: "size", in: .cache,
    default: 10 << 30, shownAs: "10G", "Limit the size of the cache folder.",
    details: "The least recently used blocks are removed first. Powers of 1024.")
  private static let readOnly = Flag(
    "cache-read-only", in: .cache, "Read from the cache server, but never write to it.",
    details: "For jobs that build untrusted changes, such as pull requests.")
  private static let authority = RepeatableOption(
    "cache-ca", .file("pem", "crt"), called: "file", in: .cache,
    "Trust this PEM certificate for the cache server.",
    details: "Without it, BA_CACHE_CA_FILE is used.")

  /// The options that a project file can also set.
  static let settings: [any TypedParameter] = [place, limit]
  static let all: [any TypedParameter] = settings + [readOnly, authority]

  /// The option that selects a cache; it requires compression.
  static let selection: any TypedParameter = place

  let folder: String?
  private let server: CacheAddress?
  private let restraint: String?
  private let limit: UInt64
  private let choices: Choices

  /// The values that only options set.
  struct Choices: Sendable {
    fileprivate let givesLimit: Bool
    fileprivate let isReadOnly: Bool
    fileprivate let authorities: [String]

    init(_ arguments: ParsedArguments) {
      givesLimit = arguments.isGiven(CacheOptions.limit)
      isReadOnly = arguments[CacheOptions.readOnly]
      authorities = arguments[CacheOptions.authority]
    }
  }

  static func add(
    to settings: inout EffectiveSettings, _ arguments: ParsedArguments
  ) throws(UsageError) {
    let places = arguments[place]
    let origin = Origin.option("--" + place.parameter.name)
    settings.add(
      places.last { !CacheAddress.isMeant(by: $0) }, as: \.cache.folder, from: origin)
    if let address = places.last(where: { CacheAddress.isMeant(by: $0) }) {
      do throws(PackError) {
        _ = try CacheAddress(address)
      } catch {
        throw UsageError(error)
      }
      settings.add(address, as: \.cache.remote, from: origin)
    }
    guard arguments.isGiven(limit) else { return }
    // The cache may be set in the project file.
    if places.isEmpty, ProjectOptions(arguments).place == nil {
      throw UsageError(
        "'--\(limit.parameter.name)' has no effect without '--\(place.parameter.name)'")
    }
    settings.add(
      UInt64(arguments[limit]), as: \.cache.limit, from: .option("--" + limit.parameter.name))
  }

  /// The default size limit of a cache in bytes.
  static let defaultLimit: UInt64 = 10 << 30

  /// Resolves the caches: from an option or the project file, or, if the project file has an empty
  /// 'cache', the user's cache folder.
  init(_ run: ProjectRun, _ choices: Choices, _ console: Console) throws(PackError) {
    self.choices = choices
    limit = run.settings[\.cache.limit]?.value ?? Self.defaultLimit
    server = try run.settings[\.cache.remote].map { remote throws(PackError) in
      try CacheAddress(remote.value)
    }
    if let place = run.settings[\.cache.folder] {
      if case .project = place.origin { try run.document?.place.checkInside(place.value) }
      folder = place.value
    } else {
      folder = run.settings.usesCache ? try UserFolders.blocks(console) : nil
    }
    restraint = try Self.restraint(run.settings, console)
    if folder == nil, choices.givesLimit {
      throw PackError(
        .conflict,
        "'--cache-limit' has no effect without a folder in '--cache'"
          + (run.document == nil ? "" : ", or a 'cache' in the project file"))
    }
    if server == nil, choices.isReadOnly || !choices.authorities.isEmpty {
      let name = choices.isReadOnly ? "cache-read-only" : "cache-ca"
      throw PackError(
        .conflict, "'--\(name)' has no effect without the address of a server in '--cache'")
    }
  }

  /// Returns the reason why a server that only the project file names is read-only; nil if it is
  /// not, or if there is none.
  static func restraint(
    _ settings: EffectiveSettings, _ console: Console
  ) throws(PackError) -> String? {
    guard let remote = settings[\.cache.remote], case .project = remote.origin,
      try !CacheAccess.isNamed(CacheAddress(remote.value), in: console.environment)
    else { return nil }
    return "read-only, because BA_CACHE_ORIGIN does not name it"
  }

  /// Opens the caches; if a cache cannot be opened because of a failed system call, packing
  /// continues without it.
  func open(_ console: Console, threads: Int) throws(PackError) -> OpenCaches {
    OpenCaches(
      folder: try openFolder(console), server: try openServer(console, threads),
      restraint: choices.isReadOnly ? nil : restraint)
  }

  private func openFolder(_ console: Console) throws(PackError) -> BlockCache? {
    guard let folder else { return nil }
    do throws(PackError) {
      return try BlockCache(folder, limit: limit)
    } catch {
      guard error.kind.systemError != nil else { throw error }
      console.warning("packing without the cache folder: \(error.message)")
      return nil
    }
  }

  private func openServer(_ console: Console, _ threads: Int) throws(PackError) -> SharedCache? {
    guard let server else { return nil }
    var options = SharedCache.Options()
    options.access = try CacheAccess(to: server, environment: console.environment)
    if let reason = options.access.withheld {
      console.warning("no credentials are sent to the shared cache \(server): \(reason)")
    }
    options.roots = try Authorities.read(
      choices.authorities, else: console.value("BA_CACHE_CA_FILE"), console.work)
    options.isReadOnly = choices.isReadOnly || restraint != nil
    options.threads = threads
    do throws(Failure) {
      return try SharedCache(server, options)
    } catch {
      console.warning("packing without the shared cache \(server): \(error)")
      return nil
    }
  }
}

/// The caches of a run.
struct OpenCaches: Sendable {
  var folder: BlockCache?
  var server: SharedCache?
  /// The reason why the server is read-only, if no option is the reason.
  var restraint: String?

  /// Stops the use of the server immediately; has no effect after ``report(_:)``.
  func close() { server?.finish(waiting: false, .unstoppable) }

  /// Waits a short time for pending uploads, and reports hits, misses and failures; returns the
  /// report of the server.
  func report(_ console: Console) -> SharedCache.Report? {
    if let trouble = folder?.firstError {
      console.warning("the cache failed for some blocks: \(trouble.message)")
    }
    if let needed = folder?.neededLimit {
      console.warning(
        "the cache is too small for all blocks of this run",
        remedy: "use '--cache-limit \(ByteCount.roundedUp(needed))'")
    }
    guard let server else { return nil }
    let use = server.finish(console.work)
    report(use, of: server.address, console)
    return use
  }

  private func report(
    _ report: SharedCache.Report, of address: CacheAddress, _ console: Console
  ) {
    let total = report.found + report.missed + report.unasked
    guard total > 0 else { return }
    var parts = ["\(report.found) of \(Quantity.count(total, "block")) found"]
    if report.added > 0 { parts.append("\(report.added) added") }
    if report.unsent > 0 { parts.append("\(report.unsent) not added") }
    if report.wrong > 0 { parts.append("\(report.wrong) invalid") }
    if report.unasked > 0 {
      let reason = report.trouble == nil ? ", because the server is slow" : ""
      parts.append("\(report.unasked) not requested\(reason)")
    }
    if let restraint { parts.append(restraint) }
    let facts = parts.joined(separator: ", ")
    if let trouble = report.trouble {
      console.warning(
        "the shared cache \(address) failed for some blocks: \(trouble); \(facts)")
    } else {
      console.summary("shared cache \(address): \(facts)")
    }
  }
}

/// Certificates of additional certificate authorities.
enum Authorities {
  /// Reads files in PEM form; without any, the file from the environment.
  static func read(
    _ paths: [String], else fallback: String? = nil, _ work: Work
  ) throws(PackError) -> [[UInt8]] {
    var texts: [[UInt8]] = []
    let named = paths.isEmpty ? [fallback].compactMap(\.self) : paths
    for path in named {
      let text = try mapFailure(.reading) { () throws(Failure) in
        try FileDescriptor.open(path, for: .waiting(work)).readToEnd(atMost: 1 << 20)
      }
      guard text.holds("-----BEGIN CERTIFICATE-----") else {
        throw PackError(
          .invalidValue, "'\(path)' has no certificate in PEM form",
          remedy: "use a file that contains 'BEGIN CERTIFICATE'")
      }
      texts.append(text)
    }
    return texts
  }
}
