import Arguments
import BAPackKit
import SystemIO

/// How packs are written, as the options say.
struct PackingOptions: Sendable {
  private static let compression = DefaultedOption<PackSettings.Compression>(
    "compression", called: "codec", default: .lzfse, "The codec of the blocks.")
  private static let level = DefaultedOption<PackSettings.Effort>(
    "level", called: "level", default: .default,
    "How hard the encoder tries: 'fast' when the disk waits for it, 'best' for releases.")
  private static let blockSize = DefaultedOption(
    "block-size", .byteCount(in: PackSettings.blockSizes), called: "size", default: 1 << 20,
    shownAs: "1M", "How many bytes are compressed together; K, M and G are understood.")
  private static let threads = Option(
    "threads", .number(in: 1...256), called: "count",
    "How many threads compress; as many as there are processors, if not given.")
  private static let timestamp = Option(
    "timestamp", .time, called: "time",
    """
    The time of all entries, as ISO 8601 or in seconds since 1970; if not given, SOURCE_DATE_EPOCH \
    from the environment, else 2001-01-01T00:00:00Z.
    """)
  private static let preserve = Flag(
    "preserve-metadata", "Keep owners, permissions and times of the source files.")

  static let all: [any TypedParameter] = [
    compression, level, blockSize, threads, MemoryOption.option, timestamp, preserve,
  ]

  /// Those that a project file may say, too.
  static let ofProjects: [any TypedParameter] = [compression, level, threads]

  /// Options that have no effect without compression.
  private static let ofCompression: [any TypedParameter] = [level, blockSize]

  /// The first option that needs compression, if none says which compression.
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

  /// What is in force, with what options say about it.
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
        remedy: "leave it out, or say '--compression' as well")
    }
    var settings = PackSettings(
      compression: inForce[\.compression]?.value ?? .lzfse,
      effort: inForce[\.level]?.value ?? .default, blockSize: blockSize,
      threads: inForce[\.threads]?.value ?? ProcessState.processorCount,
      timestamp: try time(console),
      metadata: preserves ? .preserved : .fixed)
    settings.memory = memory
    return settings
  }

  private func time(_ console: Console) throws(PackError) -> Moment {
    if let timestamp { return timestamp }
    return try Self.epoch(console) ?? .reference
  }

  /// The time that the environment sets for all that is made.
  static func epoch(_ console: Console) throws(PackError) -> Moment? {
    guard let epoch = console.environment("SOURCE_DATE_EPOCH"), !epoch.isEmpty else { return nil }
    guard let seconds = Int64(epoch) else {
      throw PackError(
        .invalidValue, "SOURCE_DATE_EPOCH is '\(epoch)', which is no number of seconds",
        remedy: "set it to seconds since 1970-01-01T00:00:00Z, or unset it")
    }
    return Moment(seconds: seconds)
  }
}

extension ValueType where Value == Moment {
  fileprivate static var time: Self {
    Self { word throws(InvalidValue) in
      guard let time = Moment(word) else {
        throw InvalidValue("a time such as 2026-11-20T21:00:00Z or 1700000000 is needed")
      }
      return time
    }
  }
}

extension ValueType where Value == Int {
  /// A number of bytes: `65536`, `64K`, `4M`.
  static func byteCount(in range: ClosedRange<Int>) -> Self {
    Self { word throws(InvalidValue) in
      guard let count = ByteCount.read(word).flatMap({ Int(exactly: $0) }), range.contains(count)
      else {
        throw InvalidValue(
          "a size from \(shownSize(range.lowerBound)) to \(shownSize(range.upperBound)) is needed")
      }
      return count
    }
  }

  private static func shownSize(_ size: Int) -> String {
    let unit = ByteCount.units.first { UInt64(size) % $0.size == 0 }
    return "\(UInt64(size) / (unit?.size ?? 1))\(unit?.letter ?? "")"
  }
}

/// Where archives go.
struct ArchivePlace: Sendable {
  /// Nil for the current folder.
  let path: String?
  let isFile: Bool

  func path(of id: String) -> String {
    let name = id + ".aar"
    guard let path else { return name }
    return isFile ? path : FilePath(path).appending(FilePath(name.utf8)).text
  }
}
