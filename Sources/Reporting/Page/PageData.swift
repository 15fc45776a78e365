import BAPackKit
import SourceDiagnostics
import SystemIO

/// All files of a report as the script of its page reads them: in columns, with each folder once.
///
/// Folders are numbered, packs first, so that a folder comes before its contents. `folderParent` has
/// the number of the folder that contains each folder, `folder` the number of the folder of each
/// file. Names are as people see them. A column of sizes is empty if any of them is unknown.
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
    // An archive is one part of the picture where nobody knows its files.
    if stored.count != names.count { stored = [] }
    for duplicate in report.duplicates {
      for place in duplicate.copies {
        copies[starts[place.pack] + place.file] = duplicate.copies.count - 1
      }
    }
  }

  /// The folders on the way to the file before, each with where its name ends in the path.
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

  var json: [UInt8] {
    func numbers(_ values: some Sequence<some BinaryInteger>) -> JSONValue {
      .array(values.map { .integer($0) })
    }
    func texts(_ values: [String]) -> JSONValue { .array(values.map { .string($0) }) }
    let kinds = AssetKind.allCases
    let known = suffixes.sorted().compactMap { suffix in
      AssetKind.formats[suffix].flatMap { kinds.firstIndex(of: $0.kind) }
        .map { JSONValue.Member(suffix, .integer($0)) }
    }
    let archives = report.inventory.packs.map { pack in
      JSONValue.object([.init("download", pack.downloadSize.map { .integer($0) } ?? .null)])
    }
    let repeated = copies.sorted { $0.key < $1.key }.map {
      JSONValue.Member("\($0.key)", .integer($0.value))
    }
    let value = JSONValue.object([
      .init("title", .string(shownBytes(Array(report.inventory.name.utf8)))),
      .init("kinds", texts(kinds.map(\.words) + ["Headers and manifests"])),
      .init("suffixes", .object(known)), .init("packs", .array(archives)),
      .init("folderName", texts(folderNames)), .init("folderParent", numbers(folderParents)),
      .init("name", texts(names)), .init("folder", numbers(folders)),
      .init("size", numbers(sizes)), .init("stored", numbers(stored)),
      .init("sharing", numbers(sharing)),
      .init("copies", .object(repeated)),
    ])
    return JSONWriter.bytes(value, .compact)
  }
}
