import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
  /// Marks a test that moves gigabytes or runs thousands of cases: it runs once, optimised, when
  /// `HEAVY_TESTS` is set, and the ordinary and the sanitizer passes skip it.
  package static var heavy: Self { enabled(when: "HEAVY_TESTS", "heavy") }

  /// Marks a test that compares with real peers, or tries hostile inputs in large numbers: it runs
  /// optimised, when `WORLD_TESTS` is set, as `make check-world` does.
  package static var world: Self { enabled(when: "WORLD_TESTS", "world") }

  /// Marks a test that the thread sanitizer disturbs: it keeps a temporary file of its own, and
  /// dies where files may not grow.
  package static var withoutThreadSanitizer: Self {
    .disabled(
      if: ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil, "thread sanitizer")
  }

  /// Marks a test that runs other programs: it is skipped where one of them is not installed.
  ///
  /// `make check` installs all of them and sets `REQUIRE_PEERS`: there, a missing program fails the
  /// test.
  package static func needs(_ programs: String...) -> Self {
    let missing = programs.filter { Peer.path(of: $0) == nil }
    let isRequired = ProcessInfo.processInfo.environment["REQUIRE_PEERS"] != nil
    let names = missing.joined(separator: ", ")
    return .enabled(if: missing.isEmpty || isRequired, "not installed: \(names)")
  }

  private static func enabled(when variable: String, _ comment: Comment) -> Self {
    .enabled(if: ProcessInfo.processInfo.environment[variable] != nil, comment)
  }
}
