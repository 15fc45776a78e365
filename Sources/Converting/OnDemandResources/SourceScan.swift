import BAPackKit
import Glibc
import SourceDiagnostics
import SystemIO

/// A call in a source file that On-Demand Resources need.
struct SourceCall: Equatable {
  /// What is called.
  enum Kind: Equatable, CaseIterable {
    case request, begin, conditional, end, priority, bundle, catalog, lowSpace

    /// What it becomes, in the words of a table.
    var becomes: String {
      switch self {
      case .request: ""
      case .begin: "`ensureLocalAvailability(of:)`"
      case .conditional: "`assetPackIsAvailableLocally(withID:)`"
      case .end: "nothing, or `remove(assetPackWithID:)`"
      case .priority: "nothing"
      case .bundle: "`url(for:)` or `contents(at:)`, if the file is in a pack"
      case .catalog: "a file in a pack, if the item has tags"
      case .lowSpace: "an error of `ensureLocalAvailability`"
      }
    }

    /// The words that tell it.
    fileprivate var signs: [[UInt8]] { Self.signs[self] ?? [] }

    private static let signs = Dictionary(
      uniqueKeysWithValues: allCases.map { kind in (kind, kind.words.map { Array($0.utf8) }) })

    private var words: [String] {
      switch self {
      case .request:
        [
          "NSBundleResourceRequest(", "NSBundleResourceRequest.init(",
          "NSBundleResourceRequest alloc]", "NSBundleResourceRequest new]",
        ]
      case .begin: ["beginAccessingResources"]
      case .conditional: ["conditionallyBeginAccessingResources"]
      case .end: ["endAccessingResources"]
      case .priority: ["setPreservationPriority", ".loadingPriority"]
      case .bundle:
        [
          // The labels of Swift tell more than the names: a call often stands on several lines.
          "forResource:", "forResourcesWithExtension:", "forResourcesOfType:",
          "pathForResource:", "URLForResource:", "URLsForResourcesWithExtension:",
          "pathsForResourcesOfType:", "pathForResource(", "URLForResource(",
        ]
      case .catalog:
        ["NSDataAsset(", "NSDataAsset alloc]", "UIImage(named:", "NSImage(named:", "imageNamed:"]
      case .lowSpace: ["NSBundleResourceRequestLowDiskSpace"]
      }
    }
  }

  var path: String
  var line: Int
  var kind: Kind
  /// The line, without blanks around it.
  var text: String
  /// The tags that are written in the call.
  var tags: [String] = []
}

/// Looks through source files for such calls: by their words, outside comments and texts.
enum SourceScan {
  private static let extensions = [".swift", ".m", ".mm", ".h"]
  private static let largestFile = 8 << 20

  /// The calls in a file, or in all sources in a folder.
  static func calls(in path: FilePath) throws(PackError) -> [SourceCall] {
    let folder = try ResourceFolder(ofProjectIn: path, named: nil)
    switch folder.look(FilePath(".")) {
    case .folder(let files):
      var calls: [SourceCall] = []
      for file in files where extensions.contains(where: { file.hasSuffix($0) }) {
        guard let source = folder.text(file) else { continue }
        calls += Self.calls(in: source)
      }
      return calls
    case .tooLarge:
      throw PackError(
        .limit, "'\(path.text)' cannot be looked through for calls",
        remedy: "name the folders with sources")
    default:
      let bytes = try readText(path, atMost: largestFile)
      return Self.calls(in: SourceText(bytes, named: path.text))
    }
  }

  /// The calls in a text.
  static func calls(in source: SourceText) -> [SourceCall] {
    let code = Code(source.bytes)
    var calls: [SourceCall] = []
    for (number, line) in code.lines.enumerated() {
      for kind in SourceCall.Kind.allCases where line.calls(kind) {
        var call = SourceCall(
          path: FilePath(source.name).shown, line: number + 1, kind: kind,
          text: String(decoding: line.written, as: UTF8.self).trimmed)
        if kind == .request { call.tags = code.tags(from: number) }
        calls.append(call)
      }
    }
    return calls
  }

  /// A text by lines, with what is code in each.
  private struct Code {
    struct Line {
      /// The line as it is.
      var written: ArraySlice<UInt8>
      /// The same without comments and without what is between quotes.
      var code: [UInt8]
      /// What is between quotes.
      var texts: [String]

      /// Whether something of a kind is called in it.
      func calls(_ kind: SourceCall.Kind) -> Bool {
        kind.signs.contains { code.firstRange(of: $0) != nil }
      }
    }

    var lines: [Line] = []

    init(_ bytes: [UInt8]) {
      var isComment = false
      for written in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
        lines.append(Self.line(written, &isComment))
      }
    }

    private static func line(_ written: ArraySlice<UInt8>, _ isComment: inout Bool) -> Line {
      var line = Line(written: written, code: [], texts: [])
      var index = written.startIndex
      func follows(_ sign: String) -> Bool { written[index...].starts(with: sign.utf8) }
      while index < written.endIndex {
        if isComment {
          if follows("*/") {
            isComment = false
            index += 1
          }
          index += 1
        } else if follows("//") {
          return line
        } else if follows("/*") {
          isComment = true
          index += 2
        } else if written[index] == UInt8(ascii: "\"") {
          var end = index + 1
          while end < written.endIndex, written[end] != UInt8(ascii: "\"") {
            end += written[end] == UInt8(ascii: "\\") ? 2 : 1
          }
          end = min(end, written.endIndex)
          line.texts.append(String(decoding: written[(index + 1)..<end], as: UTF8.self))
          line.code += [UInt8(ascii: "\""), UInt8(ascii: "\"")]
          index = end + 1
        } else {
          line.code.append(written[index])
          index += 1
        }
      }
      return line
    }

    /// The texts from a call's line to the end of its statement.
    func tags(from number: Int) -> [String] {
      var depth = 0
      var tags: [String] = []
      for line in lines[number...].prefix(12) {
        tags += line.texts
        for byte in line.code {
          if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") { depth += 1 }
          if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") { depth -= 1 }
        }
        if depth <= 0 { break }
      }
      return tags
    }
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
