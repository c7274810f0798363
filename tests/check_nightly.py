#!/usr/bin/env python3
"""Runs the scripts of docs/nightly.md and docs/dashboards.md as they stand there, with two shards.

usage: check_nightly.py PART ASSAY FOLDER      PART is plain, github, gitlab, slurm, kubernetes, bisect or dashboards;
FOLDER is empty. A program `assay` that is put into the path gives shard 1 the CPU and shard 2 the software renderer, by
ASSAY_DEVICE, and a short corpus, by ASSAY_CORPUS; the scripts are not changed. Exit 1 with a sentence when something is
wrong.
"""
import json
import os
import re
import sqlite3
import subprocess
import sys

import yaml

part, program, folder = sys.argv[1], os.path.realpath(sys.argv[2]), os.path.realpath(sys.argv[3])
CASES = ["matmul/f32/m=%d,n=%d,k=%d/fill=normal/seed=%d" % (m, m + 1, 2 * m, m) for m in range(1, 13)]


def need(condition, *what):
    if not condition:
        print("wrong:", *what)
        sys.exit(1)


def blocks(page, language):
    """Fenced blocks of a page: {name: text}, named by a first line '# NAME'."""
    with open("docs/%s.md" % page, encoding="utf-8") as file:
        found = re.findall(r"^```%s\n(.*?)^```$" % language, file.read(), re.S | re.M)
    named = {}
    for text in found:
        first = text.split("\n", 1)[0]
        named.setdefault(first[2:] if first.startswith("# ") else "plain", text)
    return named


def environment(shard, **more):
    env = {"PATH": os.path.join(folder, "bin") + ":/usr/local/bin:/usr/bin:/bin", "HOME": folder, "TMPDIR": os.path.join(folder, "tmp"),
           "ASSAY_CORPUS": os.path.join(folder, "short.cases"), "ASSAY_ALLOW_SOFTWARE": "1", "ASSAY_CUDA_LIB": "none",
           "ASSAY_DEVICE": "vulkan:0" if shard == 2 else "cpu:0"}
    if shard != 2:
        env["ASSAY_VULKAN_LIB"] = "none"
    env.update({k: str(v) for k, v in more.items()})
    return env


def shell(script, env, codes=(0,), words=(), cwd=None):
    done = subprocess.run(["sh", "-c", script, "script", *words], env=env, cwd=cwd or folder, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=120, check=False)
    need(done.returncode in codes, "exit", done.returncode, "of", script, done.stdout)
    return done.stdout


def plain_env(env, own):
    """The variables of a recipe, without those that its system fills in, under the test's own."""
    return {**{k: str(v) for k, v in (env or {}).items() if "${{" not in str(v)}, **own}


def merged(path, label):
    """The merged file holds both shards: every case once a kernel, on the device of its shard."""
    db = sqlite3.connect(path)
    need(db.execute("PRAGMA integrity_check").fetchone() == ("ok",), "integrity")
    runs = db.execute("SELECT shard, label, exit_code FROM run ORDER BY shard").fetchall()
    need([r[0] for r in runs] == ["1/2", "2/2"] and {r[1] for r in runs} == {label}, "runs", runs)
    need(all(r[2] == 0 for r in runs), "exit codes", runs)
    lines = db.execute("SELECT c.line, count(DISTINCT p.run_id), min(d.backend) FROM plan p JOIN op_case c USING (case_id)"
                       " JOIN device d USING (device_id) GROUP BY c.line").fetchall()
    need(sorted(l[0] for l in lines) == sorted(CASES), "cases", len(lines))
    need(all(l[1] == 1 for l in lines), "a case in two shards")
    need({l[2] for l in lines} == {"cpu", "vulkan"}, "devices", lines)
    need(db.execute("SELECT count(*) FROM plan p LEFT JOIN result r USING (run_id, seq) WHERE r.result_id IS NULL").fetchone() == (0,), "results")
    db.close()


os.makedirs(os.path.join(folder, "bin"))
os.makedirs(os.path.join(folder, "tmp"))
with open(os.path.join(folder, "bin", "assay"), "w", encoding="utf-8") as file:
    file.write('#!/bin/sh\nexec "%s" "$@"\n' % program)
os.chmod(os.path.join(folder, "bin", "assay"), 0o755)
with open(os.path.join(folder, "short.cases"), "w", encoding="utf-8") as file:
    file.write("".join("# made for this test\n%s\n" % case for case in CASES))
history = os.path.join(folder, "history.db")

if part == "plain":
    # The page's first lines name cards; the CPU and the software renderer stand in for them here.
    script = blocks("nightly", "sh")["plain"].replace("cuda:0", "cpu:0").replace("cuda:1", "vulkan:0")
    shell("set -e\n" + script, environment(2))
    merged(history, "night-7")
elif part == "github":
    flow = yaml.safe_load(blocks("nightly", "yaml")["github"])
    job, merge = flow["jobs"]["shard"], flow["jobs"]["merge"]
    for shard in job["strategy"]["matrix"]["shard"]:
        env = plain_env(job["env"], environment(shard, SHARD=shard, NIGHT="night-8"))
        need(env["SHARDS"] == "2", "shards")
        for step in job["steps"]:
            if "run" in step:
                shell("set -e\n" + step["run"], env)
    for step in merge["steps"]:
        if "run" in step:
            shell("set -e\n" + step["run"], plain_env(merge["env"], environment(1, NIGHT="night-8", HISTORY=history)))
    merged(history, "night-8")
    with open(os.path.join(folder, "assay.sarif"), encoding="utf-8") as file:
        need(len(json.load(file)["runs"]) == 2, "sarif of both shards")
    need(os.path.getsize(os.path.join(folder, "assay.xml")) > 1000, "junit")
