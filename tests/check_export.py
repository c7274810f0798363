#!/usr/bin/env python3
"""Reads the exports of a database with the parsers that other programs use, and compares them with the rows themselves.

usage: check_export.py DATABASE FOLDER      FOLDER holds out.csv, out.jsonl, out.junit, out.sarif, out.tap, out.github,
out.prometheus of the latest run. Exit 1 with a sentence when something is wrong.
"""
import csv
import json
import math
import os
import re
import sqlite3
import sys
import xml.etree.ElementTree as ET


def need(condition, *what):
    if not condition:
        print("wrong:", *what)
        sys.exit(1)


def visible(text, escape_newline=True):
    """Text as an export writes it where control characters and bytes that are no UTF-8 become \\xNN."""
    out = []
    for char in text.decode("utf-8", "surrogateescape"):
        code = ord(char)
        if 0xDC80 <= code <= 0xDCFF:
            out.append("\\x%02x" % (code - 0xDC00))
        elif char in "\n\r\t" and not escape_newline:
            out.append(char)
        elif code < 0x20 or 0x7F <= code < 0xA0 or code in (0xFFFE, 0xFFFF):
            out.append("".join("\\x%02x" % b for b in char.encode()))
        else:
            out.append(char)
    return "".join(out)


def only_invalid(text):
    return re.sub("[\udc80-\udcff]", lambda m: "\\x%02x" % (ord(m[0]) - 0xDC00), text.decode("utf-8", "surrogateescape"))


database, folder = sys.argv[1:3]
db = sqlite3.connect(database)
db.text_factory = bytes
RUN = db.execute("SELECT run_id FROM run ORDER BY started_utc DESC, run_id DESC LIMIT 1").fetchone()[0]
FAIL = (b"DIFF", b"NONDET", b"GUARD", b"CRASH", b"HANG")
rows = []  # (kind, label, case, verdict, outcome, reason, digest)
for label, line, verdict, expected, reason, digest in db.execute(
        "SELECT v.label, c.line, r.verdict, r.expected, r.reason, r.digest FROM plan p JOIN op_case c USING (case_id)"
        " JOIN run_device v USING (run_id, device_id) LEFT JOIN (SELECT * FROM result r WHERE attempt = (SELECT"
        " max(attempt) FROM result m WHERE m.run_id = r.run_id AND m.seq = r.seq)) r USING (run_id, seq)"
        " WHERE run_id = ? ORDER BY seq", (RUN,)):
    outcome = ("error" if verdict in (None, b"ERROR") else "pass" if verdict == expected or verdict == b"PASS"
               else "fail" if verdict in FAIL else "skip")
    rows.append(("result" if verdict else "planned", label, line, verdict or b"", outcome, reason, digest or b""))
HAS_BENCH = db.execute("PRAGMA user_version").fetchone()[0] >= 3
for label, line, verdict, reason, digest in () if not HAS_BENCH else db.execute(
        "SELECT v.label, c.line, b.verdict, b.reason, b.digest FROM bench b JOIN op_case c USING (case_id) JOIN run_device v"
        " USING (run_id, device_id) JOIN kernel k USING (kernel_id) WHERE run_id = ? ORDER BY c.line, v.label, k.name,"
        " b.lane, b.side, b.invocation", (RUN,)):
    outcome = {b"PASS": "pass", b"ERROR": "error", b"INCONCLUSIVE": "skip"}.get(verdict, "fail")
    rows.append(("bench", label, line, verdict, outcome, reason, digest))
for label, line, reason in db.execute(
        "SELECT v.label, c.line, x.reason FROM capped x JOIN op_case c USING (case_id) JOIN run_device v USING"
        " (run_id, device_id) WHERE run_id = ?", (RUN,)):
    rows.append(("capped", label, line, b"SKIP", "skip", reason, b""))
number = {o: sum(r[4] == o for r in rows) for o in ("pass", "fail", "error", "skip")}
need(len(rows) > 0, "no rows")


def read(name, **how):
    with open(os.path.join(folder, "out." + name), encoding="utf-8", errors="strict", newline="") as file:
        return file.read()


# CSV: RFC 4180, every record ends in CRLF, as many fields as the header.
text = read("csv")
with open(os.path.join(folder, "out.csv"), encoding="utf-8", newline="") as file:
    table = list(csv.reader(file, strict=True))
