import AssetArchive
package import SourceDiagnostics
package import SystemIO

/// A list of source files with their modes and their paths in a virtual source root.
///
/// A line is a mode (644 or 755), a source and a destination, separated by tabs; or each of these
/// fields ends in NUL. A source is relative to the current folder. The list uses its own bytes and
/// 20 bytes of memory for each file.
package struct FileList: Sendable {
  /// The path of the list, for messages.
  package let name: String
  /// The findings about the text of the list.
  package private(set) var findings = Ledger()

  /// The name of a list from standard input.
  package static let standardInput = "<stdin>"

  /// The limits of a list.
  struct Bounds: Sendable {
    /// The maximum size of the list in bytes.
    var bytes = FileList.largest
    /// The maximum number of files, as many as a pack can have; lines with mistakes count.
    var files = 4_000_000
  }

  /// The maximum size of a list in bytes.
  package static let largest = 256 << 20

  /// A file of the list, by the positions of its fields.
  struct Entry: Sendable {
    private let start: UInt32
    private let end: UInt32
    private let destinationStart: UInt32
    private let sourceCount: UInt16
    private let destinationCount: UInt16
    let isExecutable: Bool

    fileprivate init(
      _ mode: Range<Int>, _ source: Range<Int>, _ destination: Range<Int>, _ isExecutable: Bool
    ) {
      start = UInt32(mode.lowerBound)
      end = UInt32(destination.upperBound)
      destinationStart = UInt32(destination.lowerBound)
      sourceCount = UInt16(source.count)
      destinationCount = UInt16(destination.count)
      self.isExecutable = isExecutable
    }

    var destination: Range<Int> {
      Int(destinationStart)..<Int(destinationStart) + Int(destinationCount)
    }

    /// The source, which ends one separator before the destination.
    var source: Range<Int> {
      Int(destinationStart) - 1 - Int(sourceCount)..<Int(destinationStart) - 1
    }

    var line: SourceSpan { SourceSpan(Int(start), Int(end)) }
  }

  /// The files in the order of an archive.
  private(set) var entries: [Entry] = []
  let bytes: [UInt8]
  /// Whether each field ends in NUL.
  private let endsFieldsInNUL: Bool

  /// Parses a list; mistakes are in its findings.
  package init(_ bytes: [UInt8], named name: String, endingFieldsInNUL: Bool = false) {
    self.init(bytes, named: name, endingFieldsInNUL: endingFieldsInNUL, within: Bounds())
  }

  init(_ bytes: [UInt8], named name: String, endingFieldsInNUL: Bool, within bounds: Bounds) {
    self.bytes = bytes
    self.name = name
    endsFieldsInNUL = endingFieldsInNUL
    guard bytes.count <= bounds.bytes else {
      findings = Ledger(about: SourceText([], named: name))
      findings.add(FileListRules.tooLarge("\(bounds.bytes) bytes", at: nil))
      return
    }
    parse(bounds)
    sort()
  }

  /// Reads a list from a file, a pipe or a device.
  package init(
    reading path: String, endingFieldsInNUL: Bool, _ work: Work
  ) throws(PackError) {
    let bytes = try mapFailure(.reading) { () throws(Failure) in
      try FileDescriptor.open(path, for: .waiting(work)).readToEnd(atMost: Self.largest + 1)
    }
    self.init(bytes, named: path, endingFieldsInNUL: endingFieldsInNUL)
  }

  /// The list as a text in which a file has one line: separators are tabs and line ends.
  var text: SourceText {
    guard endsFieldsInNUL else { return SourceText(bytes, named: name) }
    var text = bytes
    var field = 0
    for index in text.indices {
      switch text[index] {
      case 0:
        text[index] = field % 3 == 2 ? newline : tab
        field += 1
      // A line end in a field would change the numbers of the lines.
      case newline, UInt8(ascii: "\r"): text[index] = UInt8(ascii: "?")
      default: break
      }
    }
    return SourceText(text, named: name)
  }

  /// The path of a file's source.
  func source(of entry: Entry) -> FilePath { FilePath(bytes[entry.source]) }

  /// The paths that the list declares, in the order of an archive.
  package var destinations: [AssetPath] {
    entries.map { AssetPath(unchecked: bytes[$0.destination]) }
  }
}

private let tab = UInt8(ascii: "\t")
private let newline = UInt8(ascii: "\n")

// MARK: - Parsing

