import BAPackKit
import Foundation

do throws(PackError) {
  let project = Project(["Packs"], hosting: .apple)
  let checked = try await project.check()
  print(checked.report.text(), terminator: "")
  if checked.report.hasErrors { exit(1) }
  for summary in try await checked.pack(into: "build/packs", replacing: true) {
    print("\(summary.path): \(summary.archiveBytes) bytes")
  }
} catch {
  print("error: \(error.message)")
  exit(1)
}
