import SourceDiagnostics
import SourceLanguages
import TerminalText

/// A call in a source file that concerns On-Demand Resources.
struct SourceCall: Equatable {
  enum Kind: Equatable, CaseIterable {
    case request, subclass, begin, conditional, end, priority, bundle, catalog, lowSpace

    /// The replacement, as a cell of a table.
    var becomes: String {
      switch self {
      case .request: ""
      case .subclass: "your own type that wraps the calls of `AssetPackManager`"
      case .begin: "`ensureLocalAvailability(of:)`"
      case .conditional: "`assetPackIsAvailableLocally(withID:)`"
      case .end: "none, or `remove(assetPackWithID:)`"
      case .priority: "nothing"
      case .bundle: "`url(for:)` or `contents(at:)`, if the file is in a pack"
      case .catalog: "a file in a pack, if the item has tags"
      case .lowSpace: "an error that `ensureLocalAvailability` throws"
      }
    }

    /// The tokens that begin such a call, separated by blanks; `"` represents a string literal.
    ///
    /// The labels in Swift identify more calls than type names: a call often spans several lines,
    /// and its receiver may be a variable.
    private var phrases: [String] {
      switch self {
      // The names of these types are known only after all sources are read.
      case .request, .subclass: []
      case .begin: ["beginAccessingResources", "beginAccessingResourcesWithCompletionHandler"]
      case .conditional:
        [
          "conditionallyBeginAccessingResources",
          "conditionallyBeginAccessingResourcesWithCompletionHandler",
        ]
      case .end: ["endAccessingResources"]
      case .priority: ["setPreservationPriority", ". loadingPriority", "setLoadingPriority"]
      case .bundle:
        [
          "forResource :", "forResourcesWithExtension :", "forResourcesOfType :",
          "pathForResource :", "URLForResource :", "URLsForResourcesWithExtension :",
          "pathsForResourcesOfType :", "pathForResource (", "URLForResource (", "fileNamed :",
          "nodeWithFileNamed :", "sceneWithFileNamed :", "playSoundFileNamed", "SCNScene ( named :",
          "sceneNamed :", "nibName :", "nibWithNibName :", "loadNibNamed", "UIStoryboard ( name :",
          "NSStoryboard ( name :", "storyboardWithName :",
        ]
      case .catalog:
        [
          "NSDataAsset (", "NSDataAsset alloc ]", "UIImage ( named :", "NSImage ( named :",
          "UIImage ( resource :", "NSImage ( resource :", "imageNamed :", "Image ( \"",
          "Image ( .", "Image ( decorative :", "SKTextureAtlas ( named :", "atlasNamed :",
        ]
      case .lowSpace:
        [
          "NSBundleResourceRequestLowDiskSpace", "NSBundleResourceRequestLowDiskSpaceNotification",
          "bundleOnDemandResourceOutOfSpace", "NSBundleOnDemandResourceOutOfSpaceError",
        ]
      }
    }

    /// All phrases, keyed by their first token.
    static let byFirstToken = Dictionary(
      grouping: allCases.flatMap { kind in
        kind.phrases.map { (kind: kind, tokens: $0.split(separator: " ").map(String.init)) }
      }, by: { $0.tokens[0] })
  }

  var path: String
  var line: Int
  var kind: Kind
  /// The line without surrounding blanks; for a long line, the part that begins with the call.
  var text: String
  /// The tags that the call contains as literals.
  var tags: [String] = []
}

/// The tokens of a source file: names, punctuation characters, and a quotation mark for each
/// literal.
struct SourceTokens {
  private(set) var texts: [String] = []
  /// The offset of each token.
  private(set) var places: [Int] = []
  private(set) var literals: [Int: [SourceCode.Literal]]

  init(of source: SourceText, in language: SourceLanguage) {
    let code = SourceCode(of: source.bytes, in: language)
    literals = Dictionary(grouping: code.literals, by: \.mark)
    var index = 0
    let bytes = code.code
    while index < bytes.count {
      let start = index
      while index < bytes.count, Self.isPartOfName(bytes[index]) { index += 1 }
      if index == start {
        index += 1
        guard bytes[start] > 0x20 else { continue }
      }
      texts.append(String(decoding: bytes[start..<index], as: UTF8.self))
      places.append(start)
    }
  }

  private static func isPartOfName(_ byte: UInt8) -> Bool {
    byte.isLetterOrDigit || byte == UInt8(ascii: "_") || byte >= 0x80
  }

  /// The token at an index; empty for an index out of range.
  subscript(_ index: Int) -> String { texts.indices.contains(index) ? texts[index] : "" }

  /// Whether these tokens begin at an index.
  func has(_ tokens: [String], at index: Int) -> Bool {
    tokens.count <= texts.count - index && texts[index..<index + tokens.count].elementsEqual(tokens)
  }
}
