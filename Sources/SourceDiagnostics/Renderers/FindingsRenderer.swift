/// A renderer of findings in one format: for a user, a program or a service.
public protocol FindingsRenderer {
  /// Returns the text of all findings, each line with its end.
  func render(_ ledger: Ledger) -> String
}
