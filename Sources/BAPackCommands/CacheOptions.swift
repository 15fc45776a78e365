import Arguments
import BAPackKit

/// Whether encoded blocks are kept for the next time, and how many, as the command line says it.
struct CacheOptions: Sendable {
  private static let place = Option(
    "cache", .folder, called: "folder",
    "A folder that keeps compressed blocks, so that the same content is not compressed again.")
  private static let limit = DefaultedOption(
    "cache-limit", .byteCount(in: 1 << 20...1 << 50), called: "size", default: 10 << 30,
    shownAs: "10G", "How many bytes the cache may take; what was used least recently goes first.")

  static let all: [any TypedParameter] = [place, limit]

  /// Without a cache there is nothing to limit.
  static let dependent: [(any TypedParameter, any TypedParameter)] = [(limit, place)]
  /// What is not compressed asks no cache.
  static let asked: any TypedParameter = place

  let folder: String?
  private let limit: Int

  init(_ arguments: ParsedArguments) {
    folder = arguments[Self.place]
    limit = arguments[Self.limit]
  }

  /// The cache that was asked for; one that the machine refuses is done without.
  func open(_ console: Console) throws(PackError) -> BlockCache? {
    guard let folder else { return nil }
    do throws(PackError) {
      return try BlockCache(folder, limit: UInt64(limit))
    } catch {
      guard case .system = error.kind else { throw error }
      console.warning("packing without a cache: \(error.message)")
      return nil
    }
  }
}

extension Console {
  /// Says what a cache could not do.
  func report(_ cache: BlockCache?) {
    if let trouble = cache?.trouble {
      warning("the cache could not do all it is for: \(trouble.message)")
    }
  }
}
