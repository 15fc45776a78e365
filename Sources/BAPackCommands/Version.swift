/// The version of the program: what `--version` prints.
package let version = "0.1.0"
