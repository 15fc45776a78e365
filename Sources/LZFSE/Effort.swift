/// How hard the encoder looks for a shorter form.
public enum Effort: Sendable, CaseIterable {
  /// For when the disk waits for the processor.
  case fast
  /// As small as the reference encoder, or smaller, in less time.
  case `default`
  /// As small as the format allows within reason; slow.
  case best
}
