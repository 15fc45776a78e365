import BAPackKit
import SystemPackage

// The name alone is ambiguous; a declaration of this file has priority over both.
typealias FilePath = SystemPackage.FilePath

let folder: FilePath = "Packs"
let project = Project([BAPackKit.FilePath(folder.string)])
guard case .path(let path) = project.inputs[0], path.text == folder.string else {
  fatalError("the path differs")
}
print("\(type(of: folder)) and \(type(of: path)): \(path)")
