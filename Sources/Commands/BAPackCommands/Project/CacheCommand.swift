import Arguments
import BAPackKit
import BlockSharing
import SourceDiagnostics
import SystemIO
import TerminalText

/// `cache`: the folder of compressed blocks.
struct CacheCommand: Subcommand {
  static let definition = Command(
    "cache",
    overview: "Show and clean the cache of compressed blocks.",
    discussion: [
      """
      'pack --cache' and 'cache' in the project file keep compressed blocks in a folder. Archives \
      are not in it: 'pack --update' keeps them in the output folder. A cache can be removed at \
      any time.
      """
    ],
    topics: ["caching"], subcommands: subcommands.map { $0.definition })

  static let subcommands: [any Subcommand.Type] = [CacheInfoCommand.self, CacheCleanCommand.self]

  init(_ arguments: ParsedArguments) throws(UsageError) { throw .missingSubcommand }

  func run(_ console: Console) -> ExitStatus { .usage }
}

/// The folder of a cache: from an option, the project file, or the default.
private struct CachePlace {
  static let folder = Option(
    "cache", .folder, called: "folder", in: .cache,
    "Use this folder (default: that of 'pack').",
    details: """
      Without it, the 'cache' of the project file is used, or 'ba-package/blocks' in \
      XDG_CACHE_HOME.
      """)

  static let all: [any TypedParameter] = [folder] + ProjectOptions.all

  private let project: ProjectOptions

  init(_ arguments: ParsedArguments) throws(UsageError) {
    if let folder = arguments[Self.folder], CacheAddress.isMeant(by: folder) {
      throw UsageError(
        "'--cache' expects a folder here: the server removes the blocks of a shared cache")
    }
    var project = ProjectOptions(arguments)
    project.settings.add(Self.folder, as: \.cache.folder, arguments)
    self.project = project
  }

  /// Returns the path of the folder and the size limit; nil after errors of the project file, which
  /// have been reported.
  func found(_ console: Console) throws(PackError) -> (folder: String, limit: UInt64)? {
    let run = try project.opened(console)
    guard run.isUsable(console, otherwise: "No cache was examined", canDoWithout: true) else {
      return nil
    }
    let limit = run.settings[\.cache.limit]?.value ?? CacheOptions.defaultLimit
    guard let place = run.settings[\.cache.folder] else {
      return (try UserFolders.blocks(console), limit)
    }
    if case .project = place.origin { try run.document?.place.checkInside(place.value) }
    return (place.value, limit)
  }
}

/// `cache info`: the size of a cache, and the age of its blocks.
struct CacheInfoCommand: Subcommand {
  static let definition = Command(
    "info", overview: "Show the size of the cache and the age of its blocks.",
    discussion: [DocumentName.cacheInfo.described()],
    CachePlace.all + [ReportFormat.option], exclusive: [ProjectOptions.exclusive],
    examples: [
      Term("ba-package cache info", "Show the cache of the project or the user."),
      Term("ba-package cache info --cache ~/blocks", "Show another cache."),
    ],
    topics: ["caching"])

  private let place: CachePlace
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    place = try CachePlace(arguments)
    format = arguments[ReportFormat.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
    guard let (folder, limit) = try place.found(console) else { return .failed }
    let contents = try CacheContents(at: folder, console.work)
    let result = CacheInfoResult(folder: folder, limit: limit, contents: contents)
    console.result(result, as: format, .readable) {
      console.result("folder     \(folder)")
      console.result("blocks     \(Quantity.grouped(contents.blocks))")
      console.result(
        "size       \(Quantity.bytes(contents.bytes)) (limit: \(ByteCount.exact(limit)))")
      if let oldest = contents.oldest, let newest = contents.newest {
        console.result("last used  from \(oldest.day) to \(newest.day)")
      }
    }
    return .done
  }
}

/// `cache clean`: removes blocks by their age or down to a size.
struct CacheCleanCommand: Subcommand {
  private static let age = Option(
    "older-than",
    ValueType<Int64> { word throws(InvalidValue) in
      let units: [Character: Int64] = ["h": 3600, "d": 86_400, "w": 7 * 86_400]
      guard let unit = word.last.flatMap({ units[$0] }),
        let count = number(ofDigits: word.dropLast()), count <= 100_000
      else {
        throw InvalidValue("expected hours, days or weeks, such as 12h, 30d or 4w")
      }
      return Int64(count) * unit
    }, called: "age", in: .cache, "Remove blocks that were not used for this time: 30d.")
  private static let size = Option(
    "to-size", .byteCount(in: 0...1 << 50), called: "size", in: .cache,
    "Remove the least recently used blocks down to this size.",
    details: "Powers of 1024, for example 2G.")
  private static let dryRun = Flag(
    "dry-run", short: "n", in: .output, "Print the number of blocks to remove, remove none.")

