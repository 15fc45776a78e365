import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
  /// Marks a test that processes gigabytes or runs thousands of cases.
  ///
  /// It runs once, optimized, if `HEAVY_TESTS` is set. Other test runs and the sanitizers skip it.
  package static var heavy: Self { enabled(when: "HEAVY_TESTS", "heavy") }

  /// Marks a test that compares with peers, or uses many hostile inputs.
  ///
  /// It runs optimized, if `WORLD_TESTS` is set, as in `make check-world`.
  package static var world: Self { enabled(when: "WORLD_TESTS", "world") }

  /// Marks a test that the thread sanitizer affects.
  ///
  /// The sanitizer writes a temporary file, and crashes if files may not grow.
  package static var withoutThreadSanitizer: Self {
    .disabled(
      if: ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil, "thread sanitizer")
  }

  /// Marks a test that runs other programs: it is skipped if one of them is not installed.
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

extension Collection {
  /// Returns every `step`-th element; all of them if `HEAVY_TESTS` is set.
  ///
  /// A test of many random inputs runs all of them once, optimized. In other runs and with the
  /// sanitizers it takes a part of them.
  package func sampled(every step: Int) -> [Element] {
    let step = ProcessInfo.processInfo.environment["HEAVY_TESTS"] == nil ? step : 1
    return enumerated().filter { $0.offset % step == 0 }.map(\.element)
  }
}
