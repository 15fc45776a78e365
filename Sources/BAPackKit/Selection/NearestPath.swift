import SourceDiagnostics
import SystemIO

/// Looks for the path that was probably meant by one that is not there.
enum NearestPath {
  /// How many names of a folder are compared.
  private static let mostNames = 20_000

  /// The path with its wrong components replaced by the nearest ones that exist; nil when one has
  /// no near name, or more than two are wrong.
  static func search<Tree: SourceTree>(
    for path: [Substring], in tree: Tree, wantsFolder: Bool
  ) -> String? {
    var path = path
    for attempt in 0...2 {
      let missing: Int
      do throws(LookupTrouble) {
        let found = try tree.lookUp(path.map { FileName($0) }, from: tree.root)
        guard attempt > 0 else { return nil }
        switch found {
        case .folder: return wantsFolder ? path.joined(separator: "/") : nil
        case .file: return wantsFolder ? nil : path.joined(separator: "/")
        }
      } catch {
        guard case .missing(let found) = error else { return nil }
        missing = found
      }
      let isLast = missing == path.count - 1
      let names = names(in: path[..<missing], of: tree, folders: wantsFolder || !isLast)
      let near = names.filter { abs($0.utf8.count - path[missing].utf8.count) <= 8 }
      let wrong = String(path[missing])
      // Of two letters, one is no misspelling of the other.
      guard let nearest = Spelling.nearest(to: wrong, among: near),
        wrong.count > 2 || nearest.lowercased() == wrong.lowercased()
      else { return nil }
      path[missing] = Substring(nearest)
    }
    return nil
  }

  /// The names of the files, or of the folders, in a folder; links may be either.
  private static func names<Tree: SourceTree>(
    in path: ArraySlice<Substring>, of tree: Tree, folders: Bool
  ) -> [String] {
    guard case .folder(let folder)? = try? tree.lookUp(path.map { FileName($0) }, from: tree.root),
      let listing = try? tree.list(folder)
    else { return [] }
    return listing.items.prefix(mostNames)
      .filter { ($0.kind == .directory) == folders || [.symbolicLink, .unknown].contains($0.kind) }
      .compactMap { String(validating: listing.name(of: $0), as: UTF8.self) }
  }
}
