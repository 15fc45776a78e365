import Arguments
import BAPackKit
import SystemIO

/// The options for writing packs.
struct PackingOptions: Sendable {
  private static let compression = DefaultedOption<PackSettings.Compression>(
    "compression", called: "codec", in: .compression, default: .lzfse, "Set the codec.")
  private static let level = DefaultedOption<PackSettings.Effort>(
    "level", called: "level", in: .compression, default: .default,
    "Set the effort: fast, default, better or best.",
    details: """
      'better' gives packs nearly as small as 'best' in a fraction of its time; use it in CI \
      without a cache. 'best' is the slowest level and gives the smallest packs; use it for \
      releases.
      """)
  private static let blockSize = DefaultedOption(
    "block-size", .byteCount(in: PackSettings.blockSizes), called: "size", in: .compression,
    default: 1 << 20, shownAs: "1M", "Set the block size before compression.",
    details: "Units are K, M and G, powers of 1024.")
  private static let threads = Option(
    "threads", short: "j", .number(in: 1...256), called: "count", in: .compression,
    "Compress with this many threads (default: all cores).")
  private static let timestamp = Option(
    "timestamp", .time, called: "time", in: .compression,
    "Set the time of all entries, such as 2026-01-01.",
    details: """
      ISO 8601, or seconds since 1970 (default: SOURCE_DATE_EPOCH from the environment, else \
      2001-01-01T00:00:00Z).
      """)
  static let preserve = Flag(
    "preserve-metadata", in: .compression, "Keep owners, permissions and times of files.")

  static let all: [any TypedParameter] = [
    compression, level, blockSize, threads, MemoryOption.ofPacking, timestamp, preserve,
  ]

  /// The options that a project file can also set.
  static let ofProjects: [any TypedParameter] = [compression, level, threads]

  /// Options that have no effect without compression.
  private static let ofCompression: [any TypedParameter] = [level, blockSize]

  /// The first option that requires compression, if '--compression' is not given.
  private let usesCompression: (any TypedParameter)?
  private let blockSize: Int
  private let memory: UInt64
  private let timestamp: Moment?
  private let preserves: Bool

  init(_ arguments: ParsedArguments) throws(UsageError) {
    let idle = Self.ofCompression.filter { arguments.isGiven($0) }
    if arguments[Self.compression] == .none, let option = idle.first {
      throw .withoutEffect(option, beside: "--compression none")
    }
    usesCompression = arguments.isGiven(Self.compression) ? nil : idle.first
    blockSize = arguments[Self.blockSize]
    memory = UInt64(arguments[MemoryOption.option])
    timestamp = arguments[Self.timestamp]
    preserves = arguments[Self.preserve]
  }

  static func add(to settings: inout EffectiveSettings, _ arguments: ParsedArguments) {
    settings.add(compression, as: \.compression, arguments)
    settings.add(level, as: \.level, arguments)
    settings.add(threads, as: \.threads, arguments)
  }

  func settings(
    _ inForce: EffectiveSettings, _ console: Console
  ) throws(PackError) -> PackSettings {
    if let option = usesCompression, inForce[\.compression]?.value == PackSettings.Compression.none
    {
      throw PackError(
        .invalidValue,
        "'--\(option.parameter.name)' has no effect with 'compression' of 'none' in the project "
          + "file",
        remedy: "remove the option, or add '--compression'")
    }
    var settings = PackSettings(inForce)
    settings.blockSize = blockSize
    settings.timestamp = try time(console)
    settings.metadata = preserves ? .preserved : .fixed
    settings.memory = memory
    return settings
  }

  private func time(_ console: Console) throws(PackError) -> Moment {
    if let timestamp { return timestamp }
    return try Self.epoch(console) ?? .reference
  }

  /// Returns the time of all output from the environment.
  static func epoch(_ console: Console) throws(PackError) -> Moment? {
    guard let epoch = console.environment("SOURCE_DATE_EPOCH"), !epoch.isEmpty else { return nil }
    guard let seconds = Int64(epoch) else {
      throw PackError(
        .invalidValue, "SOURCE_DATE_EPOCH is '\(epoch)', which is not a number of seconds",
        remedy: "set it to seconds since 1970-01-01T00:00:00Z, or unset it")
    }
    return Moment(seconds: seconds)
  }
}

extension ValueType where Value == Moment {
  fileprivate static var time: Self {
    Self { word throws(InvalidValue) in
      guard let time = Moment(word) else {
        throw InvalidValue("expected a time, such as 2026-11-20T21:00:00Z or 1700000000")
      }
      return time
    }
  }
}

extension ValueType where Value == Int {
  /// Returns the type of byte counts: `65536`, `64K`, `4M`.
  static func byteCount(in range: ClosedRange<Int>) -> Self {
    Self { word throws(InvalidValue) in
      guard let count = ByteCount.read(word).flatMap({ Int(exactly: $0) }), range.contains(count)
      else {
        let (least, most) = (UInt64(range.lowerBound), UInt64(range.upperBound))
        throw InvalidValue(
          "expected a size from \(ByteCount.exact(least)) to \(ByteCount.exact(most))")
      }
      return count
    }
  }
}

extension ValueType where Value == UInt64 {
  /// A decimal number of bytes: `500M`, `4G`, in powers of 1000.
  static var decimalSize: Self {
    Self { word throws(InvalidValue) in
      guard let size = ByteCount.readDecimal(word) else {
        throw InvalidValue("expected a size such as 4G or 500M, in powers of 1000")
      }
      return size
    }
  }
}

/// The destination of archives.
struct ArchivePlace: Sendable {
  /// The output path: an archive, a folder or '-'; nil in a dry run without one.
  let given: String?

  init(_ given: String?) { self.given = given }

  var isStandardOutput: Bool { given == "-" }
  /// Whether only one archive can be written.
  var isFile: Bool { isStandardOutput || given.map { FilePath($0).hasSuffix(".aar") } ?? false }
  /// Whether archives get names.
  var isWritten: Bool { given != nil && !isStandardOutput }
  /// The folder of several archives.
  var folder: String? { isFile ? nil : given }

  func path(of id: String?) -> String {
    let name = (id ?? "") + ".aar"
    guard let given, !isStandardOutput else { return name }
    return isFile ? given : FilePath(given).appending(FilePath(name.utf8)).text
  }
}
