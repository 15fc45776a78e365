import Arguments
import BAPackKit
import SystemIO

/// How commands take the packs that they read.
enum PackInput {
  static let path = Argument("pack", .file("aar"), "The asset pack to read.")
  /// Packs that a project file may stand for.
  static let projectPaths = ArgumentList(
    "pack", .file("aar"), elsewhere: ProjectOptions.hint,
    """
    Packs, folders of packs, also in folders inside them, and quoted patterns such as \
    'build/*.aar'; without any, those that are made of the project file.
    """)
  static let threads = Option(
    "threads", .number(in: 1...1024), called: "count",
    "How many threads decode blocks; as many as there are processors without it.")

  /// The archives that the paths and patterns stand for; without any, those of the project.
  ///
  /// Nil after errors of the project file, which have been reported.
  static func packs(
    _ operands: [String], _ input: ManifestInput, _ console: Console, otherwise nothing: String
  ) throws(PackError) -> [String]? {
    guard operands.isEmpty else {
      var packs: [String] = []
      for operand in operands { packs += try Self.packs(at: operand) }
      return packs
    }
    guard let input = try input.opened(console, otherwise: nothing),
      let outputs = try ProjectOutputs(input, console, otherwise: nothing)
    else { return nil }
    try outputs.checkMade()
    return outputs.paths
  }

  /// The archives that one of them stands for: itself, those in a folder, or those that a pattern
  /// matches.
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
