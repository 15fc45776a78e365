"""Uses the live page of a server in Chromium: live-page.py PROGRAM PACKS PICTURES"""
import http.server
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect, sync_playwright

program, packs, pictures = sys.argv[1:]
os.makedirs(pictures, exist_ok=True)
home = tempfile.TemporaryDirectory()
log = open(os.path.join(home.name, "log"), "w+")
# A shell would let its children in the background ignore an interrupt.
server = subprocess.Popen(
    [program, "serve", packs, "--host", "127.0.0.1", "--port", "0",
     "--ready-file", os.path.join(home.name, "ready")],
    env={**os.environ, "HOME": home.name, "XDG_DATA_HOME": home.name, "XDG_STATE_HOME": home.name},
    stdout=log, stderr=log)
while not os.path.exists(os.path.join(home.name, "ready")):
    if server.poll() is not None:
        sys.exit(open(log.name).read())
    time.sleep(0.01)
ready = json.load(open(os.path.join(home.name, "ready")))
trust = ssl.create_default_context(cafile=ready["caFile"])
url = ready["url"].rstrip("/")
page_url = ready["pageURL"]
token = ready["controlToken"]
control_url = f"{page_url}#token={token}"
failures = []
# The default of five seconds is too short for a busy machine.
PATIENCE = 120_000
expect.set_options(timeout=PATIENCE)


def new_context(browser, **options):
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    return context


def check(condition, text):
    if not condition:
        failures.append(text)
        print("FAILED:", text)


def download(path, agent="Lantern/1.0 CFNetwork"):
    """Returns the number of received bytes, or None without a response."""
    request = urllib.request.Request(url + path, headers={"User-Agent": agent})
    try:
        with urllib.request.urlopen(request, context=trust, timeout=600) as response:
            size = 0
            try:
                while piece := response.read(65536):
                    size += len(piece)
            except Exception:
                pass
            return size
    except urllib.error.HTTPError as error:
        return error.code
    except Exception:
        return None


def manifest():
    with urllib.request.urlopen(url + "/manifest", context=trust, timeout=600) as response:
        return {pack["id"]: pack for pack in json.load(response)["assetPacks"]}


def control(method, path, body=None, **fields):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": "Bearer " + token, **fields}
    request = urllib.request.Request(page_url + "api/" + path, data, headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=600) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


class Watch:
    """The console messages of a page, and its requests to other origins."""

    def __init__(self, page, origin):
        self.messages = []
        self.origin = origin
        page.on("console", lambda message: self.messages.append(message.type + ": " + message.text)
                if message.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: self.messages.append(str(error)))
        page.on("request", self.record)
        self.elsewhere = []

    def record(self, request):
        if not request.url.startswith((self.origin, "data:")):
            self.elsewhere.append(request.url)

    def end(self, name):
        check(self.messages == [], f"{name}: unexpected console messages {self.messages}")
        check(self.elsewhere == [], f"{name}: requests to other origins: {self.elsewhere}")


def wait_for_animations(page):
    """Waits until no animation runs. An animation keeps its colors if the scheme changes."""
    page.wait_for_function("() => document.getAnimations().length === 0")


def accessible(page, name):
    wait_for_animations(page)
    found = Axe().run(page, options={"resultTypes": ["violations"]})
    for violation in found.response["violations"]:
        nodes = [node["target"] for node in violation["nodes"]]
        check(False, f"{name}: {violation['id']}: {violation['help']} {nodes[:5]}")


def check_focus(page, name):
    """Checks that the Tab key reaches every control, and that each focus is visible."""
    page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    expected = page.evaluate(
        """[...document.querySelectorAll('a[href], button, input, select')]
           .filter(part => part.checkVisibility() && !part.disabled).length""")
    seen = set()
    for _ in range(expected + 5):
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
            check(state[1], f"{name}: the focus is not visible on {state[2]}")
    check(len(seen) >= expected,
          f"{name}: the Tab key reaches {len(seen)} of {expected} controls")


