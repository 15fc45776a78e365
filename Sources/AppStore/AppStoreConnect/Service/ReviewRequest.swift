package import BAPackKit

extension Review {
  /// The packs to submit, and the submission for them.
  package struct Request: Sendable {
    /// The packs; nil for all packs that are ready.
    package let packs: [PackID]?
    package let platform: String?
    /// The number of a version of the app.
    package let appVersion: String?
    /// The ID of an open submission, whose other items are kept.
    package let submission: String?

    package init(
      _ packs: [PackID]?, for platform: String? = nil, with appVersion: String? = nil,
      in submission: String? = nil
    ) {
      self.packs = packs
      self.platform = platform
      self.appVersion = appVersion
      self.submission = submission
    }
  }
}
