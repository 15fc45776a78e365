#!/usr/bin/python3
"""Packs a folder with Make, Ninja and CMake with Ninja while files and folders with unusual names
are added, changed and removed: each step builds the archive once, and a build without a change
builds no archive.

With Make, CMake uses no depfile: the target runs each time, with '--update'.

A name that a tool cannot read in a depfile is refused before anything is packed.

    Tests/World/depfile-names.py PROGRAM CMAKE_PREFIX
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time

program, prefix = sys.argv[1:3]
NAMES = [place.replace("C", sign) for sign in "[];|%=\\:()&'\"*?<>^#$`~!@,+{} -"
         for place in ("aC1b", "Cab", "abC")]
NAMES += ["a[1]b", "a1b", "a(b)", "(b)", "((b))", "a\\ b", "a\\\\ b", "a\\#b", "a\\:b", "a\\%b", "a\\[b", "a\\;b",
          "a\\$b", "a\\\\b", "a\\\\", "a::b", "a&:b", "a:=b", "a+=b", "a$(x)b", "$$", "a b c", "a;b;c", "~root", "~",
          "a: b", "a :b", "a= b", "include x", "a%b%c", "é"]
UNREADABLE = {
    "make": lambda name, isFolder: not isFolder and name.endswith(")") and "(" in name,
    "ninja": lambda name, isFolder: any(
        sign in "*;<>^|&'\"?`" and (index == 0 or name[index - 1] != "\\")
        for index, sign in enumerate(name)) or not isFolder and (
            name.endswith(":") or (len(name) - len(name.rstrip("\\"))) % 2 == 1),
    "cmake": lambda name, isFolder: any(sign in "*;<>^|&'\"?`#$\\[]:%()" for sign in name),
}


def run(*words, cwd):
    return subprocess.run(words, cwd=cwd, capture_output=True, text=True, errors="surrogateescape",
                          env=os.environ | {"LC_ALL": "C.UTF-8"})


class Project:
    """One archive of a folder, built by one tool."""

    def __init__(self, tool, top):
        self.tool = tool
        self.top, self.archive = top, f"{top}/out/Art.aar"
        os.makedirs(f"{top}/src")
        os.makedirs(f"{top}/out")
        self.write("src/plain", "1")
        self.write("m.json", '{"assetPackID": "Art", "downloadPolicy": {"onDemand": {}}, "platforms": [], '
                   '"sourceRoot": "src", "fileSelectors": [{"directory": "."}]}')
        pack = f"'{program}' pack m.json -q -f -o out/Art.aar --depfile Art.d --depfile-format {tool}"
        if tool == "make":
            self.write("Makefile", f"out/Art.aar: m.json\n\t{pack}\n-include Art.d\n")
            self.command = ["make"]
        elif tool == "ninja":
            self.write("build.ninja", f"rule pack\n  command = {pack}\n  depfile = Art.d\n  deps = gcc\n"
                       "build out/Art.aar: pack m.json\n")
            self.command = ["ninja"]
        else:
            self.write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.20)\nproject(Art LANGUAGES NONE)\n"
                       "find_package(BAPackage REQUIRED)\nba_add_asset_pack(NAME Art MANIFEST m.json "
                       "SOURCE_ROOT src OUTPUT ${CMAKE_CURRENT_SOURCE_DIR}/out/Art.aar ALL)\n")
            made = run("cmake", "-S", ".", "-B", "build", "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={prefix}", cwd=top)
            assert made.returncode == 0, made
            self.command = ["cmake", "--build", "build"]

    def write(self, path, text):
        with open(f"{self.top}/{path}", "w") as out:
            out.write(text)

    def build(self, step, isMade):
        """Builds, and compares the built archives with the expected ones."""
        before = os.stat(self.archive).st_ino if os.path.exists(self.archive) else None
        built = run(*self.command, cwd=self.top)
        assert built.returncode == 0, (self.tool, step, built)
        made = os.stat(self.archive).st_ino != before
        assert made == isMade, (self.tool, step, "made" if made else "not made", built)

    def refuse(self, step):
        before = os.stat(self.archive).st_ino
        built = run(*self.command, cwd=self.top)
        text = built.stdout + built.stderr
        assert built.returncode != 0 and "cannot contain the name" in text, (self.tool, step, built)
        assert os.stat(self.archive).st_ino == before, (self.tool, step)

    def tick(self):
        """Waits until a file gets a later time than the archive has: the clock of file systems
        is coarse."""
        while True:
            self.write("clock", "")
            if os.stat(f"{self.top}/clock").st_mtime_ns > os.stat(self.archive).st_mtime_ns:
                return
            time.sleep(0.001)

    def play(self, name, isFolder):
        path, step = f"src/{name}", (name, "folder" if isFolder else "file")
        file = f"{path}/inner" if isFolder else path
        self.tick()
        if isFolder:
            os.mkdir(f"{self.top}/{path}")
        self.write(file, "1")
        if UNREADABLE[self.tool](name, isFolder):
            self.refuse(step)
        else:
            self.build((step, "added"), True)
            self.build((step, "nothing"), False)
            self.tick()
            self.write(file, "2")
            self.build((step, "changed"), True)
        self.tick()
        os.remove(f"{self.top}/{file}")
        if isFolder:
            os.rmdir(f"{self.top}/{path}")
        self.build((step, "removed"), True)
        self.build((step, "nothing more"), False)


for tool in ("make", "ninja", "cmake"):
    with tempfile.TemporaryDirectory() as top:
        project = Project(tool, top)
        project.build("first", True)
        # In addition to the names that wildcards would match.
        for name in ("a1b", "axb"):
            project.write(f"src/{name}", "1")
        project.tick()
        project.build("neighbours", True)
        for name in NAMES:
            for isFolder in (False, True):
                if name not in ("a1b", "axb"):
                    project.play(name, isFolder)
        print(f"  {tool}: {len(NAMES)} names")
