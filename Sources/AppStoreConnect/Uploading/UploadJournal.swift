package import BAPackKit
import SourceDiagnostics
package import SystemIO

/// What is known of the uploads of one pack: what was delivered, and the upload under way.
///
/// It is written before each step, so that whatever happens in between, the next run knows what may
/// have been done. There is no address and no token in it.
package struct UploadJournal: Sendable, Equatable {
  package let pack: PackID
  package var current: Attempt?
  /// What was delivered, the newest last.
  package var delivered: [Delivered] = []

  /// An archive by its bytes.
  package struct Archive: Sendable, Hashable {
    package let sha256: String
    package let size: UInt64

    package init(sha256: String, size: UInt64) {
      self.sha256 = sha256
      self.size = size
    }
  }

  /// An archive that became a version.
  package struct Delivered: Sendable, Equatable {
    package let version: VersionKey
    package let archive: Archive
    package let date: Moment
  }

  /// An upload under way.
  package struct Attempt: Sendable, Equatable {
    package var archive: Archive
    /// When its version or its file was requested last.
    package internal(set) var began: Moment
    package var phase: Phase
    /// The parts of the file that the storage received.
    package var sent = SentParts()

    /// When the addresses of its parts end, if the service does not say when: seven days after they were
    /// made.
    var usualEnd: Moment { began.adding(seconds: 7 * 86_400) }

    package init(archive: Archive, began: Moment, phase: Phase) {
      self.archive = archive
      self.began = began
      self.phase = phase
    }
  }

  /// What is about to be done, or was just being done.
  package enum Phase: Sendable, Equatable {
    /// A version is made; before, there was none above this number.
    case making(above: Int)
    /// A file is announced.
    case reserving(VersionKey)
    /// Its parts are sent.
    case sending(VersionKey, file: ResourceID)
    /// It is said to be complete.
    case completing(VersionKey, file: ResourceID)

    var version: VersionKey? {
      switch self {
      case .making: nil
      case .reserving(let version), .sending(let version, _), .completing(let version, _): version
      }
    }

    var isCompleting: Bool {
      if case .completing = self { true } else { false }
    }
  }

  package init(of pack: PackID) { self.pack = pack }

  /// How many deliveries are remembered.
  private static let longestMemory = 50

  mutating func deliver(_ version: VersionKey, at now: Moment) {
    guard let archive = current?.archive else { return }
    current = nil
    delivered.append(Delivered(version: version, archive: archive, date: now))
    delivered.removeFirst(max(0, delivered.count - Self.longestMemory))
  }
}

