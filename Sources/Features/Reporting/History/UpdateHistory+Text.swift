import BAPackKit
import SystemIO
import TerminalText

extension UpdateHistory {
  /// One paragraph about all updates; nil if there are none.
  package var summary: String? {
    guard let largest else { return nil }
    let bytes = largest.bytes
    let language = largest.language.map { " in \($0)" } ?? ""
    let platforms =
      largest.platforms.count == Platform.allCases.count
      ? "" : " on " + largest.platforms.map(\.rawValue).joined(separator: ", ")
    let ratio = bytes.ratio == nil ? "" : " (\(bytes.ratioText))"
    return "A device\(platforms)\(language) with all packs downloaded "
      + "\(Quantity.bytes(bytes.downloaded)) in \(Quantity.count(updates.count, "update")); "
      + "\(Quantity.bytes(bytes.changed)) of that had changed\(ratio). \(sizes.phrase)"
  }
}

extension UpdateHistory.Sizes {
  /// The origin of the sizes, in one sentence.
  var phrase: String {
    switch self {
    case .archives: "Sizes are those of archives."
    case .estimated: "Sizes are estimated from today's archives."
    case .kinds: "Sizes are estimated from the kinds of files, because no archives exist."
    }
  }
}

extension UpdateHistory.Bytes {
  /// The ratio as a text, such as `3.6 x`; a dash if nothing changed.
  package var ratioText: String {
    guard let ratio else { return "–" }
    guard ratio < 1_000_000 else { return "> 1,000,000 x" }
    let tenths = Int((ratio * 10).rounded())
    return "\(Quantity.grouped(tenths / 10)).\(tenths % 10) x"
  }
}

extension UpdateHistory.Update {
  /// The sum over all packs, which no device has if packs are for different devices.
  package var sum: UpdateHistory.Bytes {
    packs.reduce(into: UpdateHistory.Bytes()) { $0.add($1.bytes) }
  }
}
