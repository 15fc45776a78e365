package import BAPackKit
package import SourceDiagnostics
package import SystemIO

/// The journal of the uploads of one pack: the delivered archives, and the current upload.
///
/// It is written before each step, so that the next run can determine after an interruption which
/// step may have run. It contains no addresses and no tokens.
package struct UploadJournal: Sendable, Equatable {
  package var pack: PackID
  package var current: Attempt?
  /// The delivered archives, newest last.
  package var delivered: [Delivered] = []

  /// The identity of an archive or of a manifest.
  package struct Archive: Sendable, Hashable {
    package var sha256: String
    package var size: UInt64

    package init(sha256: String, size: UInt64) {
      self.sha256 = sha256
      self.size = size
    }
  }

  /// An archive that became a version.
  package struct Delivered: Sendable, Equatable {
    package var version: VersionKey
    package var archive: Archive
    package var date: Moment
  }

  /// The current upload.
  package struct Attempt: Sendable, Equatable {
    package var archive: Archive
    /// The manifest, if it is uploaded as a separate file before the archive.
    package var manifest: Archive?
    /// Whether the service validated the manifest.
    package internal(set) var isManifestChecked = false
    /// The time of the last request for a version or a file.
    package internal(set) var began: Moment
    package var phase: Phase
    /// The parts of the file that the storage received.
    package var received = ReceivedParts()

    /// The time at which the addresses of the parts expire, if the service does not report it:
    /// seven days after they were created.
    var usualEnd: Moment { began.adding(seconds: 7 * 86_400) }

    /// The file that is being uploaded.
    var kind: FileRecord.Kind { manifest == nil || isManifestChecked ? .asset : .manifest }
    /// The identity of that file.
    var content: Archive { isManifestChecked ? archive : manifest ?? archive }
  }

  /// The step that starts next, or that may be running.
  package enum Phase: Sendable, Equatable {
    /// A version is created; the highest number before was `above`.
    case making(above: Int)
    /// A file is reserved.
    case reserving(VersionKey)
    /// The parts of the file are sent.
    case sending(VersionKey, file: ResourceID)
    /// The file is reported as complete.
    case completing(VersionKey, file: ResourceID)
    /// The service validates the manifest.
    case validating(VersionKey, file: ResourceID)

    var version: VersionKey? {
      switch self {
      case .making: nil
      case .reserving(let version), .sending(let version, _), .completing(let version, _),
        .validating(let version, _):
        version
      }
    }

    var file: ResourceID? {
      switch self {
      case .making, .reserving: nil
      case .sending(_, let file), .completing(_, let file), .validating(_, let file): file
      }
    }

    var isCompleting: Bool {
      if case .completing = self { true } else { false }
    }
  }

  package init(of pack: PackID) { self.pack = pack }

  /// The maximum number of recorded deliveries.
  private static let mostDeliveries = 50

  mutating func deliver(_ version: VersionKey, at now: Moment) {
    guard let archive = current?.archive else { return }
    current = nil
    delivered.append(Delivered(version: version, archive: archive, date: now))
    delivered.removeFirst(max(0, delivered.count - Self.mostDeliveries))
  }
}