  static let definition = Command(
    "clean", overview: "Remove blocks from the cache.",
    discussion: [
      """
      Without '--older-than' and '--to-size', all blocks are removed. Only blocks are removed: a \
      folder with other files is an error. Runs of 'pack' that use the cache at the same time are \
      not disturbed.
      """,
      DocumentName.cacheClean.described(),
    ],
    [age, size] + CachePlace.all + [dryRun, ReportFormat.option],
    exclusive: [ProjectOptions.exclusive],
    examples: [
      Term("ba-package cache clean --older-than 30d", "Remove blocks without recent use."),
      Term("ba-package cache clean --to-size 2G --dry-run", "Count the blocks to remove."),
    ],
    topics: ["caching"])

  private let age: Int64?
  private let size: Int?
  private let isDryRun: Bool
  private let place: CachePlace
  private let format: ReportFormat

  init(_ arguments: ParsedArguments) throws(UsageError) {
    age = arguments[Self.age]
    size = arguments[Self.size]
    isDryRun = arguments[Self.dryRun]
    place = try CachePlace(arguments)
    format = arguments[ReportFormat.option]
  }

  func run(_ console: Console) throws(PackError) -> ExitStatus {
    Interrupt.install()
    guard let folder = try place.found(console)?.folder else { return .failed }
    let removal = CacheContents.Removal(
      before: age.map { Moment.now.adding(seconds: -$0) },
      limit: size.map { UInt64($0) } ?? (age == nil ? 0 : nil))
    let (removed, left) = try CacheContents.remove(
      removal, at: folder, isDryRun: isDryRun, console.work)
    if format == .json {
      console.result(
        json: CacheCleanResult(folder: folder, isDryRun: isDryRun, removed: removed, left: left),
        .readable)
    }
    let blocks = "\(Quantity.count(removed.blocks, "block")) (\(Quantity.bytes(removed.bytes)))"
    let rest = "\(Quantity.count(left.blocks, "block")) (\(Quantity.bytes(left.bytes)))"
    console.summary(
      isDryRun
        ? "\(blocks) would be removed, \(rest) would remain."
        : "Removed \(blocks); \(rest) \(left.blocks == 1 ? "remains" : "remain").")
    return .done
  }
}

// MARK: - JSON

/// The result of `cache info`.
struct CacheInfoResult: Described {
  let folder: String
  let limit: UInt64
  let contents: CacheContents

  static let table = Table<Self>(written: "a cache") {
    Key("folder", written: \.folder, .text, "The path of the folder.")
    Key("blocks", written: \.contents.blocks, .count, "The number of blocks.")
    Key("bytes", written: \.contents.bytes, .bytes, "The disk space of the blocks in bytes.")
    Key("limit", written: \.limit, .bytes, "The size limit of 'pack' in bytes.")
    Key(
      "oldestUse", written: \.contents.oldest, .moment,
      "The earliest last use of a block, if there are blocks.")
    Key(
      "newestUse", written: \.contents.newest, .moment,
      "The latest use of a block, if there are blocks.")
  }
}

/// The result of `cache clean`.
struct CacheCleanResult: Described {
  let folder: String
  let isDryRun: Bool
  let removed: CacheContents
  let left: CacheContents

  static let table = Table<Self>(written: "a cleaned cache") {
    Key("folder", written: \.folder, .text, "The path of the folder.")
    Key("dryRun", written: \.isDryRun, .flag, "Whether the blocks were kept, with '--dry-run'.")
    Key("removedBlocks", written: \.removed.blocks, .count, "The number of removed blocks.")
    Key("removedBytes", written: \.removed.bytes, .bytes, "Their disk space in bytes.")
    Key("blocks", written: \.left.blocks, .count, "The number of remaining blocks.")
    Key("bytes", written: \.left.bytes, .bytes, "Their disk space in bytes.")
  }
}
