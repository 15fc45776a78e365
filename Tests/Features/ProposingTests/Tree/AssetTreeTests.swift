import Proposing
import SystemIO
import Testing

struct AssetTreeTests {
  @Test func `the files of a folder and its subfolders are contiguous`() {
    var tree = AssetTree(root: "game")
    tree.addFile(named: "a.png".utf8, size: 1, in: AssetTree.rootFolder)
    let levels = tree.beginFolder(named: "levels".utf8, in: AssetTree.rootFolder)
    tree.addFile(named: "index.json".utf8, size: 2, in: levels)
    let first = tree.beginFolder(named: "01".utf8, in: levels)
    tree.addFile(named: "map.json".utf8, size: 4, in: first)
    tree.endFolder(first)
    let second = tree.beginFolder(named: "02".utf8, in: levels)
    tree.addFile(named: "map.json".utf8, size: 8, in: second)
    tree.endFolder(second)
    tree.endFolder(levels)
    let sounds = tree.beginFolder(named: "sounds".utf8, in: AssetTree.rootFolder)
    tree.endFolder(sounds)
    tree.endFolder(AssetTree.rootFolder)
    #expect(tree.subfolders(of: AssetTree.rootFolder) == [levels, sounds])
    #expect(tree.subfolders(of: levels) == [first, second])
    #expect(tree.allFiles(of: levels).map { tree.files[$0].size } == [2, 4, 8])
    #expect(tree.ownFiles(of: levels) == 1..<2)
    #expect(String(decoding: tree.path(ofFile: 3), as: UTF8.self) == "levels/02/map.json")
    #expect(tree.allFiles(of: sounds).isEmpty)
  }
}
