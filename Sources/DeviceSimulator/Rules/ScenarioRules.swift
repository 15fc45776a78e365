package import BAPackKit
package import SourceDiagnostics

/// What can be wrong with a scenario, and what one can show to be wrong with packs.
package enum ScenarioRules {
  package static let all: [Rule] = [
    expectation, empty, unknownStep, step, installation, noEffect, release, unknownPack, absent,
  ]

  /// What was expected of a device did not happen.
  package static let expectation = Rule(
    "scenario.expectation",
    what: "A device does something else than the scenario expects.",
    why: """
      The packs, or the scenario, are not as somebody thinks. What happened instead stands in the \
      finding; the whole timeline shows how it came to that.
      """,
    example: .init(
      wrong: "install\nexpect downloaded level-cave", right: "install\nexpect downloaded tutorial"))

  package static func expectation(
    _ wanted: Finding.Message, _ instead: Finding.Message, at span: SourceSpan?,
    notes: [Finding.Message] = []
  ) -> Finding {
    expectation.finding(wanted + ", but " + instead, at: span, notes: notes)
  }

  /// Whether a finding is about an expectation.
  package static func isExpectation(_ finding: Finding) -> Bool { finding.id == expectation.id }

  /// A scenario without steps and expectations.
  package static let empty = Rule(
    "scenario.empty",
    what: "A scenario has no steps and no expectations.",
    why: "A scenario that does nothing would succeed and show nothing.",
    example: .init(wrong: "# install", right: "install"))

  package static func empty(at span: SourceSpan?) -> Finding {
    empty.finding("the scenario has no steps and no expectations", at: span)
  }

  /// A line that begins with a word that is no step.
  package static let unknownStep = Rule(
    "scenario.unknown-step", fixGrade: .shownOnly,
    what: "A line of a scenario begins with a word that is no step.",
    why: "A step that nobody plays would let a scenario succeed that shows nothing.",
    example: .init(wrong: "instal", right: "install"))

  package static func unknownStep(
    _ word: String, of known: [String], at span: SourceSpan
  ) -> Finding {
    let near = Spelling.nearest(to: word, among: known)
    return unknownStep.finding(
      "there is no step '\(word)'", at: span,
      notes: near == nil ? ["there are \(Finding.list(known))"] : [],
      fixes: near.map { [Fix("write '\($0)'", .shownOnly)] } ?? [])
  }

  /// A step that is not written as it should be, or stands where it cannot be played.
  package static let step = Rule(
    "scenario.step",
    what: "A step of a scenario is not written as it should be.",
    why: """
      Each step has its own form: IDs of packs, a path, sizes like 200M, times like '8 days'. What \
      cannot be read is not played.
      """,
    example: .init(
      wrong: "install\nwait eight days", right: "install\nwait 8 days"))

  package static func step(
    _ what: Finding.Message, form: String?, at span: SourceSpan
  ) -> Finding {
    step.finding(what, at: span, notes: form.map { [.init(whole: "it is written '\($0)'")] } ?? [])
  }

  /// A word of a step that is none of those that may stand there.
  package static func step(
    _ what: Finding.Message, _ word: String, of known: [String], form: String, at span: SourceSpan
  ) -> Finding {
    let near = Spelling.nearest(to: word, among: known)
    return step.finding(
      what, at: span,
      notes: near == nil
        ? ["there are \(Finding.list(known))", .init(whole: "it is written '\(form)'")] : [],
      fixes: near.map { [Fix("write '\($0)'", .shownOnly)] } ?? [])
  }

  /// A failed installation or update of the app.
  package static let installation = Rule(
    "scenario.installation",
    what: "The app cannot be installed or updated, and the scenario does not expect that.",
    why: """
      An app that is not installed downloads and reads nothing, so later expectations could \
      succeed for the wrong reason. If the failure is intended, write \
      'expect app not installed' or 'expect app not updated' before the next installation or update.
      """,
    example: .init(
      wrong: "offline\ninstall", right: "offline\ninstall\nexpect app not installed"))

  package static func installation(_ reason: Finding.Message, at span: SourceSpan) -> Finding {
    installation.finding(reason, at: span)
  }

  /// A step that nobody can do at that moment.
  package static let noEffect = Rule(
    "scenario.no-effect", .always(.warning),
    what: "A step of a scenario does nothing: nobody could do that then.",
    why: """
      An app that is not installed asks for nothing, and one that is there is not installed again. \
      What follows may hold only because nothing happened.
      """,
    example: .init(
      wrong: "request level-cave\ninstall", right: "install\nrequest level-cave"))

  package static func noEffect(_ reason: Finding.Message, at span: SourceSpan) -> Finding {
    noEffect.finding("nothing happens: " + reason, at: span)
  }

  /// A release that cannot be read.
  package static let release = Rule(
    "scenario.release",
    what: "What a scenario names as a release cannot be read.",
    why: """
      A release is a folder of packs, packs, a download manifest or an address. Paths start at the \
      folder in which the program is called.
      """,
    example: .init(wrong: "release build/0.9\ninstall", right: "install"))

  package static func release(
    _ reason: Finding.Message, remedies: [Finding.Message] = [], at span: SourceSpan?
  ) -> Finding {
    release.finding(reason, at: span, notes: remedies)
  }

  /// A pack that no release of the scenario has.
  package static let unknownPack = Rule(
    "scenario.unknown-pack", .always(.warning),
    what: "A scenario names a pack that none of its releases has.",
    why: """
      A misspelt ID makes 'expect not downloaded' true and 'refuse' do nothing. A scenario that \
      asks for a pack that is not there on purpose may leave the warning.
      """,
    example: .init(
      wrong: "install\nexpect not downloaded tutorail",
      right: "install\nexpect not downloaded level-cave"))

  package static func unknownPack(
    _ id: PackID, of known: [PackID], at span: SourceSpan
  ) -> Finding {
    let near = Spelling.nearest(to: id.text, among: known.map(\.text))
    return unknownPack.finding(
      "no release has a pack '\(id.text)'", at: span,
      fixes: near.map { [Fix("write '\($0)'", .shownOnly)] } ?? [])
  }

  /// A fault pattern that matches no pack of any release.
  package static func unknownPack(fitting pattern: String, at span: SourceSpan) -> Finding {
    unknownPack.finding("no release has a pack that matches '\(pattern)'", at: span)
  }

  /// A pack or a file that a step does not get.
  package static let absent = Rule(
    "scenario.absent", .always(.warning),
    what: "A step needs a pack or a file that it does not get.",
    why: """
      The app would get an error: the pack was removed, is not offered or was not downloaded, or \
      no pack has the file. If the failure is intended, write 'expect failed ID' or \
      'expect missing PATH' directly after the step.
      """,
    example: .init(
      wrong: "install\nremove level-cave", right: "install\nrequest level-cave\nremove level-cave"))

  package static func absent(
    _ reason: Finding.Message, at span: SourceSpan, labels: [Finding.Label] = []
  ) -> Finding {
    absent.finding(reason, at: span, labels: labels)
  }
}
