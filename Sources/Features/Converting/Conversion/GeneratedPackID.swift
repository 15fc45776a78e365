/// Creates pack IDs from arbitrary names.
enum GeneratedPackID {
  private static let longest = 64

  /// Returns an ID of letters and digits with single hyphens between them, which App Store Connect
  /// accepts.
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
