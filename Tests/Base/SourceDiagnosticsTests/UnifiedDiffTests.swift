import SourceDiagnostics
import Testing

/// Tests of differences in the form of `diff -u`.
@Suite struct UnifiedDiffTests {
  private func diff(_ old: String, _ new: String) -> String {
    String(
      decoding: UnifiedDiff.render(Array(old.utf8), Array(new.utf8), named: "x"), as: UTF8.self)
  }

  @Test func `inserted lines remove no line, although others are more similar`() {
    let old = "A\none\nmask\nfiles\n"
    #expect(
      diff(old, "B\ntwo\nmask\nfiles\n" + old)
        == "--- a/x\n+++ b/x\n@@ -1,3 +1,7 @@\n+B\n+two\n+mask\n+files\n A\n one\n mask\n")
    #expect(
      diff(old, "B\ntwo\nmask\nfiles\n")
        == "--- a/x\n+++ b/x\n@@ -1,4 +1,4 @@\n-A\n-one\n+B\n+two\n mask\n files\n")
  }
}
