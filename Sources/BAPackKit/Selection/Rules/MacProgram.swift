import SourceDiagnostics

/// Packs that Apple hosts hold no programs for macOS.
enum MacProgram {
  static let rule = Rule(
    "files.mac-program", .byHost(unknown: nil, apple: .warning, selfHosted: nil),
    what: "A file is a program or library for macOS, in a pack that Apple hosts.",
    why: """
      Asset packs may hold code for processors and graphics processors of Apple's devices, but no \
      executables for macOS; App Store Connect refuses them after the upload.
      """,
    example: .init(
      wrong: #""fileSelectors": [{"directory": "Tools"}]"#,
      right: #""fileSelectors": [{"directory": "Tools"}, {"fileExclusion": "Tools/convert"}]"#,
      hosting: .apple))

  /// The smallest Mach-O header.
  static let least = 28
  /// Enough for the headers and the load commands that name the platform.
  static let look = 32 << 10

  static func report(_ entry: Selection.Entry, _ findings: inout SelectionFindings) {
    guard let selector = entry.selector else { return }
    findings.add(
      rule.finding(
        .warning, "'\(path: entry.destination)' is an executable for macOS",
        at: findings.source(of: selector),
        fixes: [findings.exclude(path: entry.source ?? entry.destination)]))
  }
}
