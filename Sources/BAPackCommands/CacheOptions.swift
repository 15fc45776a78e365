import Arguments
import BAPackKit

/// Whether encoded blocks are kept for the next run, and how much space they may take.
struct CacheOptions: Sendable {
  private static let place = Option(
    "cache", .folder, called: "folder",
    "A folder that keeps compressed blocks, so that the same content is not compressed again.")
  private static let limit = DefaultedOption(
    "cache-limit", .byteCount(in: 1 << 20...1 << 50), called: "size", default: 10 << 30,
    shownAs: "10G", "How many bytes the cache may take; what was used least recently goes first.")

  static let all: [any TypedParameter] = [place, limit]

  /// Without a cache the limit has no effect.
  static let dependent: [(any TypedParameter, any TypedParameter)] = [(limit, place)]
  /// A cache is not used if nothing is compressed.
  static let asked: any TypedParameter = place

  let folder: String?
  private let limit: UInt64

  /// What is in force, with what options say about it.
  static func add(to settings: inout SettingsInForce, _ arguments: ParsedArguments) {
    settings.add(place, as: \.cache.folder, arguments)
    guard arguments.isGiven(limit) else { return }
    settings.add(
      UInt64(arguments[limit]), as: \.cache.limit, from: .option("--" + limit.parameter.name))
  }

  /// How many bytes a cache may take where nobody says it.
  static let usualLimit: UInt64 = 10 << 30

  /// The cache that is in force: where an option or the project file says, or, if a project only wants one,
  /// where each person's caches are.
  init(_ run: ProjectRun, _ console: Console) throws(PackError) {
    limit = run.settings[\.cache.limit]?.value ?? Self.usualLimit
    if let place = run.settings[\.cache.folder] {
      if case .project = place.origin { try run.document?.place.checkInside(place.value) }
      folder = place.value
    } else {
      folder = run.settings.wantsCache ? try UserFolders.blocks(console) : nil
    }
  }

  /// Opens the cache, if one was requested; if the machine refuses it, packing goes on without it.
  func open(_ console: Console) throws(PackError) -> BlockCache? {
    guard let folder else { return nil }
    do throws(PackError) {
      return try BlockCache(folder, limit: limit)
    } catch {
      guard case .system = error.kind else { throw error }
      console.warning("packing without a cache: \(error.message)")
      return nil
    }
  }
}

extension Console {
  /// Reports what the cache could not do.
  func report(_ cache: BlockCache?) {
    if let trouble = cache?.trouble {
      warning("the cache could not do all it is for: \(trouble.message)")
    }
  }
}
