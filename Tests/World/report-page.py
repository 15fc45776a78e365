"""Tests the page of a report in Chromium, and the other formats: report-page.py PROGRAM ROOT
WORK PICTURES"""
import csv
import io
import json
import os
import random
import resource
import shutil
import subprocess
import sys

from axe_playwright_python.sync_playwright import Axe
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator
from playwright.sync_api import expect, sync_playwright

program, root, work, pictures = sys.argv[1:]
os.makedirs(pictures, exist_ok=True)
failures = []
# The defaults of the browser's driver, such as five seconds, are too short for a busy machine.
PATIENCE = 120_000
expect.set_options(timeout=PATIENCE)


def new_context(browser, **options):
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    return context


def check(condition, words):
    if not condition:
        failures.append(words)
        print("FAILED:", words)


def run(*arguments, **options):
    return subprocess.run([program, *arguments], check=True, capture_output=True, **options).stdout


def size_in_words(count):
    """Returns the size in the form that the program prints."""
    if count < 1000:
        return f"{count} byte{'' if count == 1 else 's'}"
    value, unit = float(count), 0
    while value >= 999.5 and unit < 6:
        value, unit = value / 1000, unit + 1
    places = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:.{places}f} {['bytes', 'KB', 'MB', 'GB', 'TB', 'PB', 'EB'][unit]}"


class Watch:
    """The console messages and the requests of a page."""

    def __init__(self, page, name):
        self.name, self.said, self.asked = name, [], []
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("request", lambda request: self.asked.append(request.url))

    def end(self):
        check(self.said == [], f"{self.name}: console messages: {self.said}")
        asked = [url for url in self.asked if not url.startswith("data:")]
        check(len(asked) == 1 and asked[0].startswith("file:"), f"{self.name}: requests: {asked}")


def accessible(page, name):
    found = Axe().run(page, options={"resultTypes": ["violations"]})
    for violation in found.response["violations"]:
        nodes = [node["target"] for node in violation["nodes"]]
        check(False, f"{name}: {violation['id']}: {violation['help']} {nodes[:5]}")


def fits(page, name):
    width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    check(width[0] <= width[1], f"{name}: the content is {width[0]} wide, the window {width[1]}")


def is_drawn(page):
    """Whether the picture has more than one color."""
    # An empty picture packs into a few hundred bytes.
    return page.evaluate("document.getElementById('picture').toDataURL().length") > 3000


def make_releases():
    """Two releases of the example game, of which the second breaks something; a name is hostile."""
    for release in ("old", "new"):
        game = os.path.join(work, release)
        shutil.copytree(os.path.join(root, "Examples/Lantern"), game)
        if release == "new":
            os.remove(os.path.join(game, "Assets/Levels/Cave/map.json"))
            with open(os.path.join(game, "Assets/Levels/Cave/backdrop.png"), "wb") as file:
                file.write(random.Random(1).randbytes(40_000))
            shutil.copy(os.path.join(game, "Assets/Textures/hero.png"),
                        os.path.join(game, "Assets/Levels/Forest/hero-copy.png"))
            with open(os.path.join(game, "Assets/Levels/Forest/<img src=x onerror=alert(1)>.json"), "w") as file:
                file.write("{}")
            with open(os.path.join(game, "Assets/Levels/Forest/=1+1.json"), "w") as file:
                file.write("{}")
            os.remove(os.path.join(game, "Assets/Voices/es-US/lamp.wav"))
        packs = os.path.join(game, "Packs")
        run("pack", *sorted(os.path.join(packs, name) for name in os.listdir(packs) if name.endswith(".json")),
            "-o", os.path.join(work, release + "-packs"), "--quiet", "--project", os.path.join(game, "ba-package.json"))
    return os.path.join(work, "old-packs"), os.path.join(work, "new-packs")


def look_at_costs(table, costs, sizes):
    """Languages of the same platforms with the same sizes are one row."""
    platforms = {}
    for cost in costs:
        rows = platforms.setdefault(tuple(cost["platforms"]), {})
        rows.setdefault((cost["localizedPacks"], tuple(sizes(cost))), cost)
    rows = table.locator("tbody tr:not(.group)")
    expected = [cost for group in platforms.values() for cost in group.values()]
    check(rows.count() == len(expected), "rows of costs")
    for index, cost in enumerate(expected):
        text = rows.nth(index).inner_text()
        for size in sizes(cost):
            if size:
                check(size_in_words(size) in text, f"costs: {text!r} lacks {size}")


