import SystemIO

/// The version of the program: what `--version` prints.
package let version = "0.1.0"

/// The release date of that version.
let versionDate = "2026-11-20"

/// The facts for a report of an error: what `--version --verbose` prints.
var versionDetails: String {
  let facts = [
    ("commit", Build.commit), ("toolchain", Build.toolchain.map { "Swift \($0)" }),
    ("repository", Build.repository),
  ]
  let lines =
    ["ba-package \(version) (\(versionDate))"]
    + facts.map { name, value in "\(name): \(value ?? "unknown")" }
  return (lines + ["libraries:"] + Build.libraries().map { "  \($0)" }).joined(separator: "\n")
}
