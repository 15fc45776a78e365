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
  private let limit: Int

  init(_ arguments: ParsedArguments) {
    folder = arguments[Self.place]
    limit = arguments[Self.limit]
  }

  /// Opens the cache, if one was requested; if the machine refuses it, packing goes on without it.
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
  /// Reports what the cache could not do.
  func report(_ cache: BlockCache?) {
    if let trouble = cache?.trouble {
      warning("the cache could not do all it is for: \(trouble.message)")
    }
  }
}
