/// The compression effort: more effort takes more time and gives a smaller result.
public enum Effort: Sendable, CaseIterable {
  /// For disks that are faster than the encoder: four times as fast as the reference encoder.
  case fast
  /// Smaller than the reference encoder's output, in less than half of its time.
  case `default`
  /// 2 to 5 % larger than `best` on compressible game data, and three times as fast or faster.
  case better
  /// The smallest output that is reasonable: on game data 13 % smaller than the reference
  /// encoder's.
  case best
}