extension FileList {
  /// Adds a finding, which is made only if it is kept.
  private mutating func report(_ rule: Rule, _ finding: () -> Finding) {
    if findings.isEmpty { findings = Ledger(about: text) }
    findings.add(rule, finding)
  }

  private mutating func parse(_ bounds: Bounds) {
    let bytes = bytes
    let isNUL = endsFieldsInNUL
    let (between, after): (UInt8, UInt8) = isNUL ? (0, 0) : (tab, newline)
    var position = 0
    var count = 0
    while position < bytes.count {
      count += 1
      guard count <= bounds.files else {
        let place = SourceSpan(position, position)
        report(FileListRules.tooLarge) {
          FileListRules.tooLarge("\(bounds.files) files", at: place)
        }
        return
      }
      let mode = field(from: position, to: between, after)
      let source = field(from: mode.upperBound + 1, to: between, after)
      let destination = field(from: source.upperBound + 1, to: between, after)
      if ends(mode, in: between), ends(source, in: between),
        isNUL ? ends(destination, in: 0) : !ends(destination, in: tab)
      {
        add(mode, source, destination)
        position = destination.upperBound + 1
        continue
      }
      let end = isNUL ? bytes.count : field(from: position, to: after, after).upperBound
      let span = SourceSpan(position, end)
      report(FileListRules.fields) { FileListRules.fields(isEnd: isNUL, at: span) }
      position = end + 1
    }
  }

  /// Returns the bytes from a position up to a separator, or to the end.
  private func field(from start: Int, to first: UInt8, _ second: UInt8) -> Range<Int> {
    let start = min(start, bytes.count)
    var end = start
    while end < bytes.count, bytes[end] != first, bytes[end] != second { end += 1 }
    return start..<end
  }

  private func ends(_ field: Range<Int>, in separator: UInt8) -> Bool {
    field.upperBound < bytes.count && bytes[field.upperBound] == separator
  }

  private mutating func add(
    _ mode: Range<Int>, _ source: Range<Int>, _ destination: Range<Int>
  ) {
    let bytes = bytes
    let isExecutable = bytes[mode].elementsEqual("755".utf8)
    var isUsable = true
    if !isExecutable, !bytes[mode].elementsEqual("644".utf8) {
      report(FileListRules.mode) {
        FileListRules.mode(shownBytes(bytes[mode]), at: SourceSpan(mode))
      }
      isUsable = false
    }
    if source.isEmpty || source.count >= FileListRules.longestSource || bytes[source].contains(0) {
      report(FileListRules.source) {
        FileListRules.source(invalid: shownBytes(bytes[source]), at: SourceSpan(source))
      }
      isUsable = false
    }
    if let fault = PackPath.fault(inContents: bytes[destination]) {
      report(FileListRules.destination) {
        FileListRules.destination(
          shownBytes(bytes[destination]), fault, endsInCR: bytes[destination].last == 0x0D,
          at: SourceSpan(destination))
      }
      isUsable = false
    }
    if isUsable { entries.append(Entry(mode, source, destination, isExecutable)) }
  }

  /// Sorts the files, and reports destinations that exclude each other.
  private mutating func sort() {
    let bytes = bytes
    func order(_ left: Entry, _ right: Entry) -> Int {
      bytes.compareDepthFirst(left.destination, right.destination)
    }
    if !zip(entries, entries.dropFirst()).allSatisfy({ order($0, $1) < 0 }) {
      entries.sort {
        let order = order($0, $1)
        return order == 0 ? $0.line < $1.line : order < 0
      }
    }
    // The contents of a folder follow directly after a file of the same path.
    guard var last = entries.first else { return }
    for entry in entries.dropFirst() {
      let previous = last
      if order(last, entry) == 0 {
        report(FileListRules.duplicate) {
          FileListRules.duplicate(
            shownBytes(bytes[previous.destination]), at: SourceSpan(entry.destination),
            other: SourceSpan(previous.destination))
        }
      } else if entry.destination.count > last.destination.count,
        bytes[entry.destination][entry.destination.lowerBound + last.destination.count] == slash,
        bytes[entry.destination].starts(with: bytes[last.destination])
      {
        report(FileListRules.fileAndFolder) {
          FileListRules.fileAndFolder(
            shownBytes(bytes[previous.destination]), at: SourceSpan(entry.destination),
            other: SourceSpan(previous.destination))
        }
      } else {
        last = entry
      }
    }
  }
}

extension SourceSpan {
  fileprivate init(_ field: Range<Int>) { self.init(field.lowerBound, field.upperBound) }
}
