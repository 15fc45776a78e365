import BAPackKit
import SystemIO
import TerminalText

/// The first of several levels: by its name, by a file with the order, or as the smallest one.
extension Grouping {
  /// Returns the first of the siblings, with the reason; nil if none is complete.
  func firstSibling(of folders: [Int], in parent: Int) -> (folder: Int, reason: String)? {
    let names = folders.map { lowerName(ofFolder: $0) }
    if let first = firstLevel(among: names, in: parent),
      let index = names.firstIndex(of: first.name)
    {
      return (folders[index], first.reason)
    }
    // A level without a kind of file that most levels have may be only a part of one.
    let kinds = folders.map { self.kinds(in: $0) }
    var counts: [String: Int] = [:]
    for kind in kinds.joined() { counts[kind, default: 0] += 1 }
    let usual = Set(counts.filter { $0.value * 2 > folders.count }.keys)
    let complete = folders.indices.filter { kinds[$0].isSuperset(of: usual) }
    let smallest = complete.min {
      (undecidedEstimate(in: folders[$0]), $0) < (undecidedEstimate(in: folders[$1]), $1)
    }
    return smallest.map { (folders[$0], "the smallest complete one") }
  }

  /// Returns the first of some names of levels, with the reason: a name such as `tutorial` or
  /// `world1`, or the order in a file.
  func firstLevel(among names: [String], in folder: Int) -> (name: String, reason: String)? {
    if let name = names.first(where: { SiblingNames.first.contains($0) || $0.hasPrefix("tutorial") }
    ) {
      return (name, "its name")
    }
    if let first = firstInOrderFile(of: names, in: folder) { return first }
    let numbered = names.compactMap { name -> (rank: Int, number: Int, name: String)? in
      let stem = name.prefix { !$0.isNumber }
      let digits = name[stem.endIndex...].prefix { $0.isNumber }
      guard let number = Int(digits) else { return nil }
      let word = stem.filter(\.isLetter)
      // 'world1' is before 'bonus1'.
      return (word.isEmpty || SiblingNames.numbered.contains(word) ? 0 : 1, number, name)
    }
    guard let first = numbered.min(by: { ($0.rank, $0.number) < ($1.rank, $1.number) }),
      first.rank == 0 && first.number <= 1 || numbered.count == names.count
    else { return nil }
    return (first.name, "its number")
  }

  private static let kindsOfOrders = LanguageFrames.texts.union(["lst", "list", "def"])
  /// The maximum size of a file with the order of levels.
  private static let largestOrder: UInt64 = 64 << 10

  /// Returns the level that a file such as `levels.txt` names first, if it names most levels.
  private func firstInOrderFile(
    of names: [String], in folder: Int
  ) -> (name: String, reason: String)? {
    let own = lowerName(ofFolder: folder)
    for file in tree.ownFiles(of: folder) where tree.files[file].kind == .file {
      let name = tree.name(ofFile: file)
      let stem = lowered(fileStem(of: name))
      guard SiblingNames.orders.contains(stem) || stem == own,
        Self.kindsOfOrders.contains(lowered(fileExtension(of: name))),
        tree.files[file].size <= Self.largestOrder
      else { continue }
      let path = tree.root.appending(FilePath(tree.path(ofFile: file)))
      guard let descriptor = try? FileDescriptor.open(path.text, for: .reading),
        (try? descriptor.status().kind) == .file,
        let bytes = try? descriptor.readToEnd(atMost: Int(Self.largestOrder))
      else { continue }
      let words = bytes.map(\.lowercased).split { !$0.isLetterOrDigit && !"_-".utf8.contains($0) }
        .map { String(decoding: $0, as: UTF8.self) }
      let known = Set(names)
      let found = words.filter(known.contains)
      if let first = found.first, Set(found).count * 2 > names.count {
        return (first, "the order in '\(FilePath(tree.path(ofFile: file)).shown)'")
      }
    }
    return nil
  }
}
