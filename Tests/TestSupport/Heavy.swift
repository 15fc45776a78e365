import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
  /// Marks a test that moves gigabytes or runs thousands of cases: it runs once, optimised, when
  /// `HEAVY_TESTS` is set, and the ordinary and the sanitizer passes skip it.
  package static var heavy: Self {
    .enabled(if: ProcessInfo.processInfo.environment["HEAVY_TESTS"] != nil, "heavy")
  }
}