/// The parts of a file that the storage received, each with the MD5 of the sent bytes.
package struct SentParts: Sendable, Equatable {
  package struct Part: Sendable, Equatable {
    package let range: Range<UInt64>
    /// In lower-case hexadecimal digits.
    package let md5: String
    /// The storage's `ETag` of the part, if it has the form of an MD5.
    package let tag: String?
  }

  private var byStart: [UInt64: Part] = [:]

  package init() {}

  /// The parts in the order of the file.
  package var parts: [Part] {
    byStart.values.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// The number of bytes in these parts.
  package var count: UInt64 { byStart.values.reduce(0) { $0 + UInt64($1.range.count) } }

  /// The MD5 of the bytes that were sent for exactly this range; nil if none were.
  package subscript(range: Range<UInt64>) -> String? {
    byStart[range.lowerBound].flatMap { $0.range == range ? $0.md5 : nil }
  }

  /// The parts whose bytes in the storage differ from the sent bytes.
  ///
  /// Tags are not always digests. They are compared only if at least one tag is the MD5 of its part.
  package var damaged: [Range<UInt64>] {
    guard byStart.values.contains(where: { $0.tag == $0.md5 }) else { return [] }
    return parts.filter { $0.tag != nil && $0.tag != $0.md5 }.map(\.range)
  }

  /// Adds a part; replaces a part with the same start.
  package mutating func insert(_ range: Range<UInt64>, md5: String, tag: String? = nil) {
    byStart[range.lowerBound] = Part(range: range, md5: md5, tag: tag)
  }

  package mutating func remove(_ range: Range<UInt64>) { byStart[range.lowerBound] = nil }

  /// Removes all but these parts; the service may divide the file differently in each run.
  mutating func keep(only ranges: [Range<UInt64>]) {
    let wanted = Set(ranges)
    byStart = byStart.filter { wanted.contains($0.value.range) }
  }
}

// MARK: - As JSON

extension UploadJournal {
  var members: [JSONValue.Member] {
    var members: [JSONValue.Member] = [
      .init("pack", .string(pack.text)),
      .init(
        "delivered",
        .array(
          delivered.map { one in
            .object(
              one.version.members + one.archive.members
                + [.init("date", .string(one.date.description))])
          })),
    ]
    if let current { members.append(.init("current", .object(current.members))) }
    return members
  }

  init?(_ node: JSONNode) {
    guard let pack = node["pack"]?.string, let list = node["delivered"], list.kind == .array
    else { return nil }
    self.init(of: PackID(pack))
    for one in list.elements {
      guard let version = VersionKey(one), let archive = Archive(one),
        let date = one["date"]?.string.flatMap({ Moment($0) })
      else { return nil }
      delivered.append(Delivered(version: version, archive: archive, date: date))
    }
    if let node = node["current"] {
      guard let attempt = Attempt(node) else { return nil }
      current = attempt
    }
  }
}

extension VersionKey {
  fileprivate var members: [JSONValue.Member] {
    [.init("versionID", .string(id.text))]
      + (number.map { [.init("version", .number("\($0)"))] } ?? [])
  }

  fileprivate init?(_ node: JSONNode) {
    guard let id = node["versionID"]?.string.flatMap({ ResourceID($0) }) else { return nil }
    self.init(id: id, number: node["version"]?.number.flatMap { Int($0) })
  }
}

extension UploadJournal.Archive {
  fileprivate var members: [JSONValue.Member] {
    [.init("sha256", .string(sha256)), .init("bytes", .number("\(size)"))]
  }

  fileprivate init?(_ node: JSONNode) {
    guard let sha256 = node["sha256"]?.string,
      let size = node["bytes"]?.number.flatMap({ UInt64($0) })
    else { return nil }
    self.init(sha256: sha256, size: size)
  }
}

extension UploadJournal.Attempt {
  fileprivate var members: [JSONValue.Member] {
    var members = archive.members + [.init("began", .string(began.description))]
    switch phase {
    case .making(let number):
      members += [.init("step", .string("making")), .init("above", .number("\(number)"))]
    case .reserving(let version):
      members += [.init("step", .string("reserving"))] + version.members
    case .sending(let version, let file):
      members += [.init("step", .string("sending"))] + version.members
      members.append(.init("fileID", .string(file.text)))
    case .completing(let version, let file):
      members += [.init("step", .string("completing"))] + version.members
      members.append(.init("fileID", .string(file.text)))
    }
    let ranges = sent.parts.map { part in
      JSONValue.array(
        [
          .number("\(part.range.lowerBound)"), .number("\(part.range.upperBound)"),
          .string(part.md5),
        ] + (part.tag.map { [.string($0)] } ?? []))
    }
    return members + [.init("sent", .array(ranges))]
  }

  fileprivate init?(_ node: JSONNode) {
    guard let archive = UploadJournal.Archive(node),
      let began = node["began"]?.string.flatMap({ Moment($0) })
    else { return nil }
    let version = VersionKey(node)
    let file = node["fileID"]?.string.flatMap { ResourceID($0) }
    let phase: UploadJournal.Phase
    switch (node["step"]?.string, version, file) {
    case ("making", _, _):
      guard let number = node["above"]?.number.flatMap({ Int($0) }) else { return nil }
      phase = .making(above: number)
    case ("reserving", let version?, _): phase = .reserving(version)
    case ("sending", let version?, let file?): phase = .sending(version, file: file)
    case ("completing", let version?, let file?): phase = .completing(version, file: file)
    default: return nil
    }
    self.init(archive: archive, began: began, phase: phase)
    for range in node["sent"].map({ Array($0.elements) }) ?? [] {
      let bounds = range.elements.compactMap { $0.number.flatMap { UInt64($0) } }
      guard bounds.count == 2, bounds[0] < bounds[1] else { return nil }
      // An older program recorded ranges without a digest; such a part is sent again.
      let digests = range.elements.compactMap(\.string)
      if let md5 = digests.first {
        sent.insert(bounds[0]..<bounds[1], md5: md5, tag: digests.dropFirst().first)
      }
    }
  }
}