def check_width(page, name):
    width = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    check(width[0] <= width[1], f"{name}: the content is {width[0]} wide, the window {width[1]}")


def use_with_keys(page):
    """Adds a fault with the keyboard only."""
    page.locator("#subject").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("level-*")
    page.keyboard.press("Tab")
    page.keyboard.type("cut")
    page.keyboard.press("Tab")
    page.keyboard.press("Control+A")
    page.keyboard.type("25%")
    page.keyboard.press("Tab")
    page.keyboard.type("once")
    expect(page.locator("#preview")).to_have_text("level-*: cut 25% once")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#faults code")).to_have_text("level-*: cut 25% once")


def test_switches(browser):
    context = new_context(browser, viewport={"width": 1360, "height": 900}, color_scheme="light")
    page = context.new_page()
    watch = Watch(page, page_url)
    page.goto(control_url)
    expect(page.locator("#connection")).to_have_text("connected")
    expect(page.locator("#packs tr")).to_have_count(len(manifest()))
    expect(page.locator("#override")).to_have_text(url)
    page.screenshot(path=f"{pictures}/empty.png", full_page=True)
    accessible(page, "an empty page")

    # Requests appear as they happen.
    whole = download("/assetpacks/level-abyss")
    row = page.locator("#log li").first
    expect(row).to_contain_text("/assetpacks/level-abyss")
    expect(row.locator(".badge")).to_have_text("200")
    expect(page.locator("#devices tr")).to_contain_text("127.0.0.1")

    # A switch applies to the next download, and the page shows its use.
    use_with_keys(page)
    check(download("/assetpacks/level-abyss") == whole // 4,
          "the fault does not cut the download after a quarter")
    expect(row.locator(".badge")).to_have_text("incomplete")
    expect(row).to_contain_text("fault: level-*: cut 25% once")
    expect(page.locator("#faults small")).to_have_text("applied once")
    check(download("/assetpacks/level-abyss") == whole, "the fault applies more than once")
    page.get_by_role("button", name="Switch off level-*: cut 25% once").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#faults li")).to_have_count(0)
    expect(page.locator("#subject")).to_be_focused()

    # The server accepts every kind of fault that the form offers.
    for kind in page.locator("#kind option").all():
        page.locator("#kind").select_option(kind.get_attribute("value"))
        page.locator("#fault-form button").click()
        text = page.locator("#preview").text_content()
        expect(page.locator("#faults code").last).to_have_text(text)
        check(page.locator("#refusal").text_content() == "", f"'{text}' is refused")
    control("DELETE", "faults")
    expect(page.locator("#faults li")).to_have_count(0)

    # Offline with the keyboard.
    page.locator("#offline").focus()
    page.keyboard.press("Space")
    expect(page.locator("#alerts")).to_contain_text("offline mode")
    check(download("/manifest") is None, "an offline server sends a response")
    expect(row.locator(".badge")).to_have_text("no response")
    page.keyboard.press("Space")
    expect(page.locator("#alerts li")).to_have_count(0)
    check(download("/manifest") is not None, "the server does not respond after it is online again")

    # An invalid value is an error, and the field keeps the value.
    page.locator("#latency").fill("soon")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("a time such as 200ms")
    check(page.locator("#latency-form + #refusal").count() == 1, "the error is not after its form")
    check(len(watch.messages) == 1 and "400" in watch.messages.pop(),
          "the console has other messages than that of the browser")
    page.locator("#latency").fill("300ms")
    page.keyboard.press("Enter")
    expect(page.locator("#alerts")).to_contain_text("latency 300ms")
    expect(page.get_by_role("alert")).to_have_text("")
    start = time.monotonic()
    download("/manifest")
    check(time.monotonic() - start >= 0.3, "latency does not delay the response")
    page.locator("#latency").fill("")
    page.keyboard.press("Enter")
    expect(page.locator("#alerts li")).to_have_count(0)

    # The version rises, and the button keeps the focus.
    before = manifest()["level-abyss"]["version"]
    raise_button = page.get_by_role("button", name="Raise the version of level-abyss")
    raise_button.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#packs tr", has_text="level-abyss").locator(".number").first
           ).to_contain_text(str(before + 1))
    check(manifest()["level-abyss"]["version"] == before + 1,
          "the manifest does not contain the new version")
    expect(raise_button).to_be_focused()

    # The progress of a slow download is shown. Without an end of the throttle, it would take longer
    # than all steps on a busy machine.
    page.locator("#throttle").fill("100kbit")
    page.keyboard.press("Enter")
    expect(page.locator("#alerts")).to_contain_text("throttle 100kbit")
    control("POST", "faults", {"fault": "level-*: status 503 once"})
    check(download("/assetpacks/level-abyss") == 503, "the fault with a status has no effect")
    slow = threading.Thread(target=download, args=("/assetpacks/level-abyss",))
    slow.start()
    progress = row.locator("progress")
    expect(progress).to_be_visible()
    first = progress.evaluate("part => part.value")
    page.wait_for_function(
        "first => document.querySelector('#log progress').value > first", arg=first)
    expect(row.locator(".badge")).to_have_text("in progress")
    expect(row).to_contain_text("left")
    check(page.title().startswith("(1)"), "the title does not contain the number of requests in progress")

    # Screenshots during a download.
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        wait_for_animations(page)
        page.screenshot(path=f"{pictures}/{scheme}.png", full_page=True)
        accessible(page, scheme)
    page.emulate_media(color_scheme="light", forced_colors="active")
    page.screenshot(path=f"{pictures}/forced-colours.png", full_page=True)
    page.emulate_media(color_scheme="light", forced_colors="none")
    for width in (360, 700, 1000):
        page.set_viewport_size({"width": width, "height": 800})
        check_width(page, f"{width} wide")
        page.screenshot(path=f"{pictures}/wide-{width}.png", full_page=True)
    page.set_viewport_size({"width": 360, "height": 800})
    accessible(page, "a phone")
    page.set_viewport_size({"width": 1360, "height": 900})
    check_focus(page, "the page with switches")
    control("PUT", "throttle", {"throttle": None})
    slow.join()

    # A paused list does not change, and a filter hides other requests.
    page.locator("#pause").click()
    count = page.locator("#log li").count()
    download("/manifest")
    expect(page.locator("#pause")).to_have_text("Paused, 1 new")
    check(page.locator("#log li").count() == count, "a paused list changes")
    page.locator("#pause").click()
    expect(page.locator("#log li")).to_have_count(count + 1)
    page.locator("#filter").fill("MANIFEST")
    check(page.locator("#log li:visible").filter(has_text="level-abyss").count() == 0,
          "the filter shows other requests")
    page.locator("#filter").fill("")
    control("PUT", "throttle", {"throttle": "100kbit"})
    slow = threading.Thread(target=download, args=("/assetpacks/level-abyss",))
    slow.start()
    expect(row.locator(".badge")).to_have_text("in progress")
    page.locator("#clear").click()
    expect(page.locator("#log li")).to_have_count(1)
    control("PUT", "throttle", {"throttle": None})
    slow.join()
    expect(row.locator(".badge")).to_have_text("200")
    page.locator("#clear").click()
    expect(page.locator("#log li")).to_have_count(0)

    # Data from clients is shown as text.
    evil = "<img src=x onerror=alert(1)>\u202e"
    download("/" + urllib.parse.quote(evil) + "?" + urllib.parse.quote(evil), agent="<b>evil</b>")
    expect(row).to_contain_text("/<img src=x onerror=alert(1)>\\u{202E}?%3Cimg")
    check(page.locator("#log img, #devices b").count() == 0, "data from a client became markup")
    watch.end("the page with switches")

    # A page that is opened later shows the earlier requests.
    late = context.new_page()
    late.goto(control_url)
    expect(late.locator("#log li").first).to_contain_text("<img src=x")
    late.close()
    context.close()


