package import SourceDiagnostics
package import SystemIO

/// One of the parts into which the packs of a project are divided for several hosts, for example
/// `2/8`.
package struct Shard: Sendable, Equatable {
  /// The number of the part, from 1.
  package let number: Int
  /// The number of parts.
  package let count: Int

  /// The maximum number of parts.
  package static let most = 10_000

  /// Parses `2/8`; nil for other texts.
  package init?(written text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2,
      let number = SystemIO.number(ofDigits: parts[0]).map({ Int($0) }),
      let count = SystemIO.number(ofDigits: parts[1]).map({ Int($0) }),
      (1...Self.most).contains(count), (1...count).contains(number)
    else { return nil }
    self.number = number
    self.count = count
  }

  /// Returns the indices of the packs of this part, in their order.
  ///
  /// The result depends only on the IDs and the sizes, so it is the same on every host. The largest
  /// packs are assigned first, each to the part with the smallest size. A pack with an unknown size
  /// has the average size. If no size is known, packs are counted.
  package func indices(of packs: [PackID], sizes: PackSizes) -> [Int] {
    let known = packs.compactMap { sizes[$0] }
    let average = known.isEmpty ? 1 : max(1, known.reduce(0, Self.sum) / UInt64(known.count))
    let order = packs.indices.map { (index: $0, size: sizes[packs[$0]] ?? average) }.sorted {
      $0.size != $1.size
        ? $0.size > $1.size
        : packs[$0.index].text.utf8.lexicographicallyPrecedes(packs[$1.index].text.utf8)
    }
    var parts = Array(repeating: (size: UInt64(0), packs: [Int]()), count: count)
    for (index, size) in order {
      let least =
        parts.indices.min {
          (parts[$0].size, parts[$0].packs.count, $0) < (parts[$1].size, parts[$1].packs.count, $1)
        } ?? 0
      parts[least].size = Self.sum(parts[least].size, size)
      parts[least].packs.append(index)
    }
    return parts[number - 1].packs.sorted()
  }

  private static func sum(_ one: UInt64, _ other: UInt64) -> UInt64 {
    let (sum, isTooLarge) = one.addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}

/// The sizes of a project's packs when all of them were packed: a record to commit, which balances
/// shards.
package struct PackSizes: JSONStateDocument, Described {
  private var sizes: [String: UInt64] = [:]

  /// The name of the file, next to the project file.
  package static let fileName = "ba-package.sizes.json"

  package static let noun = "list of pack sizes"
  package static let loss = "packs are assigned to shards by their count"
  package static let largest = JSONLimits().size
  /// The file belongs to the project, and is committed with it.
  package static let rules = StateRules(.everyone, followsLinks: true, makesFolder: false)
  package static let format = 1
  package static let table = Table("a list of pack sizes", blank: PackSizes()) {
    Key("packs", \.sizes, .sizes, "The size of the files of each pack in bytes, by its ID.")
  }

  package init() {}

  /// Creates a record of new packs and of unchanged packs.
  package init(of plans: [PackPlan], and updateChecks: [UpdateCheck]) {
    for updateCheck in updateChecks where updateCheck.isUnchanged {
      self[PackID(updateCheck.assetPackID)] = updateCheck.record?.contentBytes
    }
    for plan in plans { self[PackID(plan.manifest.assetPackID)] = plan.selection.totalSize }
  }

  /// The size of the files of a pack in bytes; nil if it is unknown.
  package subscript(id: PackID) -> UInt64? {
    get { sizes[id.text] }
    set { sizes[id.text] = newValue }
  }

  /// Reads the record next to a project file; empty if there is none.
  package init(for place: ProjectPlace) throws(PackError) {
    let file = Self.file(for: place)
    self = try mapFailure(.reading) { () throws(Failure) in try file.read() } ?? PackSizes()
  }

  /// Writes the record next to a project file, and returns its path.
  package func write(for place: ProjectPlace, _ work: Work) throws(PackError) -> String {
    let file = Self.file(for: place)
    try mapFailure(.writing) { () throws(Failure) in try file.change(work) { $0 = self } }
    return file.path
  }

  private static func file(for place: ProjectPlace) -> StateFile<PackSizes> {
    StateFile(ProjectPlace.path(fileName, in: place.folder))
  }
}

extension JSONForm<[String: UInt64]> {
  /// An object with a number of bytes for each key, in the order of the keys.
  fileprivate static var sizes: JSONForm {
    JSONForm(
      .values(of: JSONForm<UInt64>.bytes.shape),
      write: { sizes in
        let sorted = sizes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return .object(sorted.map { .init($0.key, .integer($0.value)) })
      },
      reading: { node, findings in
        var sizes: [String: UInt64] = [:]
        for member in node.members {
          let id = member.key.string ?? ""
          guard let size = JSONForm<UInt64>.bytes.read(member.value, of: id, into: &findings) else {
            return nil
          }
          sizes[id] = size
        }
        return sizes
      })
  }
}
