/// The version of the program: what `--version` prints.
package let version = "0.1.0"

/// The release date of that version.
let versionDate = "2026-11-20"
