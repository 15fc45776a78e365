import SystemIO

/// What runs that were killed have left beside outputs.
enum Leftovers {
  /// Removes it from these folders and says so; what a running program works on stays.
  static func remove(from folders: [String], _ console: Console) {
    for path in Set(folders).sorted() {
      // A folder that is not there, or cannot be listed, is nobody's trouble but the work's.
      guard let folder = try? FileDescriptor.open(path, for: .directory),
        let names = try? folder.removeLeftovers(), let first = names.first
      else { continue }
      let more = names.count > 1 ? " and \(names.count - 1) more" : ""
      console.summary(
        "Removed '\(folder.joined(first))'\(more), which a run that was killed had left.")
    }
  }

  /// Removes it from the folder that an output is written to.
  static func remove(beside output: String, _ console: Console) {
    remove(from: [OutputPlace(output).folder], console)
  }
}