header, records = table[0], table[1:]
need(text.endswith("\r\n") and "\r\n" in text, "csv: no CRLF")
need(len(records) == len(rows), "csv: rows", len(records), len(rows))
for record, row in zip(records, rows):
    need(len(record) == len(header), "csv: fields", len(record))
    field = dict(zip(header, record))
    need(field["kind"] == row[0] and field["device"].encode() == row[1], "csv: kind or device", field)
    need(field["case"] == only_invalid(row[2]), "csv: case", repr(field["case"]), row[2])
    need(field["verdict"].encode() == row[3] and field["digest"].encode() == row[6], "csv: verdict", field)
    if row[5] is not None:
        need(field["reason"] == only_invalid(row[5]), "csv: reason", repr(field["reason"]), row[5])

# JSON lines: the same fields, in their own types.
objects = []
for line in read("jsonl").split("\n")[:-1]:
    objects.append(json.loads(line, object_pairs_hook=lambda p: dict(p) if len(dict(p)) == len(p) else need(False, "twice"),
                              parse_constant=lambda c: need(False, "json: constant", c)))
need(len(objects) == len(rows), "jsonl: rows")
for thing, record, row in zip(objects, records, rows):
    need(list(thing) == header, "jsonl: names differ from the header of csv")
    need(thing["case"] == visible(row[2], False), "jsonl: case", thing["case"])
    need(isinstance(thing["run"], int), "jsonl: run is no number")
    need(thing["median_ns"] is None or isinstance(thing["median_ns"], (int, float)), "jsonl: median_ns")
    for name, text_field in zip(header, record):
        value = thing[name]
        if value is None:
            need(text_field == "", "csv and jsonl:", name)
        elif isinstance(value, (int, float)):
            need(float(text_field) == float(value), "csv and jsonl:", name)

# JUnit: counts of the suites are those of their cases, and of the rows.
tree = ET.fromstring(read("junit").encode())
need(tree.tag == "testsuites", "junit: root", tree.tag)
for name, outcome in (("tests", None), ("failures", "fail"), ("errors", "error"), ("skipped", "skip")):
    want = number[outcome] if outcome else len(rows)
    need(int(tree.get(name)) == want, "junit:", name, tree.get(name), want)
    need(sum(int(s.get(name)) for s in tree) == want, "junit: sum of", name)
names = []
for suite in tree:
    need(suite.tag == "testsuite" and suite.get("name") and suite.get("timestamp"), "junit: suite")
    cases = suite.findall("testcase")
    need(len(cases) == int(suite.get("tests")), "junit: cases of", suite.get("name"))
    for tag, name in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        need(sum(c.find(tag) is not None for c in cases) == int(suite.get(name)), "junit:", tag)
    need(abs(sum(float(c.get("time")) for c in cases) - float(suite.get("time"))) < 1e-5 * (1 + len(cases)), "junit: time")
    for case in cases:
        need(len(case) <= 1 and case.get("classname") and case.get("name"), "junit: case")
        names.append(case.get("name"))
        for child in case:
            need(child.get("message") is not None, "junit: message")
for row in rows:
    shown = visible(row[2], False)
    need(any(n == shown or n.startswith(shown + " [bench") for n in names), "junit: case is missing", repr(shown), names)

