"""Does an editor get what the Debug Adapter Protocol promises it, and an error for what is none?"""
import json
import os
import subprocess
import threading
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
BUILD = Path(os.environ.get("HPML_BUILD_DIR") or ROOT / "build/release")
GPUSIM = BUILD / "bin/gpusim"
SOURCE = ROOT / "simulator/debug_front/tests/threads.cu"
ANSWER_S = 60


def line_with(text: str) -> int:
    return next(number for number, line in enumerate(SOURCE.read_text().splitlines(), 1) if text in line)


STORE = line_with("out[i] = value;")
CALL = line_with("value = apply(")


@pytest.fixture(scope="module")
def program(tmp_path_factory) -> Path:
    if not GPUSIM.exists():
        pytest.skip(f"{GPUSIM} is not built")
    output = tmp_path_factory.mktemp("debugged") / "threads"
    subprocess.run(["/usr/bin/python3", ROOT / "tools/cuda_compile.py", "--frontend", "clang", "-g", "-o", output, SOURCE],
                   check=True)
    return output


class Editor:
    """The other end of the protocol."""

    def __init__(self) -> None:
        self.process = subprocess.Popen([GPUSIM, "debug", "--dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.sequence = 0
        self.events: list[dict] = []

    def raw(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def read(self) -> dict:
        watchdog = threading.Timer(ANSWER_S, self.process.kill)  # what waits for an answer that never comes fails
        watchdog.start()
        header = self.process.stdout.readline()
        watchdog.cancel()
        assert header.startswith(b"Content-Length: "), header
        assert self.process.stdout.readline() == b"\r\n"
        return json.loads(self.process.stdout.read(int(header.split()[1])))

    def ask(self, command: str, arguments: object = None) -> dict:
        """The whole response; events on the way are kept."""
        self.sequence += 1
        message = {"seq": self.sequence, "type": "request", "command": command}
        if arguments is not None:
            message["arguments"] = arguments
        body = json.dumps(message).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        return self.answer()

    def answer(self) -> dict:
        while True:
            message = self.read()
            if message["type"] == "response":
                return message
            self.events.append(message)

    def __call__(self, command: str, **arguments: object) -> dict:
        response = self.ask(command, arguments)
        assert response["success"], response
        return response.get("body") or {}

    def event(self, name: str) -> dict:
        while True:
            for i, one in enumerate(self.events):
                if one["event"] == name:
                    del self.events[:i + 1]
                    return one.get("body", {})
            self.events.append(self.read())

    def printed(self) -> str:
        """What the program writes to standard output next; what the debugger says on standard error may come before."""
        while True:
            one = self.event("output")
            if one["category"] == "stdout":
                return one["output"]

    def stop(self, command: str, **arguments: object) -> dict:
        """Moves, and returns the innermost frame where it stops."""
        self.events.clear()
        self(command, **arguments)
        self.stopped = self.event("stopped")
        return self.top()

    def top(self) -> dict:
        return self("stackTrace", threadId=self.stopped["threadId"])["stackFrames"][0]

    def scope(self, name: str, frame: int) -> dict:
        reference = next(one for one in self("scopes", frameId=frame)["scopes"] if one["name"] == name)["variablesReference"]
        self.reference = reference
        return {one["name"]: one for one in self("variables", variablesReference=reference)["variables"]}

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.stdin.close()
        assert self.process.wait(timeout=ANSWER_S) == 0


@pytest.fixture
def editor():
    one = Editor()
    yield one
    one.close()


def start(editor: Editor, program: Path, condition: str = "", **more: object) -> dict:
    assert editor("initialize", adapterID="hpml")["supportsStepBack"]
    editor.event("initialized")
    editor("launch", program=str(program), args=["1"], **more)
    wanted = {"line": STORE, **({"condition": condition} if condition else {})}
    told = editor("setBreakpoints", source={"path": str(SOURCE)}, breakpoints=[wanted])["breakpoints"]
    assert len(told) == 1 and told[0]["verified"] and told[0]["line"] == STORE  # before it runs
    editor("setExceptionBreakpoints", filters=[])
    editor("configurationDone")
    editor.stopped = editor.event("stopped")
    return editor.top()


def test_a_breakpoint_stops_and_is_verified(editor, program):
    frame = start(editor, program, "i == 104")
    assert editor.stopped["reason"] == "breakpoint" and frame["line"] == STORE
    assert frame["source"]["path"] == str(SOURCE) and "work" in frame["name"]
    threads = editor("threads")["threads"]
    assert [one["name"] for one in threads if one["id"] == editor.stopped["threadId"]] == ["block (1,0,0) warp 1 (32 lanes)"]
    assert editor("evaluate", expression="i", frameId=frame["id"])["result"] == "104"
    assert editor("evaluate", expression="value * 2", frameId=frame["id"], context="hover")["result"] == "360"


def test_the_editor_hears_where_a_breakpoint_is(editor, program):
    start(editor, program)
    told = editor("setFunctionBreakpoints", breakpoints=[{"name": "apply"}, {"name": "wrok"}])["breakpoints"]
    assert told[0]["verified"] and not told[1]["verified"]
    assert "'wrok'; did you mean 'work'?" in told[1]["message"]
    frame = editor.stop("continue", threadId=editor.stopped["threadId"])
    assert "apply" in frame["name"] and editor.stopped["hitBreakpointIds"] == [told[0]["id"]]


def changed_breakpoints(editor: Editor) -> dict[int, dict]:
    return {one["body"]["breakpoint"]["id"]: one["body"]["breakpoint"] for one in editor.events if one["event"] == "breakpoint"}


def test_a_breakpoint_in_host_code_stays_unverified_and_says_where_device_code_is(editor, program):
    editor("initialize")
    editor("launch", program=str(program))
    host, blank = line_with("int main("), line_with("__shared__ float tile") + 2
    told = editor("setBreakpoints", source={"path": str(SOURCE)}, breakpoints=[{"line": host}, {"line": STORE}])["breakpoints"]
    elsewhere = editor("setBreakpoints", source={"path": "/else/where.cu"}, breakpoints=[{"line": 3}])["breakpoints"]
    editor("configurationDone")
    editor.stopped = editor.event("stopped")
    editor("setBreakpoints", source={"path": str(SOURCE)}, breakpoints=[])  # what it is told next is of this moment
    for line, text in ((host, f"line {host} of threads.cu holds no device code; the nearest line that does is"), (blank, None)):
        (one,) = editor("setBreakpoints", source={"path": str(SOURCE)}, breakpoints=[{"line": line}])["breakpoints"]
        assert one["verified"] is (text is None) and (text is None or text in one["message"] and ", in work(" in one["message"])
    editor("setBreakpoints", source={"path": str(SOURCE)}, breakpoints=[])
    editor.events.clear()
    editor("continue", threadId=editor.stopped["threadId"])
    said = editor.event("output")["output"]
    while "never" not in said:
        said = editor.event("output")["output"]
    assert "where.cu:3 has never been reached: no device code comes from" in said
    assert not told[0]["verified"] and not elsewhere[0]["verified"]


def test_the_editor_knows_where_breakpoints_are_before_the_program_runs(editor, program):
    editor("initialize")
    host, blank = line_with("int main("), STORE - 1
    early = editor("setBreakpoints", source={"path": str(SOURCE)}, breakpoints=[{"line": STORE}])["breakpoints"]
    assert not early[0]["verified"] and "when the program is launched" in early[0]["message"]  # it is not known yet
    editor("launch", program=str(program))
    assert changed_breakpoints(editor)[early[0]["id"]]["verified"]
    told = editor("setBreakpoints", source={"path": str(SOURCE)}, breakpoints=[{"line": host}, {"line": blank}])["breakpoints"]
    assert not told[0]["verified"] and f"line {host} of threads.cu holds no device code; the nearest" in told[0]["message"]
    assert told[1]["verified"] and told[1]["line"] > blank
    (apply,) = editor("setFunctionBreakpoints", breakpoints=[{"name": "apply"}])["breakpoints"]
    assert apply["verified"] and apply["source"]["path"] == str(SOURCE)
    editor.events.clear()
    editor("setFunctionBreakpoints", breakpoints=[])
    editor("setBreakpoints", source={"path": str(SOURCE)}, breakpoints=[{"line": host}])
    editor("configurationDone")
    assert editor.event("exited")["exitCode"] == 0 and not changed_breakpoints(editor)  # and hears nothing new


def test_without_debug_information_the_editor_says_once_how_to_get_it(editor, tmp_path):
    subprocess.run(["/usr/bin/python3", ROOT / "tools/cuda_compile.py", "--frontend", "clang", "-o", tmp_path / "plain", SOURCE],
                   check=True)
    frame = start(editor, tmp_path / "plain")
    local = editor.scope("Locals", frame["id"])
    assert list(local) == ["no variables"] and "tools/cuda_compile.py -g" in local["no variables"]["value"]
    editor.stop("next", threadId=editor.stopped["threadId"])
    editor("disconnect")
    while editor.process.poll() is None and not any(one["event"] == "terminated" for one in editor.events):
        editor.events.append(editor.read())


def test_the_console_takes_the_commands_that_look(editor, program):
    frame = start(editor, program, "i == 104")
    def console(line: str, context: str = "repl") -> dict:
        return editor.ask("evaluate", {"expression": line, "frameId": frame["id"], "context": context})
    assert console("i")["body"]["result"] == "104"  # an expression first
    who = console("who tile[3]")["body"]["result"]
    assert "tile[3]: threads.cu:" in who and "block (1,0,0) thread (3,0,0)" in who and not who.endswith("\n")
    assert "  8: 104" in console("lanes i")["body"]["result"]
    assert "warps of block 1" in console("warps")["body"]["result"] and "bank" in console("shared tile")["body"]["result"]
    assert "who[/N] EXPRESSION" in console("help")["body"]["result"] and "no variable 'nosuch'" in console("lanes nosuch")["body"]["result"]
    other = next(one["id"] for one in editor("threads")["threads"] if one["name"].startswith("block (1,0,0) warp 0"))
    frame = editor("stackTrace", threadId=other)["stackFrames"][0]
    lanes = console("lanes i")["body"]["result"]  # of the thread that the editor shows
    assert "  8: 72" in lanes and "#" * 32 in lanes  # it is not the turn of this warp, but it waits for nothing
    for line, context in (("who tile[3]", "hover"), ("run", "repl"), ("set var i = 3", "repl"), ("cuda block 0", "repl")):
        assert not console(line, context)["success"], line
    editor("continue", threadId=editor.stopped["threadId"])
    assert not console("warps")["success"]


def test_stepping_goes_forward_and_back(editor, program):
    frame = start(editor, program, "i == 5")
    thread = editor.stopped["threadId"]
    before = editor.stop("stepBack", threadId=thread)
    assert before["line"] != frame["line"]
    assert editor.stop("next", threadId=thread)["line"] == frame["line"]
    editor("setFunctionBreakpoints", breakpoints=[{"name": "apply"}])
    assert "apply" in editor.stop("reverseContinue", threadId=thread)["name"]
    assert "work" in editor.stop("stepOut", threadId=thread)["name"]
    editor.stop("stepBack", threadId=thread)
    assert editor.stop("stepIn", threadId=thread)["name"]
    editor.stop("next", threadId=thread, granularity="instruction")


def test_variables_can_be_opened_and_lanes_compared(editor, program):
    frame = start(editor, program, "i == 5")
    local = editor.scope("Locals", frame["id"])
    assert local["i"]["value"] == "5" and local["tile"]["variablesReference"] > 0
    parts = editor("variables", variablesReference=local["tile"]["variablesReference"])["variables"]
    assert len(parts) == 64 and parts[3] == {"name": "[3]", "evaluateName": "(tile)[3]", "value": "3", "type": "float",
                                             "variablesReference": 0}
    arguments = editor.scope("Arguments", frame["id"])
    scale = editor("variables", variablesReference=arguments["scale"]["variablesReference"])["variables"]
    assert [one["name"] for one in scale] == ["factor", "offsets"] and scale[0]["value"] == "2"
    lanes = editor.scope("All lanes", frame["id"])
    values = editor("variables", variablesReference=lanes["i"]["variablesReference"])["variables"]
    assert [one["value"] for one in values] == [str(i) for i in range(32)]
    assert any(name.startswith("%r") for name in editor.scope("PTX registers", frame["id"]))


def test_stalls_are_shown_beside_the_variables(editor, program):
    frame = start(editor, program, "i == 5")
    rows = editor.scope("Stalls, from a run of the launch with time", frame["id"])
    assert "issued at cycle" in rows and any(name.startswith("threads.cu:") for name in rows)


def test_a_variable_can_be_set(editor, program):
    frame = start(editor, program, "i == 0")
    editor.scope("Locals", frame["id"])
    assert editor("setVariable", variablesReference=editor.reference, name="value", value="1000")["value"] == "1000"
    editor("setBreakpoints", source={"path": str(SOURCE)}, breakpoints=[])
    editor("continue", threadId=editor.stopped["threadId"])
    assert "out[0] 1000," in editor.printed()
    assert editor.event("exited")["exitCode"] == 0
    editor.event("terminated")


def test_a_data_breakpoint_stops_when_memory_changes(editor, program):
    frame = start(editor, program, "i == 0")
    info = editor("dataBreakpointInfo", name="out[5]", frameId=frame["id"])
    assert info["dataId"] and info["accessTypes"] == ["write"]
    editor("setBreakpoints", source={"path": str(SOURCE)}, breakpoints=[])
    assert editor("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])["breakpoints"][0]["verified"]
    editor.stop("continue", threadId=editor.stopped["threadId"])
    assert editor.stopped["reason"] == "data breakpoint"
    assert editor("evaluate", expression="out[5]")["result"] == "122"  # in[58] * 2 + 6
    assert editor("dataBreakpointInfo", name="3 + 4")["dataId"] is None


def test_instructions_are_lines_of_ptx(editor, program):
    frame = start(editor, program)
    listed = editor("disassemble", memoryReference=frame["instructionPointerReference"], instructionOffset=-2,
                    instructionCount=5)["instructions"]
    assert len(listed) == 5 and listed[2]["address"] == frame["instructionPointerReference"]
    assert listed[2]["line"] == STORE and listed[2]["instruction"].strip()


def test_stop_on_entry_and_pause(editor, program):
    editor("initialize")
    editor("launch", program=str(program), stopOnEntry=True)
    editor("configurationDone")
    editor.stopped = editor.event("stopped")
    assert editor.stopped["reason"] == "entry"
    editor("pause", threadId=1)
    editor("terminate")
    editor.event("terminated")


BAD = [("fly", {}), ("attach", {}), ("stackTrace", {}), ("stackTrace", {"threadId": "one"}), ("stackTrace", {"threadId": 99}),
       ("scopes", {"frameId": 12345}), ("variables", {"variablesReference": -1}), ("variables", {"variablesReference": 1 << 40}),
       ("variables", {}), ("evaluate", {}), ("evaluate", {"expression": "((("}), ("evaluate", {"expression": 7}),
       ("setVariable", {"variablesReference": 0, "name": "i", "value": "1"}), ("continue", {"threadId": 77}), ("next", {}),
       ("setBreakpoints", {}), ("setBreakpoints", {"source": {"path": "a.cu"}, "breakpoints": [{"line": "x"}]}),
       ("setBreakpoints", {"source": {"path": "a.cu"}, "breakpoints": 3}), ("setFunctionBreakpoints", {"breakpoints": [{}]}),
       ("dataBreakpointInfo", {}), ("disassemble", {}), ("launch", {"program": "again"}), ("configurationDone", {})]


def test_every_malformed_request_gets_an_error_and_harms_nothing(editor, program):
    frame = start(editor, program, "i == 5")
    for command, arguments in BAD:
        response = editor.ask(command, arguments)
        assert response["success"] is False and response["message"], (command, arguments)
    for arguments in ([1, 2], "text", None, 3):
        assert editor.ask("evaluate", arguments)["success"] is False
    assert editor("setDataBreakpoints", breakpoints=[{"dataId": "no place"}])["breakpoints"][0]["verified"] is False
    assert editor("evaluate", expression="i", frameId=frame["id"])["result"] == "5"


def test_garbage_on_the_stream_gets_an_error(editor):
    editor.raw(b"Content-Length: 5\r\n\r\nhello")
    assert editor.answer()["success"] is False
    editor.raw(b"Nonsense: 5\r\n\r\n")
    assert editor.answer()["success"] is False
    body = b'{"type": "request", "command": ["list"], "seq": "one"}'
    editor.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    assert editor.answer()["success"] is False
    assert editor("initialize")["supportsDataBreakpoints"]


def test_requests_before_a_launch_are_refused(editor):
    editor("initialize")
    for command in ("configurationDone", "next", "continue", "pause", "stackTrace", "evaluate"):
        assert editor.ask(command, {"threadId": 1, "expression": "1"})["success"] is False
    assert editor("threads") == {"threads": []}
    response = editor.ask("launch", {"program": "/nonexistent"})
    assert response["success"] is False and "nonexistent" in response["message"]
    assert editor.ask("launch", {})["success"] is False


def test_disconnecting_ends_the_program(editor, program):
    start(editor, program)
    editor("disconnect", terminateDebuggee=True)
    assert editor.process.wait(timeout=ANSWER_S) == 0




def test_the_editor_s_files_name_the_debugger_and_what_it_takes():
    extension = ROOT / ".vscode/extensions/gpusim-debug"
    described = json.loads((extension / "package.json").read_text(encoding="utf-8"))["contributes"]["debuggers"][0]
    assert (extension / described["program"]).resolve() == (ROOT / "build/release/bin/gpusim").resolve()
    taken = described["configurationAttributes"]["launch"]["properties"]
    own = {"name", "type", "request", "preLaunchTask"}
    for one in json.loads((ROOT / ".vscode/launch.json").read_text(encoding="utf-8"))["configurations"]:
        assert one["type"] == described["type"] and set(one) - own <= set(taken)
    if GPUSIM.exists():
        editor = subprocess.Popen([GPUSIM, *described["args"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        out, _ = editor.communicate(b'Content-Length: 43\r\n\r\n{"type": "request", "command": "threads"}  ', timeout=ANSWER_S)
        assert b'"success":true' in out
