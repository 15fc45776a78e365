import SystemIO

/// Temporary files and folders of killed runs next to outputs.
enum Leftovers {
  /// Removes them from these folders, and reports this; those of running programs are kept.
  static func remove(from folders: [String], _ console: Console) {
    for path in Set(folders).sorted() {
      // If a folder is missing or cannot be listed, the work reports the error.
      guard let folder = try? FileDescriptor.open(path, for: .directory),
        let names = try? folder.removeLeftovers(), let first = names.first
      else { continue }
      let more = names.count > 1 ? " and \(names.count - 1) more" : ""
      console.summary(
        "Removed '\(folder.joined(first))'\(more), left over from an interrupted run.")
    }
  }

  /// Removes them from the folder of an output.
  static func remove(beside output: String, _ console: Console) {
    remove(from: [OutputPlace(output).folder], console)
  }
}

extension Console {
  /// Prints that this process waits for another process that changes the same file.
  func waiting(for path: String) {
    summary("Waiting for another 'ba-package' that is writing '\(path)'.")
  }
}
