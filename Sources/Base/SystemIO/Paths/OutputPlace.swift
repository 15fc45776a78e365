/// The destination of an output: a folder, and a name in it.
package struct OutputPlace {
  package var folder: String
  package var name: FileName

  package init(_ path: String) {
    let path = FilePath(path)
    folder = path.folder.text
    name = path.name
  }
}