def test_page_without_token(browser):
    """The page shows everything, and its switches work only with the token of this run."""
    context = new_context(browser, viewport={"width": 1360, "height": 900})
    page = context.new_page()
    for target in (page_url, f"{page_url}#token=wrong"):
        page.goto("about:blank")
        page.goto(target)
        expect(page.locator("#connection")).to_have_text("connected")
        expect(page.locator("#packs tr")).to_have_count(len(manifest()))
        expect(page.locator("#locked")).to_be_visible()
        expect(page.locator("#unlocked")).to_be_hidden()
        expect(page.locator("[data-raises]")).to_have_count(0)
        check(token not in page.content(), "the page contains the token")
    page.screenshot(path=f"{pictures}/without-token.png", full_page=True)
    accessible(page, "the page without the token")
    # The address with the token, opened in the same tab; a reload keeps it.
    page.goto(control_url)
    expect(page.locator("#unlocked")).to_be_visible()
    check(token not in page.url, "the address bar shows the token")
    page.reload()
    expect(page.locator("#unlocked")).to_be_visible()
    expect(page.locator("[data-raises]")).to_have_count(len(manifest()))
    context.close()


def test_page_without_switches(browser):
    context = new_context(
        browser, viewport={"width": 390, "height": 844}, ignore_https_errors=True, is_mobile=True,
        has_touch=True)
    page = context.new_page()
    watch = Watch(page, url)
    page.goto(url + "/")
    expect(page.locator("#connection")).to_have_text("connected")
    check(token not in page.content(), "the page without switches contains the token")
    check(page.locator("form, select, input[type=checkbox], [data-raises]").count() == 0,
          "the page without switches contains a switch")
    control("POST", "faults", {"fault": "missing-*: corrupt"})
    expect(page.locator("#alerts")).to_contain_text("missing-*: corrupt")
    download("/assetpacks/level-abyss")
    expect(page.locator("#log li").first).to_contain_text("/assetpacks/level-abyss")
    check_width(page, "a phone without switches")
    page.screenshot(path=f"{pictures}/phone.png", full_page=True)
    accessible(page, "the page without switches")
    page.emulate_media(color_scheme="dark")
    page.screenshot(path=f"{pictures}/phone-dark.png", full_page=True)
    control("DELETE", "faults")
    watch.end("the page without switches")
    context.close()
    for target in (url + "/", page_url):
        context = new_context(
            browser, java_script_enabled=False, ignore_https_errors=True,
            viewport={"width": 800, "height": 600})
        page = context.new_page()
        page.goto(target)
        expect(page.locator("#packs")).to_contain_text("level-abyss")
        expect(page.locator("#override")).to_have_text(url)
        expect(page.locator(".notice")).to_be_visible()
        check(page.locator("#requests").is_hidden(), "the list of requests is visible without scripts")
        page.screenshot(path=f"{pictures}/without-scripts.png", full_page=True)
        context.close()


