import SystemIO
import Testing

/// Failures with a reason that another module defines.
struct FailureReasonTests {
  private struct Locked: FailureReason {
    var description: String
    var isAboutBytes: Bool { true }
  }

  private enum Refused: FailureReason {
    case today, always

    var description: String { "the other side refuses" }
  }

  @Test func `failures are equal if type, reason, operation and path are equal`() {
    let failure = Failure(Refused.today, "a", during: .upload)
    #expect(failure == Failure(Refused.today, "a", during: .upload))
    #expect(failure != Failure(Refused.always, "a", during: .upload))
    #expect(failure != Failure(Refused.today, "a", during: .download))
    #expect(failure != Failure(Refused.today, "b", during: .upload))
    #expect(failure != Failure(Locked(description: "\(Refused.today)"), "a", during: .upload))
  }

  @Test func `a reason is found by its type`() {
    let failure = Failure(Refused.today)
    #expect(failure.reason(as: Refused.self) == .today)
    #expect(failure.reason(as: Locked.self) == nil)
    #expect(Failure(.interrupted).reason(as: Refused.self) == nil)
  }

  @Test func `the message contains the operation and the path if there is an operation`() {
    #expect(
      Failure(Refused.today, "a", during: .upload).description
        == "cannot upload to 'a': the other side refuses")
    #expect(Failure(Locked(description: "it is locked"), "a").description == "it is locked")
  }

  @Test func `the reason specifies whether the bytes are wrong`() {
    #expect(Failure(Locked(description: "it is locked")).isAboutBytes)
    #expect(!Failure(Refused.always).isAboutBytes)
  }
}
