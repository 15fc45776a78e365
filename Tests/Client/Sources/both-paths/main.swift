import BAPackKit
// This declaration has priority over the one that BAPackKit exports.
import struct SystemPackage.FilePath

let folder: FilePath = "Packs"
let project = Project([BAPackKit.FilePath(folder.string)])
guard case .path(let path) = project.inputs[0], path.text == folder.string else {
  fatalError("the path differs")
}
print("\(type(of: folder)) and \(type(of: path)): \(path)")
