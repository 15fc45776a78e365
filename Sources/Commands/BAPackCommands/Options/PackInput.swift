import Arguments
import BAPackKit
import SystemIO

/// The arguments and options of commands that read packs.
enum PackInput {
  static let path = Argument("pack", .file("aar"), "The asset pack, or its ID in the project.")
  /// Packs, or those of the project.
  static let projectPaths = ArgumentList(
    "pack", .file("aar"), elsewhere: ProjectOptions.hint, triedAs: ManifestOptions.inputGuesses,
    "Packs, folders, IDs or quoted patterns (default: the packs of the project).",
    details: """
      Folders are searched with their subfolders. A pattern is 'build/*.aar' for files or \
      'voices-*' for IDs in the project, for example.
      """)
  static let threads = Option(
    "threads", short: "j", .number(in: 1...1024), called: "count", in: .performance,
    "Decode with this many threads (default: all cores).")

  /// Returns the archives of the operands; without any, those of the project.
  ///
  /// Returns nil after errors of the project file, which have been reported.
  static func packs(
    _ operands: [String], _ input: ManifestOptions, _ console: Console, otherwise nothing: String
  ) throws(PackError) -> [String]? {
    guard let known = try PackOperands(input, console, otherwise: nothing) else { return nil }
    return try packs(operands, known, input, console, otherwise: nothing)
  }

  /// Returns the archives of the operands; without any, those of the project.
  static func packs(
    _ operands: [String], _ known: PackOperands, _ input: ManifestOptions, _ console: Console,
    otherwise nothing: String
  ) throws(PackError) -> [String]? {
    guard operands.isEmpty else {
      var packs: [String] = []
      for operand in operands { packs += try known.archives(operand) }
      return packs
    }
    guard let input = try input.opened(console, otherwise: nothing),
      let outputs = try ProjectOutputs(input, console, otherwise: nothing)
    else { return nil }
    try outputs.checkMade()
    return outputs.paths
  }

  /// Returns the archives of one operand: the file itself, those in a folder, or those that match a
  /// pattern.
  static func packs(at operand: String) throws(PackError) -> [String] {
    if let matching = MatchingFiles(operand) {
      guard !matching.paths.isEmpty else {
        throw PackError(.missing, "no file matches '\(operand)'")
      }
      return matching.paths
    }
    return isFolder(operand) ? try ArchiveSearch.packs(at: operand) : [operand]
  }

  static func isFolder(_ path: String) -> Bool {
    (try? FileStatus(ofFileAt: path))?.kind == .directory
  }
}
