#!/usr/bin/env python3
"""Writes the assets of Lantern, the example game: the same bytes on every run.

The assets are committed, so the examples run without this script. Run it after a change to the
script. It requires only Python 3 and writes into the folders Assets and Raw next to it. Raw is a copy
without manifests, for which `ba-package init` proposes packs.
"""
import json
import math
import random
import struct
import zlib
from pathlib import Path

FOLDERS = [Path(__file__).resolve().parent / name for name in ("Assets", "Raw")]


def write(path, data):
    for folder in FOLDERS:
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)


def png(path, width, height, pixel):
    """Writes an RGB picture; `pixel(x, y)` returns three numbers from 0 to 255."""
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            rows.extend(max(0, min(255, int(value))) for value in pixel(x, y))

    def chunk(kind, body):
        checksum = zlib.crc32(kind + body)
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", checksum)

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(rows), 9)) + chunk(b"IEND", b"")
    write(path, b"\x89PNG\r\n\x1a\n" + body)


def wav(path, seconds, wave, rate=8000):
    """Writes a mono sound; `wave(t)` returns a number from -1 to 1."""
    count = int(seconds * rate)
    samples = b"".join(
        struct.pack("<h", int(max(-1, min(1, wave(i / rate))) * 24000)) for i in range(count))
    header = b"RIFF" + struct.pack("<I", 36 + len(samples)) + b"WAVEfmt "
    header += struct.pack("<IHHIIHH", 16, 1, 1, rate, 2 * rate, 2, 16)
    write(path, header + b"data" + struct.pack("<I", len(samples)) + samples)


def glow(x, y, size, color):
    """Returns the light of a lantern, which fades towards the border."""
    distance = math.hypot(x - size / 2, y - size / 2) / (size / 2)
    light = max(0.0, 1 - distance) ** 1.5
    return [part * light for part in color]


def tiles(seed, color, size=96):
    """Returns the stones of a wall, each with another brightness."""
    dice = random.Random(seed)
    shade = [[0.6 + 0.4 * dice.random() for _ in range(size // 12 + 1)] for _ in range(size // 12 + 1)]
    grain = [[dice.random() * 10 for _ in range(size)] for _ in range(size)]

    def pixel(x, y):
        edge = 0.4 if x % 12 == 0 or y % 12 == 0 else 1.0
        return [part * shade[y // 12][x // 12] * edge + grain[y][x] for part in color]

    return pixel


def tone(notes, length):
    """Returns notes (in hertz) in sequence; each note fades."""
    def wave(t):
        index = min(int(t / length), len(notes) - 1)
        since = t - index * length
        return math.sin(2 * math.pi * notes[index] * t) * math.exp(-4 * since) * 0.8

    return wave


def level(name, seed, width, height):
    dice = random.Random(seed)
    rows = []
    for y in range(height):
        border = y in (0, height - 1)
        rows.append("".join(
            "#" if border or x in (0, width - 1) or dice.random() < 0.16 else "." for x in range(width)))
    lamps = [[dice.randrange(1, width - 1), dice.randrange(1, height - 1)] for _ in range(width // 6)]
    document = {"name": name, "size": [width, height], "start": [1, 1], "lamps": lamps, "map": rows}
    return (json.dumps(document, indent=1) + "\n").encode()


def main():
    png("Tutorial/sign.png", 64, 64, lambda x, y: glow(x, y, 64, (255, 214, 120)))
    write("Tutorial/steps.json", (json.dumps({"steps": [
        {"say": "tutorial/hello", "do": "walk", "to": [4, 1]},
        {"say": "tutorial/lamp", "do": "light", "at": [6, 2]},
        {"say": "tutorial/door", "do": "open", "at": [9, 1]}]}, indent=1) + "\n").encode())
    write("Levels/tutorial.json", level("The landing", 1, 24, 12))

    png("Textures/hero.png", 128, 128, lambda x, y: glow(x, y, 128, (250, 180, 90)))
    png("Textures/hero-draft.png", 32, 32, lambda x, y: glow(x, y, 32, (120, 120, 120)))
    for name, seed, color in [
            ("forest", 3, (70, 120, 60)), ("cave", 4, (100, 95, 110)), ("tower", 5, (150, 130, 100))]:
        png(f"Textures/Tiles/{name}.png", 96, 96, tiles(seed, color))

    wav("Sounds/step.wav", 0.3, tone([140, 110], 0.15))
    wav("Sounds/lamp.wav", 0.9, tone([523, 659, 784], 0.3))
    wav("Sounds/Music/island.wav", 6.0, tone([262, 330, 392, 330, 349, 294, 330, 262], 0.75))
    write("Sounds/Music/credits.txt", "Island: three notes and a fade, made for this example.\n".encode())

    write("Levels/Forest/map.json", level("The forest", 11, 64, 40))
    write("Levels/Forest/enemies.json", json.dumps(
        [{"kind": "moth", "at": [n * 3 + 2, n * 2 + 3]} for n in range(16)], indent=1).encode() + b"\n")
    png("Levels/Forest/backdrop.png", 160, 90, lambda x, y: (20 + y / 3, 60 + y + 12 * math.sin(x / 9), 40 + y / 2))
    write("Levels/Cave/map.json", level("The cave", 12, 80, 48))
    png("Levels/Cave/backdrop.png", 160, 90, lambda x, y: (30 + 10 * math.sin(x / 7), 28 + y / 4, 44 + y / 3))

    # Three lines in three languages: different sounds with equal names.
    for language, pitch in [("en", 220), ("es-US", 247), ("zh-Hant", 277)]:
        for number, line in enumerate(["hello", "lamp", "door"]):
            notes = [pitch * (1 + step * (number + 1) / 12) for step in range(5)]
            wav(f"Voices/{language}/{line}.wav", 1.2, tone(notes, 0.24))

    png("Seasons/winter/hero.png", 128, 128, lambda x, y: glow(x, y, 128, (170, 210, 255)))
    wav("Seasons/winter/bells.wav", 2.0, tone([784, 988, 1175, 1568], 0.5))


if __name__ == "__main__":
    main()