elif part == "gitlab":
    flow = yaml.safe_load(blocks("nightly", "yaml")["gitlab"])
    need(flow["judge"]["parallel"] == 2, "parallel")
    for shard in (1, 2):
        env = plain_env(flow["judge"]["variables"], environment(shard, CI_NODE_INDEX=shard, CI_NODE_TOTAL=2, CI_PIPELINE_ID=9))
        shell("set -e\n" + "\n".join(flow["judge"]["script"] + flow["judge"]["after_script"]), env)
        need(os.path.exists(os.path.join(folder, "shard-%d.xml" % shard)), "junit")
    shell("set -e\n" + "\n".join(flow["merge"]["script"]), plain_env(flow["merge"]["variables"], environment(1, HISTORY=history)))
    merged(history, "night-9")
elif part == "slurm":
    scripts = blocks("nightly", "sh")
    shared = os.path.join(folder, "shared")
    os.makedirs(shared)
    for shard in (1, 2):
        shell(scripts["slurm shard.sh"], environment(shard, SHARED=shared, SLURM_ARRAY_JOB_ID=77, SLURM_ARRAY_TASK_ID=shard, SLURM_ARRAY_TASK_COUNT=2))
    need(not [n for n in os.listdir(os.path.join(folder, "tmp")) if n.endswith(".db")], "left on the node")
    shell(scripts["slurm merge.sh"], environment(1, SHARED=shared), words=["77"])
    merged(os.path.join(shared, "history.db"), "night-77")
    need(not [n for n in os.listdir(shared) if n.startswith("shard-")], "shards are left")
elif part == "kubernetes":
    job = yaml.safe_load(blocks("nightly", "yaml")["kubernetes"])
    container = job["spec"]["template"]["spec"]["containers"][0]
    need(job["spec"]["completionMode"] == "Indexed" and job["spec"]["completions"] == job["spec"]["parallelism"] == 2, "job")
    need(container["command"] == ["sh", "-c"], "command")
    for index in (0, 1):
        env = {v["name"]: v["value"] for v in container["env"]}
        script = container["args"][0].replace("/tmp/", folder + "/tmp/")  # a pod has a /tmp of its own
        shell(script, {**env, **environment(index + 1, JOB_COMPLETION_INDEX=index, SHARED=folder)})
    shell("assay db merge history.db shard-*.db", environment(1))
    merged(history, "night-1")
elif part == "bisect":
    scripts = blocks("nightly", "sh")
    tree, step = os.path.join(folder, "tree"), os.path.join(folder, "bisect-step.sh")
    os.makedirs(tree)
    with open(step, "w", encoding="utf-8") as file:
        file.write(scripts["bisect-step.sh"])
    env = environment(1, GIT_CONFIG_GLOBAL="/dev/null", GIT_AUTHOR_NAME="t", GIT_AUTHOR_EMAIL="t@t", GIT_COMMITTER_NAME="t",
                      GIT_COMMITTER_EMAIL="t@t", CASE=CASES[3], STEP=step)
    del env["ASSAY_CORPUS"]
    env["ASSAY_DEVICE"] = "stub:0"
    shell("git init -q .", env, cwd=tree)
    engine = os.path.join(os.path.dirname(program), "tests", "stub_faulty.so")
    commits = []
    for number in range(8):
        # Each commit builds a program; from the sixth on its engine flips a bit, the fourth does not build.
        arguments = "flip" if number >= 5 else "-"
        recipe = "false" if number == 3 else ("mkdir -p build && printf '#!/bin/sh\\nexec %s \"$$@\" --engine %s --engine-args %s\\n'"
                                              " >build/assay && chmod +x build/assay" % (program, engine, arguments))
        with open(os.path.join(tree, "Makefile"), "w", encoding="utf-8") as file:
            file.write("# %d\n.PHONY: build/assay\nbuild/assay:\n\t@%s\n" % (number, recipe))
        shell("printf 'build\\nbisect.db*\\n' >.gitignore; git add -A && git commit -q -m %d && git rev-parse HEAD" % number, env, cwd=tree)
        commits.append(shell("git rev-parse HEAD", env, cwd=tree).strip())
    said = shell("set -e\n" + scripts["bisect"], {**env, "BAD": commits[7], "GOOD": commits[0]}, cwd=tree)
    need("first bad commit: [%s]" % commits[5] in said, said)
elif part == "dashboards":
    panel = json.loads(blocks("dashboards", "json")["plain"])
    need(panel["type"] == "table" and len(panel["targets"]) == 2, "panel")
    with open("docs/dashboards.md", encoding="utf-8") as file:
        page = file.read()
    shell('assay run --label night-3 --db history.db --quiet', environment(1))
    script = blocks("dashboards", "sh")["plain"].replace("/var/lib/node_exporter", folder)
    shell("set -e\n" + script, environment(1, NIGHT="night-3"))
    with open(os.path.join(folder, "assay.prom"), encoding="utf-8") as file:
        written = set(re.findall(r"^# TYPE (\S+) gauge$", file.read(), re.M))
    told = set(re.findall(r"\bassay_[a-z_]+", page.split("## A Grafana panel")[0])) - {"assay_"}
    need(written and written <= told, "metrics that the page does not name:", written - told)
    with open("reports/export_prometheus.c", encoding="utf-8") as file:
        made = set(re.findall(r'\{"(assay_[a-z_]+)"', file.read()))
    need(told == made, "metrics of the page and of the program differ:", told ^ made)
    for expression in [t["expr"] for t in panel["targets"]]:
        need(set(re.findall(r"assay_[a-z_]+", expression)) <= made, "panel:", expression)
else:
    need(False, "no part", part)
print(part, "runs as it stands")
