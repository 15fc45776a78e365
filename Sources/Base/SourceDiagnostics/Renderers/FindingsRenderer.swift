/// A renderer of findings in one format: for a user, a program or a service.
public protocol FindingsRenderer {
  /// Returns the text of all findings; each line, also the last, ends with a line feed.
  func render(_ ledger: Ledger) -> String
}