# SARIF 2.1.0, section by section of the standard, for what is written.
sarif = json.loads(read("sarif"))
need(sarif["version"] == "2.1.0" and sarif["$schema"].endswith("sarif-2.1.0.json") and set(sarif) == {"$schema", "version", "runs"}, "sarif: top")  # 3.13
need(len(sarif["runs"]) == 1, "sarif: runs")
run = sarif["runs"][0]
need(set(run) <= {"tool", "invocations", "automationDetails", "properties", "results"}, "sarif: run has", set(run))  # 3.14
driver = run["tool"]["driver"]
need(driver["name"] == "assay" and driver["version"], "sarif: driver")  # 3.19
ids = [rule["id"] for rule in driver["rules"]]
need(len(set(ids)) == len(ids) and all(rule["shortDescription"]["text"].endswith(".") for rule in driver["rules"]), "sarif: rules")  # 3.49
invocation = run["invocations"][0]
need(isinstance(invocation["executionSuccessful"], bool) and isinstance(invocation.get("exitCode", 0), int), "sarif: invocation")  # 3.20
for key in ("startTimeUtc", "endTimeUtc"):
    if key in invocation:
        need(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", invocation[key]), "sarif:", key)  # 3.9
need(run["automationDetails"]["id"].startswith("assay/"), "sarif: id")
need(len(run["results"]) == number["fail"] + number["error"], "sarif: results", len(run["results"]))
prints = set()
for result, row in zip(run["results"], [r for r in rows if r[4] in ("fail", "error")]):
    need(set(result) == {"ruleId", "ruleIndex", "level", "message", "locations", "partialFingerprints", "properties"}, "sarif: result")  # 3.27
    need(ids[result["ruleIndex"]] == result["ruleId"] and result["level"] == "error", "sarif: rule")
    need(result["ruleId"].encode() in (row[3], b"NOTRUN", b"UNEXPECTED"), "sarif: verdict", result["ruleId"], row[3])
    need(visible(row[2], False) in result["message"]["text"], "sarif: text")
    (location,) = result["locations"]
    need(location["logicalLocations"][0]["fullyQualifiedName"] == visible(row[2], False), "sarif: place")  # 3.33
    if "physicalLocation" in location:
        place = location["physicalLocation"]
        need(re.fullmatch(r"corpus/[A-Za-z0-9._~/%-]+", place["artifactLocation"]["uri"]), "sarif: uri")  # 3.4
        need(place["region"]["startLine"] >= 1, "sarif: line")  # 3.30
    need(all(isinstance(v, str) for v in result["partialFingerprints"].values()), "sarif: fingerprints")  # 3.27.16

# GitHub: each line a command; properties and message without raw line breaks; errors first, then one summary.
lines = read("github").split("\n")
need(lines[-1] == "", "github: last line")
commands = [re.fullmatch(r"::(error|warning|notice) ((?:[a-z]+=[^:,\r\n]*)(?:,[a-z]+=[^:,\r\n]*)*)::([^\r\n]*)", line) for line in lines[:-1]]
need(all(commands), "github:", [l for l, c in zip(lines, commands) if not c])
bad = number["fail"] + number["error"]
errors = [c for c in commands if c[1] == "error"]
need(len(errors) == min(bad, 10) and len(commands) == len(errors) + 1, "github: errors", len(errors))
need(commands[-1][1] in ("notice", "warning") and "%d passed, %d failed, %d errors" % (number["pass"], number["fail"], number["error"]) in commands[-1][3], "github: summary")


def unescape(text):
    return re.sub("%(0A|0D|25|3A|2C)", lambda m: chr(int(m[1], 16)), text)


if bad <= 10:
    for command, row in zip(errors, [r for r in rows if r[4] in ("fail", "error")]):
        properties = dict(p.split("=", 1) for p in command[2].split(","))
        need(set(properties) in ({"title"}, {"file", "line", "title"}), "github: properties", properties)
        need(unescape(command[3]).startswith(visible(row[2].replace(b"\t", b"\\x09"), False)), "github: text", command[3])

# Prometheus text format 0.0.4: the grammar of every line, a family in one piece, no series twice.
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"'
SAMPLE = re.compile(r"([a-zA-Z_:][a-zA-Z0-9_:]*)\{((?:%s)(?:,%s)*)\} (\S+)" % (LABEL, LABEL))
families, series, values, family = [], set(), {}, None
for line in read("prometheus").split("\n")[:-1]:
    if line.startswith("# HELP "):
        need(re.fullmatch(r"# HELP [a-z_]+ [^\\]+", line), "prometheus:", line)
        family = line.split(" ")[2]
        need(family not in families, "prometheus: family twice", family)
        families.append(family)
        typed = False
    elif line.startswith("# TYPE "):
        need(line == "# TYPE %s gauge" % family and not typed, "prometheus:", line)
        typed = True
    else:
        sample = SAMPLE.fullmatch(line)
        need(sample and sample[1] == family and typed, "prometheus:", line)
        need(sample[1] + sample[2] not in series, "prometheus: series twice", line)
        series.add(sample[1] + sample[2])
        labels = re.findall(r'([a-zA-Z0-9_]+)="((?:[^"\\]|\\.)*)"', sample[2])
        need(len({k for k, _ in labels}) == len(labels), "prometheus: label twice", line)
        values.setdefault(family, []).append((dict(labels), float(sample[3])))
        need(not math.isnan(float(sample[3])), "prometheus: NaN", line)
need("assay_run_info" in families, "prometheus: no run")
cases = [r for r in rows if r[0] in ("result", "planned")]
if cases:
    need(sum(v for _, v in values["assay_cases"]) == len(cases), "prometheus: cases")
    need(sum(v for l, v in values["assay_cases"] if l["outcome"] == "passed") == sum(r[4] == "pass" for r in cases), "prometheus: passed")
print(len(rows), "rows in seven formats")