def test_distrust(browser):
    """The page shows a hint until a device trusts the server."""
    context = new_context(browser, viewport={"width": 1360, "height": 900})
    page = context.new_page()
    watch = Watch(page, page_url)
    page.goto(control_url)
    expect(page.locator("#connection")).to_have_text("connected")
    download("/manifest")
    expect(page.locator("#distrust")).to_be_hidden()
    port = urllib.parse.urlsplit(url).port
    try:
        with socket.create_connection(("127.0.0.1", port)) as plain:
            ssl.create_default_context().wrap_socket(plain, server_hostname="localhost").close()
    except ssl.SSLCertVerificationError:
        pass
    row = page.locator("#log li").first
    expect(row.locator(".badge")).to_have_text("not trusted")
    expect(row).to_contain_text("does not trust this server: install its profile")
    expect(page.locator("#distrusting")).to_have_text("127.0.0.1 does not trust this server.")
    expect(page.locator("#distrust a")).to_have_attribute("href", ready["enrolmentURL"])
    accessible(page, "a device that does not trust")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.screenshot(path=f"{pictures}/distrust-{scheme}.png", full_page=True)
    accessible(page, "a device that does not trust, dark")
    page.set_viewport_size({"width": 360, "height": 800})
    check_width(page, "distrust on a phone")
    page.screenshot(path=f"{pictures}/distrust-phone.png", full_page=True)
    # A malformed request is shown with the reason.
    with socket.create_connection(("127.0.0.1", port)) as plain:
        with trust.wrap_socket(plain, server_hostname="localhost") as client:
            client.sendall(b"BAD\r\n\r\n")
            client.recv(1000)
    expect(row.locator(".badge")).to_have_text("400")
    expect(row).to_contain_text("no request")
    expect(row).to_contain_text("invalid request line")
    # A device trusts the server after it received a response.
    expect(page.locator("#distrust")).to_be_hidden()
    # A fault that matches no pack is marked.
    control("POST", "faults", {"fault": "levle-*: corrupt"})
    expect(page.locator("#faults small")).to_have_text("no pack matches")
    control("DELETE", "faults")
    page.locator("#subject").fill("a: corrupt, b")
    page.locator("#fault-form button").click()
    expect(page.get_by_role("alert")).to_contain_text("expected one fault")
    check(len(watch.messages) == 1 and "400" in watch.messages.pop(),
          "the refusal is not reported by the browser alone")
    watch.end("a page with distrust")
    context.close()


