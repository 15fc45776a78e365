/// The ID of a pack, made from a name that may be anything.
enum MadePackID {
  private static let longest = 64

  /// Letters, digits and single signs between them: what App Store Connect takes.
  static func from(_ name: String) -> String {
    var id = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "A"..."Z", "a"..."z", "0"..."9": id.unicodeScalars.append(scalar)
      default: if !id.isEmpty, !id.hasSuffix("-") { id += "-" }
      }
      if id.utf8.count == longest { break }
    }
    while id.hasSuffix("-") { id.removeLast() }
    return id.isEmpty ? "pack" : id
  }
}
