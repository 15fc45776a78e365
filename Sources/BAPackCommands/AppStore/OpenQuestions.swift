import AppStoreMock

/// What nobody outside Apple knows of App Store Connect, and what this program does there.
///
/// The manual page lists them all; where the mock has a switch for one, it is named, so that
/// whoever learns an answer can set it.
struct OpenQuestion: Sendable {
  /// What is not known.
  let question: String
  /// What is done because of that.
  let conduct: String
  /// The switches of the mock that stand for possible answers.
  var switches: [any PartialKeyPath<Switches> & Sendable] = []

  /// The question as a paragraph.
  var paragraph: String {
    let names = Switches.names(of: switches)
    let mock =
      names.isEmpty ? "" : " Switches of the mock: \(names.joined(separator: ", "))."
    return "\(question) \(conduct)\(mock)"
  }

  static let all: [OpenQuestion] = [
    OpenQuestion(
      question: """
        Whether the MD5 of the whole file is accepted for packs, as it is for builds of apps, and \
        over what the service computes its own checksum of all parts.
        """,
      conduct: """
        No checksum is sent unless '--checksum md5' asks for it; when it is refused, the upload is \
        completed without it.
        """, switches: [\.md5]),
    OpenQuestion(
      question: """
        How large the parts of a large pack are (5 MiB were seen with a build of 29 MB), and how \
        large a single pack may be.
        """,
      conduct: """
        Parts are sent as the service cuts them, whatever their sizes are; a pack that is too \
        large is refused in the service's own words.
        """, switches: [\.partSize, \.partSizes, \.operationOrder]),
    OpenQuestion(
      question: "What the 'entityTag' of a part and the 'assetToken' of a file mean to a client.",
      conduct: "Both are passed over."),
    OpenQuestion(
      question: """
        Where the mistakes of a manifest appear that was sent ahead, at its file or at its \
        version, and whether such a version can still be used.
        """,
      conduct: """
        With '--manifest-check' both places are looked at, and nothing more is sent for that \
        version when there is a mistake.
        """),
    OpenQuestion(
      question: "Whether a version takes a second archive.",
      conduct: "It is never tried: another archive gets another version."),
    OpenQuestion(
      question: """
        The exact codes when the ID of a pack is taken, when a pack is archived, when bytes are \
        missing, and when the ID in the manifest is not the one of the record.
        """,
      conduct: """
        Only the status and the beginning or the end of a code are relied on; the service's text \
        is shown as it came. An archive with another ID than its record is never sent.
        """),
    OpenQuestion(
      question: """
        How the findings of processing are numbered and worded: as a bare number such as 91139, or \
        as ITMS-91139.
        """,
      conduct: "Both are understood, and shown as they came."),
    OpenQuestion(
      question: """
        When a version gets its places on the way to external testers and to the App Store, and \
        what it says of its platforms before it is processed.
        """,
      conduct: "All of that may be missing or empty.", switches: [\.releases, \.platformsBefore]),
    OpenQuestion(
      question: """
        How TestFlight review for external testers is begun from outside: Apple's guide names a \
        call that the public interface does not have.
        """,
      conduct: "It is a step in App Store Connect: 'Set Up External Testing', or 'Replace'."),
    OpenQuestion(
      question: "How Apple's iTMSTransporter uploads a pack on Linux.",
      conduct: "It is not used."),
    OpenQuestion(
      question: """
        What changed for packs behind version 4.4.1 of the interface, on which all of this is based.
        """,
      conduct: "Members and states that are new are passed over, and a new state is waited out.",
      switches: [\.unknownMembers, \.unknownStates]),
    OpenQuestion(
      question: """
        Whether the signature of a webhook begins with 'hmacsha256=' or is the digits alone.
        """,
      conduct: "Webhooks are not used: the state of a version is asked for."),
    OpenQuestion(
      question: "Whether looking at a file renews the addresses of its parts when they have ended.",
      conduct: """
        They are read anew each time that an upload goes on. Only when what was read says that the \
        time is up, a new version is made; parts that are refused before that end the run.
        """, switches: [\.uploadAddresses]),
    OpenQuestion(
      question: """
        How long the ID of a pack may be, whether it may have two '-' in a row, and whether IDs \
        that differ in case are the same.
        """,
      conduct: """
        The service decides about the first two; packs whose IDs differ in case alone are not \
        uploaded together.
        """),
  ]
}
