import BAPackKit
import SourceDiagnostics
import SystemIO

/// The files of a report in the form that the page's script reads: in columns, with each folder
/// once.
///
/// Folders are numbered, packs first, so that a folder precedes its contents. `folderParent`
/// contains the number of each folder's parent, and `folder` the number of each file's folder.
/// Names are in readable form. A column of sizes is empty if any of them is unknown.
struct PageData {
  private var folderNames: [String] = []
  private var folderParents: [Int] = []
  private var names: [String] = []
  private var folders: [Int] = []
  private var sizes: [UInt64] = []
  private var stored: [UInt64] = []
  private var sharing: [Int] = []
  private var copies: [Int: Int] = [:]
  private var suffixes: Set<String> = []
  private let report: Report

  init(of report: Report) {
    self.report = report
    let packs = report.inventory.packs
    folderNames = packs.map { shownBytes(Array($0.id.text.utf8)) }
    folderParents = Array(repeating: -1, count: packs.count)
    var starts: [Int] = []
    for (number, pack) in packs.enumerated() {
      starts.append(names.count)
      if let contents = pack.contents { add(contents, to: number) }
    }
    // An archive with unknown files is one part of the treemap.
    if stored.count != names.count { stored = [] }
    for duplicate in report.duplicates {
      for place in duplicate.copies {
        copies[starts[place.pack] + place.file] = duplicate.copies.count - 1
      }
    }
  }

  /// The folders of the previous file's path, each with the end of its name in the path.
  private struct Step {
    var end: Int
    var number: Int
  }

  private mutating func add(_ contents: PackContents, to pack: Int) {
    var steps: [Step] = []
    var last: ArraySlice<UInt8> = []
    for file in 0..<contents.count {
      let path = contents[file].bytes
      let shared = zip(path, last).prefix { $0 == $1 }.count
      while let step = steps.last, step.end >= shared { steps.removeLast() }
      var start = path.startIndex + (steps.last.map { $0.end + 1 } ?? 0)
      while let end = path[start...].firstIndex(of: slash) {
        folderParents.append(steps.last?.number ?? pack)
        folderNames.append(shownBytes(path[start..<end]))
        steps.append(Step(end: end - path.startIndex, number: folderNames.count - 1))
        start = end + 1
      }
      names.append(shownBytes(path[start...]))
      folders.append(steps.last?.number ?? pack)
      sizes.append(contents.size(at: file))
      if let share = contents.share(at: file) { stored.append(share.stored) }
      if contents.isInSharedBlocks(at: file) { sharing.append(names.count - 1) }
      suffixes.insert(fileSuffix(of: contents[file]))
      last = path
    }
  }

  var json: [UInt8] { Self.table.bytes(of: self, .compact) }
}

extension PageData: Described {
  static let table = Table<Self>(written: "the data of a page") {
    Key(
      "title", written: { shownBytes(Array($0.report.inventory.name.utf8)) }, .text,
      "The name of the packs.")
    Key(
      "kinds", written: { _ in AssetKind.allCases.map(\.phrase) + ["Headers and manifests"] },
      .list(of: .text), "The kinds of files.")
    Key("suffixes", written: \.kindNumbers, .values(of: .count), "The kind of each known suffix.")
    Key("packs", written: \.report.inventory.packs, .list(of: .object(pack)), "The packs.")
    Key("folderName", written: \.folderNames, .list(of: .text), "The names of the folders.")
    Key(
      "folderParent", written: \.folderParents, .list(of: .integer),
      "The folder that contains each folder; -1 for a pack.")
    Key("name", written: \.names, .list(of: .text), "The names of the files.")
    Key("folder", written: \.folders, .list(of: .count), "The folder of each file.")
    Key("size", written: \.sizes, .list(of: .bytes), "The size of each file in bytes.")
    Key("stored", written: \.stored, .list(of: .bytes), "The bytes that each file takes.")
    Key("sharing", written: \.sharing, .list(of: .count), "The files in shared blocks.")
    Key(
      "copies",
      written: { $0.copies.sorted { $0.key < $1.key }.map { ("\($0.key)", $0.value) } },
      .values(of: .count), "The number of further copies of each file that has some.")
  }

  private static let pack = Table<InventoryPack>(written: "a pack") {
    Key(
      "download", written: \.downloadSize, .nullable(.bytes),
      "The size of the archive in bytes; null if it is not known.")
  }

  private var kindNumbers: [(key: String, value: Int)] {
    suffixes.sorted().compactMap { suffix in
      AssetKind.formats[suffix].flatMap { AssetKind.allCases.firstIndex(of: $0.kind) }
        .map { (suffix, $0) }
    }
  }
}