def look_at_numbers(browser, page_path, report):
    context = new_context(browser, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    watch = Watch(page, "the page")
    page.goto("file://" + page_path)
    totals = page.locator(".totals").inner_text()
    for value in (report["totals"]["hosted"], report["totals"]["unpacked"],
                  report["totals"]["firstLaunch"]["download"], report["totals"]["duplicates"]):
        check(size_in_words(value) in totals, f"totals lack {size_in_words(value)}: {totals!r}")
    check(str(report["totals"]["files"]) in totals, "totals lack the files")
    rows = page.locator("#packs tbody tr:not(.group)")
    check(rows.count() == len(report["packs"]), "packs are missing")
    for pack in report["packs"]:
        row = rows.filter(has=page.locator(".name", has_text=pack["id"])).first.inner_text()
        check(size_in_words(pack["downloadSize"]) in row and size_in_words(pack["unpackedSize"]) in row,
              f"{pack['id']}: {row!r}")
    look_at_costs(page.locator("#costs table").first, report["costs"],
                  lambda cost: [cost[part]["download"] for part in ("beforeLaunch", "inBackground", "onRequest")])
    look_at_costs(page.locator("#costs table").nth(1), report["costs"],
                  lambda cost: [cost["update"], cost["updateOnDemand"]])
    for duplicate in report["duplicates"]:
        check(size_in_words(duplicate["cost"]) in page.locator("#duplicates").inner_text(), "a duplicate is missing")
    check(page.locator("#largest tbody tr").count() == len(report["largest"]), "the number of largest files is wrong")
    check("missing" in page.locator("#languages").inner_text(), "the files that a language lacks are missing")
    changes = page.locator("#changes").inner_text()
    for change in report["changes"]["packs"]:
        check(change["assetPackID"] in changes, f"the change of {change['assetPackID']} is missing")
    check(page.locator("#changes .badge.breaking").count() >= len(report["changes"]["breaks"]) > 0,
          "breaking changes are missing")
    expect(page.locator("#row-sum")).to_contain_text(f"{report['totals']['files']} files")
    check(int(page.locator("#files").get_attribute("aria-rowcount")) == report["totals"]["files"] + 1, "rows")
    check(page.locator("main img").count() == 0, "a name became markup")
    check(is_drawn(page), "the treemap is empty")
    accessible(page, "light")
    page.screenshot(path=f"{pictures}/light.png", full_page=True)
    page.locator("#theme button[value=dark]").click()
    check(page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(19, 20, 22)",
          "the page has light colors on a dark system")
    accessible(page, "dark")
    page.screenshot(path=f"{pictures}/dark.png", full_page=True)
    page.locator("#theme button[value=light]").click()
    page.pdf(path=f"{pictures}/paper.pdf", format="A4")
    page.emulate_media(media="print")
    check(page.locator("#search").is_hidden() and page.locator("#files").is_hidden(), "controls are printed")
    check(page.locator("#map").is_visible() and is_drawn(page), "the treemap is not printed")
    page.screenshot(path=f"{pictures}/paper.png", full_page=True)
    page.emulate_media(media="screen")
    watch.end()
    context.close()


def use_with_keys(browser, page_path, report):
    """Zoom, search and sort with the keyboard only."""
    context = new_context(browser, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    watch = Watch(page, "with keys")
    page.goto("file://" + page_path)
    said, where = page.locator("#announcement"), page.locator("#where")
    page.locator("#map").focus()
    page.keyboard.press("ArrowRight")
    largest = max(report["packs"], key=lambda pack: pack["downloadSize"])
    expect(said).to_contain_text(largest["id"])
    expect(where).to_contain_text(size_in_words(largest["downloadSize"]))
    page.keyboard.press("Enter")
    expect(page.locator("#crumbs [aria-current]")).to_have_text(largest["id"])
    for key in ("ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft", "Home", "End"):
        page.keyboard.press(key)
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    check(page.locator("#crumbs li").count() == 3, "Enter does not open a folder")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    check(page.locator("#crumbs li").count() == 1, "Escape does not return to the top")
    # The path at the pointer is shown; a click opens it.
    box = page.locator("#map").bounding_box()
    page.mouse.move(box["x"] + 60, box["y"] + 80)
    expect(where).to_contain_text(largest["id"] + " / ")
    page.mouse.click(box["x"] + 60, box["y"] + 80)
    check(page.locator("#crumbs li").count() == 2, "a click does not open a pack")
    page.locator("#out").click()
    # The search, from any position.
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("/")
    page.keyboard.type("PNG")
    pngs = [file for pack in report["packs"] for file in pack["files"] if "png" in file["path"].lower()]
    expect(page.locator("#found")).to_contain_text(f"{len(pngs)} files")
    expect(page.locator("#found")).to_contain_text(size_in_words(sum(file["stored"] for file in pngs)))
    expect(page.locator("#row-sum")).to_contain_text(f"{len(pngs)} files of {report['totals']['files']}")
    page.screenshot(path=f"{pictures}/search.png")
    page.keyboard.press("Control+A")
    page.keyboard.type("nowhere at all")
    expect(page.locator("#found")).to_have_text("No path matches.")
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    # Sorting: the head of a column is a button.
    for key, wanted in (("size", lambda file: -file["size"]), ("stored", lambda file: -file["stored"])):
        page.locator(f"#files thead button[value={key}]").focus()
        page.keyboard.press("Enter")
        if page.locator(f"#files th:has(button[value={key}])").get_attribute("aria-sort") != "descending":
            page.keyboard.press("Enter")
        files = [file for pack in report["packs"] for file in pack["files"]]
        first = min(files, key=wanted)
        expect(page.locator("#rows tr").first).to_contain_text(size_in_words(first[key]))
    page.locator("#files thead button[value=path]").focus()
    page.keyboard.press("Space")
    check(page.locator("#files th[aria-sort=ascending]").inner_text().strip().startswith("Path"),
          "the table is not sorted by path")
    paths = sorted(file["path"] for pack in report["packs"] for file in pack["files"])
    expect(page.locator("#rows tr").first).to_contain_text(paths[0].rsplit("/", 1)[-1])
    check(page.locator("#rows tr").first.get_attribute("aria-rowindex") == "2", "the index of a row")
    page.locator("#colouring button[value=step]").click()
    check(page.locator("#legend").inner_text().count("%") >= 2, "the legend of compression")
    page.screenshot(path=f"{pictures}/compression.png")
    page.locator("#legend button").first.click()
    check(page.locator("#legend button[aria-pressed=true]").count() == 1, "no part of the legend is selected")
    # Every control gets a visible focus with the Tab key.
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    wanted = page.evaluate(
        """[...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')]
           .filter(part => part.checkVisibility() && !part.disabled).length""")
    seen = set()
    for _ in range(wanted + 3):
        page.keyboard.press("Tab")
        state = page.evaluate(
            """() => { const part = document.activeElement;
                if (part === document.body) return null;
                const style = getComputedStyle(part);
                return [[...document.querySelectorAll('*')].indexOf(part),
                        style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2,
                        part.outerHTML.slice(0, 80)]; }""")
        if state:
            seen.add(state[0])
            check(state[1], f"the focus is not visible on {state[2]}")
    check(len(seen) >= wanted, f"the Tab key reaches {len(seen)} of {wanted}")
    watch.end()
    context.close()


def look_elsewhere(browser, page_path):
    """A phone, the colors of a dark system, and a browser without scripts."""
    for name, options in (("phone", {"viewport": {"width": 360, "height": 760}}),
                          ("phone-dark", {"viewport": {"width": 360, "height": 760}, "color_scheme": "dark"}),
                          ("small", {"viewport": {"width": 320, "height": 600}})):
        context = new_context(browser, is_mobile=True, has_touch=True, **options)
        page = context.new_page()
        watch = Watch(page, name)
        page.goto("file://" + page_path)
        fits(page, name)
        check(is_drawn(page), f"{name}: the treemap is empty")
        accessible(page, name)
        page.screenshot(path=f"{pictures}/{name}.png", full_page=True)
        watch.end()
        context.close()
    context = new_context(browser, java_script_enabled=False)
    page = context.new_page()
    page.goto("file://" + page_path)
    check(page.locator("#packs").is_visible() and page.locator("#costs").is_visible(), "without scripts")
    check(page.locator("#map-section").is_hidden() and page.locator("noscript p").is_visible(), "no script, no map")
    page.screenshot(path=f"{pictures}/without-scripts.png", full_page=True)
    context.close()


def look_at_forms(old, new):
    """The other formats are valid, and equal each time."""
    for form in ("html", "json", "csv", "markdown", "cyclonedx"):
        texts = [run("report", new, "--format", form, "-o", "-") for _ in range(2)]
        check(texts[0] == texts[1], f"{form} differs from run to run")
    bill = run("report", new, "--format", "cyclonedx", "-o", "-").decode()
    error = JsonStrictValidator(SchemaVersion.V1_6).validate_str(bill)
    check(error is None, f"CycloneDX: {error}")
    rows = list(csv.reader(io.StringIO(run("report", new, "--format", "csv", "-o", "-").decode(), newline="")))
    check(all(len(row) == len(rows[0]) for row in rows), "CSV has rows of different lengths")
    check(not any(cell[:1] in tuple("=+-@\t\r") and cell for row in rows for cell in row), "CSV has a formula")
    markdown = run("report", new, "--format", "markdown", "-o", "-").decode()
    check(len(markdown) < 65_536 and "`Levels/Forest/<img src=x onerror=alert(1)>.json`" in markdown, "Markdown")
    # An earlier report represents its packs.
    former = os.path.join(work, "former.json")
    with open(former, "wb") as file:
        file.write(run("report", old, "--format", "json", "-o", "-"))
    with_packs = json.loads(run("report", new, "--baseline", old, "--format", "json", "-o", "-"))
    with_report = json.loads(run("report", new, "--baseline", former, "--format", "json", "-o", "-"))
    check(with_packs["changes"]["packs"] == with_report["changes"]["packs"], "a former report as baseline")


# The number of files of a large game.
FILES = 100_020


def make_large():
    """A large game in 60 packs."""
    seeded = random.Random(20)
    folder = os.path.join(work, "large")
    words = ["Levels", "Cave", "Hero", "Forest", "Music", "Voices", "Shared", "Textures", "Screens", "Town"]
    suffixes = ["png", "ogg", "json", "usdz", "ktx2", "wav", "ttf", "bin", "jpg", "lua", "txt"]
    noise = seeded.randbytes(1 << 20)
    for pack in range(60):
        for file in range(FILES // 60):
            place = os.path.join(folder, f"p{pack}", *seeded.choices(words, k=2), str(seeded.randrange(8)))
            os.makedirs(place, exist_ok=True)
            suffix = seeded.choice(suffixes)
            size = int(seeded.paretovariate(1.2) * 300) % 60_000
            start = seeded.randrange(len(noise) - size) if size else 0
            data = noise[start:start + size] if suffix in ("png", "ogg", "jpg") else (noise[start:start + 64] * 1000)[:size]
            with open(os.path.join(place, f"item-{file}.{suffix}"), "wb") as out:
                out.write(data)
        with open(os.path.join(folder, f"p{pack}.json"), "w") as out:
            json.dump({"assetPackID": f"level-{pack}", "downloadPolicy": {"onDemand": {}}, "platforms": [],
                       "sourceRoot": f"p{pack}", "fileSelectors": [{"directory": "."}]}, out)
    packs = os.path.join(work, "large-packs")
    run("pack", *[os.path.join(folder, f"p{pack}.json") for pack in range(60)], "-o", packs, "--quiet",
        "--level", "fast", "--threads", "2")
    return packs


def most_executions(page, action):
    """Returns how often the most frequent piece of the page's scripts runs during an action."""
    session = page.context.new_cdp_session(page)
    session.send("Profiler.enable")
    session.send("Profiler.startPreciseCoverage", {"callCount": True, "detailed": True})
    action()
    scripts = session.send("Profiler.takePreciseCoverage")["result"]
    session.detach()
    return max(piece["count"] for script in scripts for function in script["functions"]
               for piece in function["ranges"])


def look_at_a_large_game(browser):
    packs = make_large()
    page_path = os.path.join(work, "large.html")
    # Only work that grows with the square of the files takes more processor time.
    run("report", packs, "-o", page_path, "--quiet",
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (100, 100)))
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    size = os.path.getsize(page_path) / 1e6
    context = new_context(browser, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    watch = Watch(page, "a large game")
    page.goto("file://" + page_path)
    drawing = most_executions(page, lambda: page.reload())
    watch.asked.clear()
    check(is_drawn(page), "the treemap of a large game is empty")

    def search(words):
        page.evaluate(
            """async words => { const field = document.getElementById('search');
                 field.value = words;
                 field.dispatchEvent(new Event('input'));
                 await new Promise(then => requestAnimationFrame(() => setTimeout(then))); }""", words)

    searches = [most_executions(page, lambda: search(words))
                for words in ("png", "hero cave", "item-99", "nothing like it", "")]
    # The table has only the visible rows, at any scroll position.
    rows = page.evaluate(
        """async () => { const scroller = document.getElementById('scroller');
             let most = 0;
             for (let step = 1; step <= 40; step++) {
               scroller.scrollTop = step / 40 * scroller.scrollHeight;
               await new Promise(then => requestAnimationFrame(() => setTimeout(then)));
               most = Math.max(most, document.querySelectorAll('#rows tr').length);
             }
             return most; }""")
    check(rows < 200, f"the table has {rows} rows, more than are visible")
    expect(page.locator("#rows tr").last).to_have_attribute("aria-rowindex", str(FILES + 1))
    page.screenshot(path=f"{pictures}/large.png")
    watch.asked.append("file:")
    watch.end()
    print(f"a large game: {memory:.0f} MiB for packing and the report, page {size:.1f} MB, executions of a "
          f"piece: {drawing:,} to open it, {max(searches):,} to search")
    check(memory < 300, f"packing or the report takes {memory:.0f} MiB")
    check(size < 15, f"the page has {size:.1f} MB")
    check(drawing < 20 * FILES, f"a piece runs {drawing:,} times to open the page")
    check(max(searches) < 20 * FILES, f"a piece runs {max(searches):,} times to search")
    context.close()


def look_at_little(browser):
    """Packs with few known properties, and no packs."""
    packs = {"none": [], "listed": [{"id": "a", "downloadSize": 5_000_000, "platforms": [],
                                     "downloadPolicy": {"onDemand": {}}}],
             "digests": [{"id": "a", "files": [{"path": "x/y.png", "sha256": "ab" * 32}]}],
             "sizes": [{"id": "a", "files": [{"path": "x/y.png", "size": 0}, {"path": "z", "size": 2**63}]}]}
    for name, value in packs.items():
        path = os.path.join(work, name + ".json")
        with open(path, "w") as file:
            json.dump({"format": "asset-pack-report", "version": 1, "name": name, "packs": value}, file)
        run("report", path, "-o", path + ".html")
        page = new_context(browser, viewport={"width": 900, "height": 700}).new_page()
        watch = Watch(page, name)
        page.goto("file://" + path + ".html")
        page.locator("#map").focus()
        for key in ("ArrowRight", "Enter", "ArrowDown", "Enter", "Escape", "Escape"):
            page.keyboard.press(key)
        page.locator("#search").fill("y")
        page.locator("#colouring button[value=step]").click()
        accessible(page, name)
        fits(page, name)
        watch.end()
        page.context.close()


old, new = make_releases()
page_path = os.path.join(work, "report.html")
run("report", new, "--baseline", old, "-o", page_path)
report = json.loads(run("report", new, "--baseline", old, "--format", "json", "-o", "-"))
look_at_forms(old, new)
with sync_playwright() as playwright:
    browser = playwright.chromium.launch(
        executable_path="/usr/bin/chromium", args=["--no-sandbox"], timeout=PATIENCE)
    for look in (lambda: look_at_numbers(browser, page_path, report),
                 lambda: use_with_keys(browser, page_path, report),
                 lambda: look_elsewhere(browser, page_path), lambda: look_at_little(browser),
                 lambda: look_at_a_large_game(browser)):
        try:
            look()
        except AssertionError as error:
            check(False, f"{error}")
    browser.close()
sys.exit(1 if failures else 0)
