/// How hard the encoder looks for a shorter form.
public enum Effort: Sendable, CaseIterable {
  /// For when the disk waits for the processor: four times as fast as the reference encoder.
  case fast
  /// Smaller than the reference encoder's, in less than half of its time.
  case `default`
  /// As small as the format allows within reason: 13 % smaller than the reference encoder's on game
  /// data, at a fifteenth of its speed.
  case best
}
