import AppSide
import SourceDiagnostics
import SystemIO

/// The properties of any bytes that are read as a program or a profile.
package enum AppProperties {
  /// Returns the violated property of the reader of programs: it returns values that are inside the
  /// file, or explains the damage.
  package static func violation(inProgram bytes: [UInt8]) -> String? {
    do throws(Unreadable) {
      var size = 0
      let file = try MachOFile(bytes)
      for slice in file.slices {
        for name in ["__cstring", "__const", "__ustring"] {
          let sections = slice.contents("__TEXT", name)
          if sections.contains(where: { $0.count > bytes.count }) {
            return "sections are inside the file"
          }
        }
        if slice.libraries.contains(where: { $0.path.utf8.count > 1024 }) {
          return "paths of libraries are bounded"
        }
      }
      if file.slices.count > 32 { return "the number of parts is bounded" }
      let program = try Program(bytes) { size += $0.count }
      if size > 8 * bytes.count { return "texts are inside the file" }
      if program.signature == nil, program.entitlements != nil, !program.isForSimulator {
        return "entitlements are in a signature"
      }
    } catch {
      if error.reason.text.isEmpty || error.remedy.text.isEmpty { return "damage is explained" }
    }
    _ = try? ProvisioningProfile(bytes)
    return nil
  }
}
