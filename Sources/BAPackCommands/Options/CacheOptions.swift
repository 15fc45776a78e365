import Arguments
import BAPackKit
import BlockSharing
import SystemIO
import TerminalText

/// Where encoded blocks are kept for the next run: a folder, which may take so much space, and a
/// server that other machines use, too.
struct CacheOptions: Sendable {
  private static let place = RepeatableOption(
    "cache", .folder, called: "folder or URL",
    """
    A folder that keeps compressed blocks, so that the same content is not compressed again. The \
    address of a server does that for many machines; both may be given. A server that only the \
    project file names is read and never written to, unless BA_CACHE_ORIGIN names it, too.
    """)
  private static let limit = DefaultedOption(
    "cache-limit", .byteCount(in: 1 << 20...1 << 50), called: "size", default: 10 << 30,
    shownAs: "10G",
    "How many bytes the cache's folder may take; what was used least recently goes first.")
  private static let readOnly = Flag(
    "cache-read-only", "Take from the cache's server and send nothing there, as untrusted jobs do.")
  private static let authority = RepeatableOption(
    "cache-ca", .file("pem", "crt"), called: "file",
    """
    Also trust this certificate, in PEM form, when the cache's server proves itself; \
    BA_CACHE_CA_FILE without it.
    """)

  /// Those that say what is in force.
  static let settings: [any TypedParameter] = [place, limit]
  static let all: [any TypedParameter] = settings + [readOnly, authority]

  /// A cache is not used if nothing is compressed.
  static let asked: any TypedParameter = place

  let folder: String?
  private let server: CacheAddress?
  private let restraint: String?
  private let limit: UInt64
  private let phrase: Words

  /// What only options say.
  struct Words: Sendable {
    fileprivate let givesLimit: Bool
    fileprivate let isReadOnly: Bool
    fileprivate let authorities: [String]

    init(_ arguments: ParsedArguments) {
      givesLimit = arguments.isGiven(CacheOptions.limit)
      isReadOnly = arguments[CacheOptions.readOnly]
      authorities = arguments[CacheOptions.authority]
    }
  }

  /// What is in force, with what options say about it.
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
    // The cache may be the project's.
    if places.isEmpty, ProjectOptions(arguments).place == nil {
      throw UsageError(
        "'--\(limit.parameter.name)' has no effect without '--\(place.parameter.name)'")
    }
    settings.add(
      UInt64(arguments[limit]), as: \.cache.limit, from: .option("--" + limit.parameter.name))
  }

  /// How many bytes a cache may take where nobody says it.
  static let usualLimit: UInt64 = 10 << 30

  /// The caches that are in force: where an option or the project file says, or, if a project only
  /// wants one, where each person's caches are.
  init(_ run: ProjectRun, _ phrase: Words, _ console: Console) throws(PackError) {
    self.phrase = phrase
    limit = run.settings[\.cache.limit]?.value ?? Self.usualLimit
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
    if folder == nil, phrase.givesLimit {
      throw PackError(
        .conflict,
        "'--cache-limit' has no effect without a folder in '--cache'"
          + (run.document == nil ? "" : ", or a 'cache' in the project file"))
    }
    if server == nil, phrase.isReadOnly || !phrase.authorities.isEmpty {
      let name = phrase.isReadOnly ? "cache-read-only" : "cache-ca"
      throw PackError(
        .conflict, "'--\(name)' has no effect without the address of a server in '--cache'")
    }
  }

  /// Why nothing is written to a server that nobody but the project file names; nil if something
  /// is, or if there is none.
  static func restraint(
    _ settings: EffectiveSettings, _ console: Console
  ) throws(PackError) -> String? {
    guard let remote = settings[\.cache.remote], case .project = remote.origin,
      try !CacheAccess.isNamed(CacheAddress(remote.value), in: console.environment)
    else { return nil }
    return "only read, as BA_CACHE_ORIGIN does not name it"
  }

  /// Opens what was requested; if the machine refuses it, packing goes on without.
  func open(_ console: Console, threads: Int) throws(PackError) -> OpenCaches {
    OpenCaches(
      folder: try openFolder(console), server: try openServer(console, threads),
      restraint: phrase.isReadOnly ? nil : restraint)
  }

  private func openFolder(_ console: Console) throws(PackError) -> BlockCache? {
    guard let folder else { return nil }
    do throws(PackError) {
      return try BlockCache(folder, limit: limit)
    } catch {
      guard case .system = error.kind else { throw error }
      console.warning("packing without a cache: \(error.message)")
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
      phrase.authorities, else: console.value("BA_CACHE_CA_FILE"), console.work)
    options.isReadOnly = phrase.isReadOnly || restraint != nil
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
  /// Why nothing is written to the server, if nobody asked for that.
  var restraint: String?

  /// Ends the use of the server at once; after ``report(_:)`` there is nothing left to end.
  func close() { server?.finish(waiting: false, .unstoppable) }

  /// Waits a little for what is still to be sent, and says what the caches did, and could not do.
  func report(_ console: Console) {
    if let trouble = folder?.firstError {
      console.warning("the cache could not do all it is for: \(trouble.message)")
    }
    if let needed = folder?.neededLimit {
      console.warning(
        "the cache could not keep all blocks of this run; '--cache-limit "
          + "\(ByteCount.roundedUp(needed))' would do")
    }
    if let server { report(server.finish(console.work), of: server.address, console) }
  }

  private func report(
    _ report: SharedCache.Report, of address: CacheAddress, _ console: Console
  ) {
    let total = report.found + report.missed + report.unasked
    guard total > 0 else { return }
    var parts = ["\(report.found) of \(Quantity.count(total, "block")) found"]
    if report.added > 0 { parts.append("\(report.added) added") }
    if report.unsent > 0 { parts.append("\(report.unsent) not added") }
    if report.wrong > 0 { parts.append("\(report.wrong) not what they should be") }
    if report.unasked > 0 {
      let reason = report.trouble == nil ? ": it takes too long" : ""
      parts.append("\(report.unasked) not asked for\(reason)")
    }
    if let restraint { parts.append(restraint) }
    let facts = parts.joined(separator: ", ")
    if let trouble = report.trouble {
      console.warning(
        "the shared cache \(address) could not do all it is for: \(trouble); \(facts)")
    } else {
      console.summary("shared cache \(address): \(facts)")
    }
  }
}

/// Certificates of whoever vouches for servers of one's own.
enum Authorities {
  /// Reads texts in PEM form; without any, the one that the environment names.
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
          remedy: "name a text that has 'BEGIN CERTIFICATE' in it")
      }
      texts.append(text)
    }
    return texts
  }
}
