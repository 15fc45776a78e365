import BAPackKit
import Glibc
import SourceDiagnostics
import SystemIO
import TestSupport
import Testing

@Suite struct LinkTests {
  @Test func `links within the root are followed, one after the other`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("real/deep/hero.png", "12345")
    try folder.makeLink("a/one", to: "../b/two")
    try folder.makeLink("b/two", to: "three")
    try folder.makeLink("b/three", to: "../real/./deep/hero.png")
    try folder.makeLink("tree", to: "real//deep/")
    let result = try resolve(
      #"{"file": "a/one"}, {"directory": "tree"}, {"filePattern": "tr*/*.png"}"#, in: folder)
    #expect(result.lines == [])
    #expect(result.paths == ["a/", "a/one", "tree/", "tree/hero.png"])
    #expect(result.selection[1].size == 5)
    #expect(result.selection[3].source == "tree/hero.png")
  }

  @Test(arguments: [
    ("/etc/hostname", "has the absolute target '/etc/hostname'"),
    ("../../outside", "leaves the source root: '../../outside'"),
    ("../up/../../root/x", "leaves the source root: '../up/../../root/x'"),
    ("nothing", "has a missing target: 'nothing'"),
    ("../x/below", "has a missing target: '../x/below'"),
    ("link", "is a loop"),
  ])
  func `an invalid link is an error with the exclusion as its fix`(target: String, reason: String)
    throws
  {
    let folder = try TemporaryFolder()
    try folder.makeFile("x", "12")
    try folder.makeFolder("up")
    try folder.makeLink("d/link", to: target)
    let result = try resolve(#"{"directory": "."}"#, in: folder)
    #expect(result.lines == ["error files.link: the link 'd/link' \(reason)"])
    #expect(result.findings.all[0].fixes.map(\.message) == [#"add {"fileExclusion":"d/link"}"#])
    let fixed = try resolve(#"{"directory": "."}, {"fileExclusion":"d/link"}"#, in: folder)
    #expect(fixed.lines == [])
    let named = try resolve(#"{"file": "d/link"}"#, in: folder)
    #expect(named.lines == ["error files.link: the link 'd/link' \(reason)"])
  }

  @Test func `a link that leaves the root is rejected even if it returns`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("root/x")
    try folder.makeLink("root/link", to: "../root/x")
    let result = try Selection.resolve(
      document(#"{"file": "link"}"#), in: SourceRoot(opening: folder.path("root"), .unstoppable),
      .unstoppable)
    #expect(
      result.lines == [
        "error files.link: the link 'link' leaves the source root: '../root/x'"
      ])
  }

  @Test func `a link to a parent folder is a loop`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("a/b/x")
    try folder.makeLink("a/b/again", to: "..")
    for text in [#"{"directory": "a"}"#, #"{"filePattern": "a/**/x"}"#] {
      let result = try resolve(text, in: folder)
      #expect(result.lines == ["error files.link: the link 'a/b/again' is a loop"])
    }
    // Two links to each other's folder.
    try folder.makeLink("c/to-d", to: "../d")
    try folder.makeLink("d/to-c", to: "../c")
    let crossed = try resolve(#"{"directory": "c"}"#, in: folder)
    #expect(crossed.lines == ["error files.link: the link 'c/to-d/to-c' is a loop"])
  }

  @Test func `forty links are followed, a longer chain is a loop`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("link0")
    for number in 1...41 { try folder.makeLink("link\(number)", to: "link\(number - 1)") }
    #expect(try resolve(#"{"file": "link40"}"#, in: folder).lines == [])
    #expect(
      try resolve(#"{"file": "link41"}"#, in: folder).lines
        == ["error files.link: the link 'link41' is a loop"])
  }

  @Test func `a pattern ignores links that cannot match it`() throws {
    let folder = try TemporaryFolder()
    try folder.makeFile("x.png")
    try folder.makeLink("nowhere.txt", to: "not there")
    try folder.makeLink("circle", to: "circle")
    let result = try resolve(#"{"filePattern": "**/*.png"}"#, in: folder)
    #expect(result.lines == [])
    #expect(result.paths == ["x.png"])
    #expect(
      try resolve(#"{"filePattern": "*.txt"}"#, in: folder).lines
        == ["error files.link: the link 'nowhere.txt' has a missing target: 'not there'"])
  }

  @Test func `a folder that becomes a link during the walk is never entered`() throws {
    let outside = try TemporaryFolder()
    try outside.makeFile("secret")
    let folder = try TemporaryFolder()
    try folder.makeFile("a/x")
    let (inside, target) = (folder.path("a"), outside.path)
    // Between listing the root, in which 'a' is a folder, and opening it.
    let swap = ForcedFailure(
      .open,
      .run {
        rename(inside, inside + "-moved")
        symlink(target, inside)
      }, times: 1, path: "/a")
    let error = ForcedFailures.inject(swap) {
      #expect(throws: PackError.self) { try resolve(#"{"directory": "."}"#, in: folder) }
    }
    #expect(error?.kind == .changed)
    #expect(try openDescriptors(below: outside.path) == [])
  }

  @Test func `a folder that is moved out during the walk does not affect the walk`() throws {
    let outside = try TemporaryFolder()
    try outside.makeFile("sub/secret")
    let folder = try TemporaryFolder()
    try folder.makeFile("a/b/x")
    try folder.makeLink("a/b/link", to: "../../other")
    try folder.makeFile("other", "fine")
    let (inside, target) = (folder.path("a"), outside.path("moved"))
    let move = ForcedFailure(.readLink, .run { rename(inside, target) }, times: 1)
    let result = try ForcedFailures.inject(move) {
      try resolve(#"{"directory": "a/b"}"#, in: folder)
    }
    // The walk returns to the original parent, not to the current target of '..'.
    #expect(result.lines == [])
    #expect(result.paths == ["a/", "a/b/", "a/b/link", "a/b/x"])
  }
}

/// The C functions with which tests change files during operations.
private func rename(_ from: String, _ to: String) { _ = unsafe Glibc.rename(from, to) }
private func symlink(_ target: String, _ path: String) { _ = unsafe Glibc.symlink(target, path) }