/// The parts of a file that the storage received, each with the MD5 of the sent bytes.
package struct ReceivedParts: Sendable, Equatable {
  package struct Part: Sendable, Equatable {
    package let range: Range<UInt64>
    /// In lower-case hexadecimal digits.
    package let md5: String
    /// The storage's `ETag` of the part, if it has the form of an MD5.
    package let tag: String?
    /// Whether this run sent the part; not in the file.
    var isNew = false
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

  /// Whether the tags are digests: at least one is the MD5 of its part.
  package var hasDigests: Bool { byStart.values.contains { $0.tag == $0.md5 } }

  /// The parts whose tag has the form of an MD5, and is not that of the sent bytes.
  package var damaged: [Range<UInt64>] {
    parts.filter { $0.tag != nil && $0.tag != $0.md5 }.map(\.range)
  }

  /// Adds a part; replaces a part with the same start.
  package mutating func insert(
    _ range: Range<UInt64>, md5: String, tag: String? = nil, isNew: Bool = false
  ) {
    byStart[range.lowerBound] = Part(range: range, md5: md5, tag: tag, isNew: isNew)
  }

  package mutating func remove(_ range: Range<UInt64>) { byStart[range.lowerBound] = nil }

  /// Whether this run sent one of the parts.
  var hasNew: Bool { byStart.values.contains(where: \.isNew) }

  /// Removes all parts that this run sent.
  mutating func removeNew() { byStart = byStart.filter { !$0.value.isNew } }

  /// Removes all but these parts; the service may divide the file differently in each run.
  mutating func keep(only ranges: [Range<UInt64>]) {
    let wanted = Set(ranges)
    byStart = byStart.filter { wanted.contains($0.value.range) }
  }
}

// MARK: - As JSON

extension UploadJournal: Described {
  package static let table = Table("a journal", blank: UploadJournal(of: "")) {
    Key("pack", \.pack, .packID, "The ID of the pack.")
    Key("delivered", \.delivered, .list(of: .object), "The delivered archives, newest last.")
    Key("current", \.current, .object, "The current upload.")
  }
}

extension UploadJournal.Delivered: Described {
  package static let table = Table(
    "a delivery", blank: Self(version: .blank, archive: .blank, date: Moment(seconds: 0))
  ) {
    Key(inlined: \.version)
    Key(inlined: \.archive)
    Key("date", \.date, .moment, "The time of the delivery.")
  }
}

extension VersionKey: Described {
  fileprivate static let blank = VersionKey(id: .blank, number: nil)
  package static let table = Table("a version", blank: blank) {
    Key("versionID", \.id, .resourceID, "The ID of the version in App Store Connect.")
    Key("version", \.number, .integer, "The number of the version, if it is known.")
  }
}

extension UploadJournal.Archive: Described {
  fileprivate static let blank = Self(sha256: "", size: 0)
  package static let table = Table("an archive", blank: blank) {
    Key("sha256", \.sha256, .text, "The SHA-256 digest of the archive.")
    Key("bytes", \.size, .bytes, "The size of the archive in bytes.")
  }
}

extension UploadJournal.Attempt: Described {
  package static let table = Table(
    "an upload", blank: Self(archive: .blank, began: Moment(seconds: 0), phase: .making(above: 0))
  ) {
    Key(inlined: \.archive)
    Key("manifest", \.manifest, .object, "The manifest, if it is uploaded before the archive.")
    Key(
      "manifestChecked", \.isManifestChecked, .flag, is: .optional,
      "Whether the service validated the manifest.")
    Key("began", \.began, .moment, "The time of the last request for a version or a file.")
    Key(cases: "step", \.phase, "The last step that was started.") {
      Case("making", UploadJournal.Phase.making, \.above, blank: 0) {
        Key("above", \.self, .integer, "The highest version number before the upload.")
      }
      Case("reserving", UploadJournal.Phase.reserving, \.reserving, blank: .blank) {
        VersionKey.table.keys
      }
      Case("sending", UploadJournal.Phase.sending, \.sending, blank: (.blank, .blank)) { sentFile }
      Case("completing", UploadJournal.Phase.completing, \.completing, blank: (.blank, .blank)) {
        sentFile
      }
      Case("validating", UploadJournal.Phase.validating, \.validating, blank: (.blank, .blank)) {
        sentFile
      }
    }
    Key(
      "sent", \.received, .parts, is: .optional, "The parts of the file that the storage received.")
  }

  private static let sentFile: [Key<(VersionKey, ResourceID)>] = [
    Key(inlined: \.0), Key("fileID", \.1, .resourceID, "The ID of the file."),
  ]
}

extension UploadJournal.Phase {
  fileprivate var above: Int? { if case .making(let number) = self { number } else { nil } }
  fileprivate var reserving: VersionKey? {
    if case .reserving(let version) = self { version } else { nil }
  }
  fileprivate var sending: (VersionKey, ResourceID)? {
    if case .sending(let version, let file) = self { (version, file) } else { nil }
  }
  fileprivate var completing: (VersionKey, ResourceID)? {
    if case .completing(let version, let file) = self { (version, file) } else { nil }
  }
  fileprivate var validating: (VersionKey, ResourceID)? {
    if case .validating(let version, let file) = self { (version, file) } else { nil }
  }
}

extension JSONForm<ResourceID> {
  package static var resourceID: JSONForm {
    .text(expecting: "an ID of App Store Connect", write: \.text) { ResourceID($0) }
  }
}

extension JSONForm<ReceivedParts> {
  /// An array for each part: its first byte, the byte after its end, its MD5, its `ETag`.
  fileprivate static var parts: JSONForm {
    .mapped(
      .list(of: .part), write: { $0.parts },
      read: { parts in
        var received = ReceivedParts()
        // An older program recorded ranges without a digest; such a part is sent again.
        for part in parts where !part.md5.isEmpty {
          received.insert(part.range, md5: part.md5, tag: part.tag)
        }
        return received
      })
  }
}

extension JSONForm<ReceivedParts.Part> {
  fileprivate static var part: JSONForm {
    JSONForm(
      .array(of: .anything), expecting: "a range of bytes with a digest",
      write: { part in
        .array(
          [
            .integer(part.range.lowerBound), .integer(part.range.upperBound), .string(part.md5),
          ] + (part.tag.map { [.string($0)] } ?? []))
      },
      read: { node in
        let bounds = node.elements.compactMap { $0.number.flatMap { UInt64($0) } }
        guard bounds.count == 2, bounds[0] < bounds[1] else { return nil }
        let digests = node.elements.compactMap(\.string)
        return ReceivedParts.Part(
          range: bounds[0]..<bounds[1], md5: digests.first ?? "",
          tag: digests.dropFirst().first)
      })
  }
}
