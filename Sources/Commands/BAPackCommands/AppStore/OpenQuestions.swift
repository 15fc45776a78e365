import AppStoreMock

/// Undocumented behavior of App Store Connect, and the behavior of this program.
///
/// The manual page lists all of them, with the switches of the mock that change its behavior.
struct OpenQuestion: Sendable {
  /// The undocumented behavior.
  let question: String
  /// The behavior of this program.
  let conduct: String
  /// The switches of the mock for possible behaviors.
  var switches: [any PartialKeyPath<MockSettings> & Sendable] = []

  /// The question and the behavior as a paragraph.
  var paragraph: String {
    let names = MockSettings.names(of: switches)
    let mock =
      names.isEmpty ? "" : " Switches of the mock: \(names.joined(separator: ", "))."
    return "\(question) \(conduct)\(mock)"
  }

  static let all: [OpenQuestion] = [
    OpenQuestion(
      question: """
        Whether the service accepts the MD5 of the whole file for packs, as for builds of apps, \
        and the data from which it computes its own checksum of all parts.
        """,
      conduct: """
        No checksum is sent without '--checksum md5'. If the service refuses it, the upload is \
        completed without a checksum.
        """, switches: [\.md5]),
    OpenQuestion(
      question: """
        The sizes of the parts of a large pack (5 MiB were used for a build of 29 MB), and the \
        maximum size of a pack.
        """,
      conduct: """
        Parts of any sizes are sent as the service defines them. If a pack is too large, the \
        error of the service is printed.
        """, switches: [\.partSize, \.partSizes, \.operationOrder]),
    OpenQuestion(
      question: "The meaning of the 'entityTag' of a part and of the 'assetToken' of a file.",
      conduct: "Both are ignored."),
    OpenQuestion(
      question: """
        Whether errors in a manifest that was sent in advance are reported at its file or at its \
        version, and whether such a version remains usable.
        """,
      conduct: """
        '--manifest-check' reads both reports. After an error, no further data is sent for that \
        version.
        """),
    OpenQuestion(
      question: "Whether a version accepts a second archive.",
      conduct: "Each archive gets a separate version."),
    OpenQuestion(
      question: """
        The exact error codes for a pack ID that is in use, an archived pack, missing bytes, and a \
        manifest whose ID differs from the record.
        """,
      conduct: """
        Only the HTTP status and the beginning or the end of a code are evaluated; the text of the \
        service is printed unchanged. An archive whose ID differs from its record is not sent.
        """),
    OpenQuestion(
      question: """
        The form of the codes of processing findings: a number such as 91139, or ITMS-91139.
        """,
      conduct: "Both forms are accepted, and printed unchanged."),
    OpenQuestion(
      question: """
        The time at which a version gets its records for external testers and for the App Store, \
        and the platforms that it reports before processing.
        """,
      conduct: "All of these values may be missing or empty.",
      switches: [\.releases, \.platformsBefore]),
    OpenQuestion(
      question: """
        The request that starts TestFlight review for external testers: Apple's guide names a \
        request that the public interface does not have.
        """,
      conduct: """
        'app-store submit --external' tries the request of the private interface. If it is \
        refused, start the review in App Store Connect: 'Set Up External Testing', or 'Replace'.
        """, switches: [\.betaReviewSubmissions]),
    OpenQuestion(
      question: "The way in which Apple's iTMSTransporter uploads a pack on Linux.",
      conduct: "It is not used."),
    OpenQuestion(
      question: """
        Changes for packs after version 4.4.1 of the interface, which this program implements. Of \
        4.6 and 4.6.1 only the release notes were read.
        """,
      conduct: "New members are ignored. An unknown state is treated as not final.",
      switches: [\.unknownMembers, \.unknownStates]),
    OpenQuestion(
      question: """
        Whether the signature of a webhook begins with 'hmacsha256=' or has only the digits.
        """,
      conduct: "'app-store webhook' accepts both forms.", switches: [\.webhookSignature]),
    OpenQuestion(
      question: "Whether reading a file record renews the expired upload addresses of its parts.",
      conduct: """
        The addresses are read again whenever an upload resumes. A new version is created only if \
        they have expired; if a part is refused before that time, the run fails.
        """, switches: [\.uploadAddresses]),
    OpenQuestion(
      question: """
        The maximum length of a pack ID, whether it may contain two consecutive '-', and whether \
        IDs that differ only in case are equal.
        """,
      conduct: """
        The service checks the first two. Packs whose IDs differ only in case are not uploaded \
        together.
        """),
  ]
}
