import AppStoreMock
import Faults
import SourceDiagnostics

/// The properties of every body that a client may send, and of every text of a fault or of
/// switches.
package enum DocumentProperty {
  /// Returns the violated property; nil if there is none.
  package static func violation(inBody bytes: [UInt8]) -> String? {
    for table in RequestDocument.all {
      do throws(APIErrors) {
        let document = try table.check(bytes, id: table.isUpdate ? "one" : nil)
        for name in document.attributes.keys
        where !table.attributes.contains(where: { $0.name == name }) {
          return "'\(name)' was accepted and is in no table"
        }
        for attribute in table.attributes where attribute.isRequired {
          if document.attributes[attribute.name] == nil { return "'\(attribute.name)' is missing" }
        }
        for relationship in table.relationships where relationship.isRequired {
          if document.target(relationship.name) == nil {
            return "'\(relationship.name)' is missing"
          }
        }
      } catch {
        guard let first = error.all.first else { return "an error without a reason" }
        guard [400, 409, 422].contains(first.status) else {
          return "an error with the status \(first.status)"
        }
        for one in error.all where one.code.isEmpty || one.title.isEmpty || one.detail.isEmpty {
          return "an error without a text"
        }
        if case .pointer(let pointer) = first.source, !pointer.utf8.isEmpty,
          pointer.utf8.first != UInt8(ascii: "/")
        {
          return "'\(pointer)' is not a pointer"
        }
        // The error itself can be written and read.
        let value = JSONWriter.bytes(first.value { "id" }, .compact)
        let read = JSONDocument(parsing: SourceText(value, named: "errors"))
        if !read.findings.isEmpty { return "the error is not JSON" }
      }
    }
    return nil
  }

  /// Returns the violated property of the other texts that users write.
  package static func violation(inText bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    do throws(FaultMistake) {
      let fault = try ServiceFault(parsing: text)
      do throws(FaultMistake) {
        let again = try ServiceFault(parsing: fault.description)
        if again != fault { return "'\(fault)' is read as another fault" }
      } catch {
        return "'\(fault)' is not read: \(error.reason)"
      }
    } catch {
      if error.reason.isEmpty { return "an error without a reason" }
    }
    let document = MockSettings.read(SourceText(bytes, named: "switches"))
    if !document.findings.hasErrors {
      let written = MockSettings.table.bytes(of: document.switches)
      let again = MockSettings.read(SourceText(written, named: "switches"))
      if again.switches != document.switches {
        return "written switches are not read as the same switches"
      }
    }
    return nil
  }
}
