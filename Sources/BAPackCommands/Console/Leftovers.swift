import SystemIO

/// Temporary files and folders that killed runs have left beside outputs.
enum Leftovers {
  /// Removes them from these folders and reports it; what a running program uses stays.
  static func remove(from folders: [String], _ console: Console) {
    for path in Set(folders).sorted() {
      // If a folder is missing or cannot be listed, the work itself will report it.
      guard let folder = try? FileDescriptor.open(path, for: .directory),
        let names = try? folder.removeLeftovers(), let first = names.first
      else { continue }
      let more = names.count > 1 ? " and \(names.count - 1) more" : ""
      console.summary(
        "Removed '\(folder.joined(first))'\(more), which a run that was killed had left.")
    }
  }

  /// Removes them from the folder of an output.
  static func remove(beside output: String, _ console: Console) {
    remove(from: [OutputPlace(output).folder], console)
  }
}

extension Console {
  /// Prints that this process waits because another process changes a file.
  func waiting(for path: String) {
    summary("Another 'ba-package' is at work on '\(path)'; waiting for it.")
  }
}