def test_many_pages(browser):
    """A browser opens six connections to a server; all pages share one event stream."""
    context = new_context(browser, viewport={"width": 800, "height": 600})
    pages = [context.new_page() for _ in range(9)]
    for page in pages:
        page.goto(control_url)
        expect(page.locator("#connection")).to_have_text("connected")
    path = "/assetpacks/level-abyss?many"
    download(path)
    for page in pages:
        row = page.locator("#log li").first
        expect(row).to_contain_text("?many")
        expect(row.locator(".badge")).to_have_text("200")
    control("PUT", "latency", {"latency": "10ms"})
    for page in pages:
        expect(page.locator("#alerts")).to_contain_text("latency 10ms")
    # When the page with the event stream is closed, another page opens the stream.
    for gone in range(8):
        pages.pop(0).close()
        download(f"/assetpacks/level-abyss?after-{gone}")
        for page in pages:
            expect(page.locator("#log li").first).to_contain_text(f"?after-{gone}")
    control("PUT", "latency", {"latency": None})
    context.close()


class Forward(threading.Thread):
    """A local port that is forwarded to the page, as with 'ssh -L'."""

    def __init__(self):
        super().__init__(daemon=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.start()

    def run(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            server_side = socket.create_connection(
                ("127.0.0.1", urllib.parse.urlsplit(page_url).port))
            for one, other in ((client, server_side), (server_side, client)):
                threading.Thread(target=self.forward_bytes, args=(one, other), daemon=True).start()

    @staticmethod
    def forward_bytes(one, other):
        try:
            while piece := one.recv(65536):
                other.sendall(piece)
            other.shutdown(socket.SHUT_WR)
        except OSError:
            pass


def test_forwarded_port(browser):
    forward = Forward()
    for name in ("localhost", "127.0.0.1"):
        target = f"http://{name}:{forward.port}/"
        context = new_context(browser)
        page = context.new_page()
        watch = Watch(page, target)
        page.goto(f"{target}#token={token}")
        expect(page.locator("#connection")).to_have_text("connected")
        page.locator("#latency").fill("20ms")
        page.keyboard.press("Enter")
        expect(page.locator("#alerts")).to_contain_text("latency 20ms")
        page.locator("#latency").fill("")
        page.keyboard.press("Enter")
        expect(page.locator("#alerts li")).to_have_count(0)
        watch.end("a forwarded port")
        context.close()
    forward.listener.close()


def test_foreign_sites(browser):
    """Tests a page of another site, and a foreign host name that resolves to this host."""
    port = urllib.parse.urlsplit(page_url).port
    html = f"""<!doctype html><title>evil</title><iframe src="{page_url}"></iframe>
      <form id=f method=post enctype=text/plain action="{page_url}api/faults">
      <input name='{{"fault": "*: corrupt", "x":"' value='"}}'></form>"""

    class Evil(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *arguments):
            pass

    evil = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Evil)
    threading.Thread(target=evil.serve_forever, daemon=True).start()
    context = new_context(browser)
    page = context.new_page()
    responses = []
    page.on("response", lambda response: responses.append((response.status, response.url)))
    page.goto(f"http://127.0.0.1:{evil.server_port}/")
    read = page.evaluate(
        """async ([target, token]) => {
             const tried = [];
             for (const [path, options] of [
               ['', {}], ['', {mode: 'no-cors'}], ['api/state', {}],
               ['api/offline', {method: 'PUT', body: '{"offline": true}', headers: {Authorization: 'Bearer ' + token}}],
               ['api/faults', {method: 'POST', mode: 'no-cors', body: '{"fault": "*: corrupt"}'}],
               ['api/packs/level-abyss/raise', {method: 'POST', mode: 'no-cors'}]]) {
               try { tried.push(await (await fetch(target + path, options)).text()); } catch { tried.push(''); }
             }
             return tried;
           }""", [page_url, token])
    check(all(text == "" for text in read), f"a foreign page reads {read}")
    frame = page.frames[1]
    check("fault-form" not in frame.content(), "a foreign page frames the page")
    with page.expect_navigation():
        page.evaluate("document.getElementById('f').submit()")
    check("another site" in page.content(), "a form of a foreign page is accepted")
    check(all(status == 403 for status, where in responses if where.startswith(page_url)),
          f"a request of a foreign page is accepted: {responses}")
    # DNS rebinding: the foreign name resolves to this host.
    page.goto(f"http://evil.example:{port}/")
    check("fault-form" not in page.content() and "not a loopback name" in page.content(),
          "a request with a foreign name is accepted")
    check(control("GET", "state")[1]["switches"] ==
          {"offline": False, "latency": None, "throttle": None, "faults": []},
          "a foreign page changed a switch")
    check(control("PUT", "offline", {"offline": True}, Origin="null")[0] == 403, "'Origin: null' is accepted")
    check(control("PUT", "offline", {"offline": True}, Authorization="Bearer x")[0] == 401, "a wrong token is accepted")
    context.close()
    evil.shutdown()


def test_server_end(browser):
    context = new_context(browser, ignore_https_errors=True)
    pages = [context.new_page(), context.new_page()]
    for page, target in zip(pages, (control_url, url + "/")):
        page.goto(target)
        expect(page.locator("#connection")).to_have_text("connected")
    server.send_signal(signal.SIGINT)
    try:
        server.wait(PATIENCE / 1000)
    except subprocess.TimeoutExpired:
        check(False, "open pages prevent the end of the server")
    expect(pages[0].locator("#connection")).to_have_text("disconnected, reconnecting")
    context.close()


try:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", timeout=PATIENCE,
            args=["--no-sandbox", "--host-resolver-rules=MAP evil.example 127.0.0.1"])
        for test in (test_switches, test_page_without_token, test_page_without_switches,
                     test_distrust, test_many_pages, test_forwarded_port, test_foreign_sites,
                     test_server_end):
            try:
                test(browser)
            except AssertionError as error:
                check(False, f"{test.__name__}: {error}")
        browser.close()
finally:
    server.kill()
    server.wait()
if failures:
    print(open(log.name).read())
sys.exit(1 if failures else 0)
