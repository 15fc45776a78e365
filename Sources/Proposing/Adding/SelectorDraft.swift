import BAPackKit
import SystemIO

/// Selectors of new files: whole folders where they contain no other files, or else single files.
///
/// They have the destinations of the proposed pack.
struct SelectorDraft {
  private let tree: AssetTree
  private let states: [NewFiles.State]
  private let members: Set<Int>
  private(set) var selectors: [FileSelector] = []

  /// The maximum number of exclusions in a folder that is selected as a whole.
  private static let mostExclusions = 8

  init(
    of files: [Int], in tree: AssetTree, _ states: [NewFiles.State], as proposed: [FileSelector]
  ) {
    self.tree = tree
    self.states = states
    members = Set(files)
    var covered: Set<Int> = []
    var filesOfPaths: [FilePath: Int] = [:]
    for file in files { filesOfPaths[FilePath(tree.path(ofFile: file))] = file }
    for selector in proposed {
      switch selector {
      case .directory(let path): cover(path, as: path, &covered)
      case .renamedDirectory(let source, let destination):
        cover(source, as: destination, &covered)
      case .renamedFile(let source, let destination):
        if let file = filesOfPaths[FilePath(source.utf8)] { add(file, as: destination, &covered) }
      case .file, .filePattern, .exclusion: continue
      }
    }
    for file in files where !covered.contains(file) {
      add(file, as: FilePath(tree.path(ofFile: file)).text, &covered)
    }
  }

  private mutating func add(_ file: Int, as destination: String, _ covered: inout Set<Int>) {
    guard covered.insert(file).inserted else { return }
    let path = FilePath(tree.path(ofFile: file)).text
    selectors.append(
      path == destination ? .file(path) : .renamedFile(source: path, destination: destination))
  }

  private mutating func cover(
    _ path: String, as destination: String, _ covered: inout Set<Int>
  ) {
    var folder = AssetTree.rootFolder
    for name in FilePath(path.utf8).components {
      let next = tree.subfolders(of: folder).first {
        tree.name(ofFolder: $0).elementsEqual(name.bytes)
      }
      guard let next else { return }
      folder = next
    }
    cover(folder, as: destination, &covered)
  }

  private mutating func cover(
    _ folder: Int, as destination: String, _ covered: inout Set<Int>
  ) {
    let all = tree.allFiles(of: folder)
    let others = all.filter { !members.contains($0) }
    guard others.count < all.count else { return }
    // An exclusion must not concern a file of another pack, or of this one.
    if others.count <= min(Self.mostExclusions, (all.count - others.count) / 2),
      others.allSatisfy({ states[$0] == .leftOut })
    {
      let path = folder == AssetTree.rootFolder ? "." : FilePath(tree.path(ofFolder: folder)).text
      selectors.append(
        path == destination
          ? .directory(path) : .renamedDirectory(source: path, destination: destination))
      for other in others { selectors.append(.exclusion(ofFile: tree.path(ofFile: other))) }
      covered.formUnion(all)
      return
    }
    func below(_ name: ArraySlice<UInt8>) -> String {
      let name = FilePath(name).text
      return destination == "." ? name : destination + "/" + name
    }
    for file in tree.ownFiles(of: folder) where members.contains(file) {
      add(file, as: below(tree.name(ofFile: file)), &covered)
    }
    for folder in tree.subfolders(of: folder) {
      cover(folder, as: below(tree.name(ofFolder: folder)), &covered)
    }
  }
}

extension FileSelector {
  /// Creates an exclusion of one file.
  fileprivate static func exclusion(ofFile path: [UInt8]) -> FileSelector {
    let names = FilePath(path).components.map(NamePattern.escaped)
    return .exclusion((names.count == 1 ? "./" : "") + FilePath(joining: names).text)
  }
}
