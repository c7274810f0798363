/* The pages: what each says, of the data that it loads. */
"use strict";

const CELL = {hash: 0, line: 1, card: 2, kernel: 3, outcome: 4, verdict: 5, differing: 6, ns: 7, slot: 8, flag: 9};

/* Counts by card, operator and slot, of judgements: heat[card][op][slot] = counts by outcome. */
function heat_of(index) {
    const heat = index.cards.map(() => index.ops.map(() => []));
    const timed = index.cards.map(() => []);
    for (const [card, op, slot, bench, ...counts] of index.heat) {
        if (!bench) heat[card][op][slot] = counts;
        else timed[card][slot] = (timed[card][slot] || [0, 0, 0, 0, 0, 0]).map((n, at) => n + counts[at]);
    }
    return {judged: heat, timed};
}

function sum(all) {
    return all.reduce((total, counts) => counts ? total.map((n, at) => n + counts[at]) : total, [0, 0, 0, 0, 0, 0]);
}

/* The newest slot in which a card was judged; -1 for none. */
function newest(heat, card, slots) {
    for (let slot = slots - 1; slot >= 0; slot--) if (heat[card].some(op => op[slot])) return slot;
    return -1;
}

function judged_words(counts) {
    const judged = counts[PASSED] + counts[FAILED], rest = [];
    if (counts[ERRORED]) rest.push(many(counts[ERRORED], "error"));
    if (counts[NOT_RUN]) rest.push(count(counts[NOT_RUN]) + " not run");
    if (counts[SKIPPED]) rest.push(count(counts[SKIPPED]) + " skipped");
    if (counts[UNJUDGED]) rest.push(count(counts[UNJUDGED]) + " not judged");
    const first = !judged ? "no case was judged" : counts[FAILED]
        ? count(counts[FAILED]) + " of " + many(judged, "judged case") + " failed"
        : judged === 1 ? "the one judged case passed" : "all " + count(judged) + " judged cases passed";
    return first + (rest.length ? "; " + rest.join(", ") : "");
}

/* ---- overview ---- */

function trust_words(card) {
    if (card.trust)
        return [card.trust.state === "granted" ? make("strong", null, "granted") : make("strong", null, "withdrawn"),
            " on " + when(card.trust.at) + " by run " + card.trust.run + (card.trust.reason ? ": " + card.trust.reason : "")];
    if (card.software || card.backend === "cpu") return "earns none: software and processors are judged for comparison";
    return "no record yet: a whole `assay verify` makes one";
}

const COVERED = {units: "compute units", memory: "memory", upload: "uploads", download: "downloads"};
const CEILINGS = {copy: "copy, cold", copy_hot: "copy, hot", fma_f32: "float32 FMA", launch: "empty launch", timer: "timer step"};

function passport(card) {
    const amount = (x, unit) => unit === "bytes" ? bytes(x) : count(x) + " " + unit;
    return make("details", null, make("summary", null, "Passport"), facts(
        ["kind", card.kind + (card.software ? ", software" : "")], ["vendor", card.vendor], ["API", card.api],
        ["key", make("code", null, card.key)],
        ["compute units", card.units ? count(card.units) : null], ["memory", card.memory ? bytes(card.memory) : null],
        ["multiply-add", card.fma ? card.fma + ": " + card.fma_why.replace(card.fma + ": ", "") : null],
        ["arithmetic", card.traits.tested ? count(card.traits.tested) + " results measured, " + count(card.traits.wrong) + " not those of IEEE 754" : null],
        ...card.coverage.map(c => [COVERED[c.what] || c.what, amount(c.covered, c.unit) + " of " + amount(c.total, c.unit) +
            " covered in run " + c.run + (c.failed ? ", " + amount(c.failed, c.unit) + " WRONG" : ", none wrong")]),
        ...card.ceilings.map(c => [CEILINGS[c.name] || c.name, rate(c.value, c.unit)])));
}

function tile(index, heat, at, alerts) {
    const card = index.cards[at], slot = newest(heat.judged, at, index.slots.length);
    const counts = slot < 0 ? null : sum(heat.judged[at].map(op => op[slot]));
    const bad = counts ? worst(counts) : -1;
    const state = !card.opened ? badge(ERRORED, card.state) : bad === FAILED ? badge(FAILED, "FAILED")
        : bad === ERRORED || bad === NOT_RUN ? badge(ERRORED, "INCOMPLETE") : bad === PASSED ? badge(PASSED, "PASSED")
        : badge(UNJUDGED, "nothing judged");
    const words = !counts ? "It was not judged in the runs shown." : "In " + index.slots[slot].name + " (" +
        when(index.slots[slot].started) + ") " + judged_words(counts) + ".";
    return make("li.tile", null, make("div.tile-head", null, make("h3", null, card.name), state),
        make("p", null, words, counts && (counts[FAILED] || counts[ERRORED]) ? [" ", make("a", {href:
            list_href("failures.html", {device: card_word(card), slot: index.slots[slot].name})}, "See why")] : null),
        card.opened ? null : make("p", null, "In run " + card.run + " it was " + ({fault: "not opened, by a fault"}[card.state] || card.state) + ": " + card.why),
        alerts ? make("p", null, make("span.badge.failed", null, "! " + many(alerts, "new alert")), " ", make("a", {href:
            list_href("cells.html", {device: card_word(card), show: "alert"})}, "Cells with alerts")) : null,
        facts(["device", card.label + ", " + card.backend], ["driver", (card.driver || "none") +
            (card.drivers > 1 ? " (" + card.drivers + " over the runs shown)" : "")],
        ["UUID", card.uuid ? make("code", null, card.uuid) : null], ["PCI", card.pci ? make("code", null, card.pci) : null],
        ["trust", trust_words(card)]), passport(card));
}

function heat_table(index, heat) {
    const last = index.cards.map((c, at) => newest(heat.judged, at, index.slots.length));
    const rows = index.ops.map((op, o) => make("tr", null, make("th", {scope: "row"}, op), index.cards.map((card, c) => {
        const counts = last[c] < 0 ? null : heat.judged[c][o][last[c]];
        if (!counts) return make("td", null, make("span.quiet", null, "-"));
        const bad = worst(counts), judged = counts[PASSED] + counts[FAILED];
        const text = bad === FAILED ? count(counts[FAILED]) + " of " + count(judged) + " failed"
            : bad === ERRORED || bad === NOT_RUN ? count(counts[ERRORED] + counts[NOT_RUN]) + " not finished"
            : bad === PASSED ? count(judged) + " passed" : OUTCOMES[bad].name;
        return make("td." + OUTCOMES[bad].style, null, make("a", {href: list_href("cells.html", {op, device: card_word(card)})},
            OUTCOMES[bad].sign + " " + text));
    })));
    return make("div.scroll", {tabindex: "0", role: "region", "aria-label": "Operators by device"}, make("table.heat", null,
        make("caption", null, "Cases of the newest run of each device. A cell leads to its cases."),
        make("thead", null, make("tr", null, make("th", {scope: "col"}, "operator"), index.cards.map((card, c) =>
            make("th", {scope: "col"}, card.label, make("div.small.quiet", null, last[c] < 0 ? "not judged" : index.slots[last[c]].name))))),
        make("tbody", null, rows)));
}

function heat_runs(index, heat, card) {
    const ops = index.ops.map((name, at) => ({name, at})).filter(o => heat.judged[card][o.at].some(c => c));
    if (!ops.length) return null;
    const at = (row, slot) => {
        const counts = heat.judged[card][ops[row].at][slot];
        return counts ? worst(counts) : -1;
    };
    const label = card_name(index.cards[card]);
    const slots = index.slots.map((s, slot) => ({name: s.name, slot, started: s.started}))
        .filter(s => ops.some((o, row) => at(row, s.slot) >= 0)).reverse();
    return [make("h3", null, label), chart(null, width => strips(width, ops.map(o => o.name), index.slots, at, label + ": outcomes by operator and run. The table below has the same.")),
    make("details", null, make("summary", null, "As a table"), table({caption: label + ", judged cases by run", rows: slots, size: 20,
        columns: [{name: "run", head: true, show: s => s.name}, {name: "started", show: s => when(s.started)},
            ...ops.map(o => ({name: o.name, show: s => {
                const counts = heat.judged[card][o.at][s.slot];
                return counts ? judged_words(counts) : "";
            }}))]}).node)];
}

const CHANGE = {hash: 0, card: 1, kernel: 2, op: 3, line: 4, event: 5};
const EVENT = {slot: 0, what: 1, lane: 2, alert: 3, fresh: 4, change: 5, p: 6, was: 7, now: 8, cause: 9};

function event_words(e) {
    const words = {slower: "slower", faster: "faster", drift: "drifting slower", explained: "time changed, explained",
        bits: "other bits", verdict: "other verdict", judgement: "judged otherwise"}[e[EVENT.what]] || e[EVENT.what];
    const change = e[EVENT.change];
    return words + (typeof change === "number" ? " " + percent(change) : e[EVENT.was] || e[EVENT.now]
        ? ": " + e[EVENT.was] + " \u2192 " + e[EVENT.now] : "");
}

function changes_table(index, changes) {
    const event = (row, field) => row[CHANGE.event][EVENT[field]];
    return table({caption: "What changed, new alerts first" + (index.changes > changes.length ? "; the newest " + count(changes.length) + " of " + count(index.changes) : ""),
        rows: changes, size: 10, empty: "Nothing changed over the runs shown.", columns: [
            {name: "what", order: r => event_words(r[CHANGE.event]), show: r => [event(r, "alert") ? make("span.badge.failed", null, event(r, "fresh") ? "! new" : "! earlier")
                : make("span.badge.none", null, "note"), " ", event_words(r[CHANGE.event])]},
            {name: "since", order: r => event(r, "slot"), show: r => index.slots[event(r, "slot")].name},
            {name: "case", head: true, style: "name", order: r => r[CHANGE.line], show: r => cell_link(r[CHANGE.hash], r[CHANGE.line])},
            {name: "device", order: r => r[CHANGE.card], show: r => index.cards[r[CHANGE.card]].label},
            {name: "kernel", order: r => index.kernels[r[CHANGE.kernel]], show: r => index.kernels[r[CHANGE.kernel]]},
            {name: "lane", show: r => lane_name(event(r, "lane") || "")},
            {name: "why", show: r => event(r, "cause") || ""}]}).node;
}

function runs_table(index) {
    const exits = [[PASSED, "passed"], [ERRORED, "error"], [FAILED, "failed"], [UNJUDGED, "nothing judged"]];
    return table({caption: "Runs, newest first", rows: index.runs, size: 10, columns: [
        {name: "run", head: true, order: r => r.run, show: r => String(r.run)},
        {name: "started", style: "nowrap", order: r => r.started, show: r => when(r.started)},
        {name: "verb", order: r => r.verb, show: r => r.verb + " " + r.level},
        {name: "label", order: r => r.label, show: r => r.label + (r.shard ? " " + r.shard : "")},
        {name: "exit", order: r => r.exit, show: r => r.exit === null ? badge(NOT_RUN, "not ended")
            : exits[r.exit] ? badge(...exits[r.exit]) : String(r.exit)},
        {name: "reason", show: r => r.reason || ""},
        {name: "revision", show: r => make("code", null, r.revision.slice(0, 12))},
        {name: "host", show: r => r.host}]}).node;
}

async function page_overview(main, index) {
    const heat = heat_of(index), slots = index.slots.length;
    const state = index.cards.map((c, at) => {
        const slot = newest(heat.judged, at, slots);
        return slot < 0 ? -1 : worst(sum(heat.judged[at].map(op => op[slot])));
    });
    const failed = state.filter(s => s === FAILED).length, judged = state.filter(s => s === PASSED || s === FAILED).length;
    const changes = await load("changes");
    const fresh = changes.filter(r => r[CHANGE.event][EVENT.alert] && r[CHANGE.event][EVENT.fresh]), alerts = fresh.length;
    main.append(make("p", null, make("strong", null, !judged ? "No device was judged in the runs shown. "
        : failed ? failed + " of " + many(judged, "judged device") + " failed in its newest run. "
        : judged === 1 ? "The judged device passed its newest run. " : "All " + judged + " judged devices passed their newest run. "),
    alerts ? many(alerts, "change is a new alert", "changes are new alerts") + ". " : "No change is a new alert. ",
    make("span.quiet", null, many(slots, "run") + " shown, the newest " + index.slots[slots - 1].name + " of " +
        when(index.slots[slots - 1].started) + "; " + many(index.cells, "cell") + " with " + many(index.points, "result") + ".")));
    main.append(make("h2", null, "Devices"), make("ul.tiles", null, index.cards.map((c, at) => tile(index, heat, at, fresh.filter(r => r[CHANGE.card] === at).length))));
    main.append(make("h2", null, "What changed"), changes_table(index, changes));
    if (index.ops.length) {
        main.append(make("h2", null, "Operators by device"), heat_table(index, heat));
        main.append(make("h2", null, "Operators by run"),
            make("p.quiet", null, "One column a run, oldest left: green passed, red and crossed failed, yellow not finished, grey not judged."), ...index.cards.map((c, at) => heat_runs(index, heat, at)).filter(x => x).flat());
    }
    main.append(make("h2", null, "Runs"), runs_table(index));
}

/* ---- cells ---- */

function device_choices(index) {
    return [["", "every device"], ...index.cards.map(c => [card_word(c), card_name(c)])];
}

function op_choices(index) {
    return [["", "every operator"], ...[...index.ops].sort().map(op => [op, op])];
}

async function page_cells(main, index) {
    const rows = [], lines = [], ops = [];
    const words = index.cards.map(c => [c.label, c.name, c.backend, c.driver].join(" ").toLowerCase());
    const kernels = index.kernels.map(k => k.toLowerCase());
    let lower = [];
    const card_at = new Map(index.cards.map((c, at) => [card_word(c), at])), op_at = new Map(index.ops.map((op, at) => [op, at]));
    const newest_slot = [];
    const status = make("p", {role: "status"});
    const list = table({caption: "Cells: a case on a device by a kernel, as it was last; failures first", size: 50, empty: "No cell matches.", columns: [
        {name: "outcome", order: r => SEVERITY[r[CELL.outcome]], show: r => badge(r[CELL.outcome],
            r[CELL.outcome] === PASSED || !r[CELL.verdict] ? null : r[CELL.verdict])},
        {name: "case", head: true, style: "name", order: r => lines[r[CELL.line]], show: r => cell_link(r[CELL.hash], lines[r[CELL.line]])},
        {name: "device", order: r => r[CELL.card], show: r => index.cards[r[CELL.card]].label},
        {name: "kernel", order: r => index.kernels[r[CELL.kernel]], show: r => index.kernels[r[CELL.kernel]] || "the engine's choice"},
        {name: "differing", number: true, order: r => r[CELL.differing], show: r => r[CELL.differing] ? count(r[CELL.differing]) : ""},
        {name: "time", number: true, order: r => r[CELL.ns], show: r => duration(r[CELL.ns])},
        {name: "last run", order: r => r[CELL.slot], show: r => index.slots[r[CELL.slot]].name},
        {name: "alert", order: r => -r[CELL.flag], show: r => ["", "earlier", make("span.badge.failed", null, "! new")][r[CELL.flag]]}]});
    const form = filters([
        {name: "q", label: "Search in case, kernel and device", hint: "cancel k=4096 vulkan"},
        {name: "device", label: "Device", choices: device_choices(index)},
        {name: "op", label: "Operator", choices: op_choices(index)},
        {name: "outcome", label: "Outcome", choices: [["", "every outcome"], ...OUTCOMES.map((o, at) => [String(at), o.name])]},
        {name: "show", label: "Show", choices: [["", "all"], ["now", "of the newest run"], ["alert", "with an alert"], ["timed", "with a time"]]}], update);

    function update(values) {
        const card = values.device ? card_at.get(values.device) : undefined, op = values.op ? op_at.get(values.op) : undefined;
        const outcome = values.outcome === "" ? -1 : Number(values.outcome), search = words_of(values.q);
        /* Each word is looked for once in every distinct name. */
        const tests = search.map(w => [lower.map(l => l.includes(w)), kernels.map(k => k.includes(w)), words.map(c => c.includes(w))]);
        const found = rows.filter(r => (card === undefined || r[CELL.card] === card) && (op === undefined || ops[r[CELL.line]] === op) &&
            (outcome < 0 || r[CELL.outcome] === outcome) &&
            (values.show !== "now" || r[CELL.slot] === newest_slot[r[CELL.card]]) && (values.show !== "alert" || r[CELL.flag]) &&
            (values.show !== "timed" || r[CELL.ns] !== null) &&
            tests.every(([l, k, c]) => l[r[CELL.line]] || k[r[CELL.kernel]] || c[r[CELL.card]]));
        list.set(found, loaded < index.cell_files);
        status.textContent = count(found.length) + " of " + many(index.cells, "cell") + " match" +
            (loaded < index.cell_files ? "; " + count(rows.length) + " are loaded so far" : "") + ".";
    }

    let loaded = 0;
    main.append(form.node, status, list.node);
    for (let file = 0; file < index.cell_files; file++) {
        const part = await load("cells-" + file), base = lines.length;
        for (const line of part.cases) { lines.push(line); lower.push(line.toLowerCase()); }
        for (const op of part.ops) ops.push(op);
        for (const row of part.rows) {
            row[CELL.line] += base;
            rows.push(row);
            newest_slot[row[CELL.card]] = Math.max(newest_slot[row[CELL.card]] || 0, row[CELL.slot]);
        }
        loaded = file + 1;
        waiting.delete("cells-" + file);
        if (loaded === index.cell_files) rows.sort((a, b) => SEVERITY[a[CELL.outcome]] - SEVERITY[b[CELL.outcome]]);
        if (loaded === index.cell_files || loaded === 1 || loaded % 10 === 0) update(form.values());
    }
    if (!index.cell_files) update(form.values());
}

/* ---- failures ---- */

function copy_button(text) {
    const button = make("button", {type: "button", onclick: async () => {
        try {
            await navigator.clipboard.writeText(text);
            button.textContent = "Copied";
        } catch (refused) {
            button.textContent = "Select and copy by hand";
        }
    }}, "Copy");
    return button;
}

/* `hash` leads to the cell; null on the cell's own page, where failures have a heading above them. */
function failure(index, hash, f) {
    const of = f.lane ? "timing, " + f.lane : null;
    const value = (bits, shown) => bits ? make("code", null, bits + (shown ? "  " + shown : "")) : null;
    return make("article.failure" + (f.errored ? ".of-error" : ""), null,
        make("span.badge." + (f.errored ? "errored" : "failed"), null, (f.errored ? "! " : "\u2717 ") + f.verdict), " ",
        make("span.small.quiet", null, index.slots[f.slot].name + (index.slots[f.slot].name === "run " + f.run ? "" : ", run " + f.run)),
        make(hash ? "h2" : "h3", null, hash ? cell_link(hash, f.case) : f.case),
        facts(["device", card_name(index.cards[f.card]) + (f.driver ? ", " + f.driver : "")],
            ["kernel", [f.kernel || "the engine's choice", " ", f.code ? make("code", null, f.code.trim()) : null]], ["of", of],
            ["expected", f.expected],
            ["elements", f.elems ? count(f.differing) + " of " + count(f.elems) + " differ" + (f.first ? ", first at " + f.first : "") : null],
            ["got", value(f.got, f.dtype === "f32" ? f.got_value : "")], ["want", value(f.want, f.dtype === "f32" ? f.want_value : "")],
            ["ulp at most", f.ulp === null || f.ulp === undefined ? null : figure(f.ulp)],
            ["oracle", f.oracle ? f.oracle + " v" + f.oracle_version : null], ["reason", f.reason],
            ["case is for", f.why ? f.why + (f.source ? " (" + f.source + ")" : "") : null]),
        f.repro ? make("div.copy", null, make("pre", null, make("code", null, f.repro)), copy_button(f.repro)) : null);
}

async function page_failures(main, index) {
    const all = [];
    for (let file = 0; file < index.failure_files; file++) {
        for (const row of await load("failures-" + file)) all.push(row);
        waiting.delete("failures-" + file);
    }
    const text = all.map(([, f]) => [f.case, f.kernel, f.verdict, f.reason, f.repro, f.why].join(" ").toLowerCase());
    const status = make("p", {role: "status"}), holder = make("div"), position = make("span", {role: "status"});
    const names = index.cards.map(card_word), size = 20;
    let found = [], page = 0;
    const turn = by => { page += by; show(); holder.scrollIntoView(); };
    const before = make("button", {type: "button", onclick: () => turn(-1)}, "Previous"), after = make("button", {type: "button", onclick: () => turn(1)}, "Next");
    const slots = [...new Set(all.map(([, f]) => f.slot))].sort((a, b) => b - a);
    const form = filters([
        {name: "q", label: "Search in case, kernel, reason and reproduction", hint: "cancel DIFF"},
        {name: "device", label: "Device", choices: device_choices(index)},
        {name: "op", label: "Operator", choices: op_choices(index)},
        {name: "slot", label: "Run", choices: [["", "every run"], ...slots.map(s => [index.slots[s].name, index.slots[s].name])]},
        {name: "verdict", label: "Verdict", choices: [["", "every verdict"], ...[...new Set(all.map(([, f]) => f.verdict))].sort().map(v => [v, v])]}], update);

    function show() {
        const pages = Math.max(1, Math.ceil(found.length / size));
        page = Math.min(Math.max(page, 0), pages - 1);
        holder.replaceChildren(...found.slice(page * size, (page + 1) * size).map(([hash, f]) => failure(index, hash, f)));
        position.textContent = pages > 1 ? "Page " + (page + 1) + " of " + count(pages) : "";
        before.disabled = page === 0;
        after.disabled = page === pages - 1;
        before.hidden = after.hidden = pages === 1;
    }

    function update(values) {
        const search = words_of(values.q);
        found = all.filter(([, f], at) => (!values.device || names[f.card] === values.device) && (!values.op || f.op === values.op) &&
            (!values.slot || index.slots[f.slot].name === values.slot) && (!values.verdict || f.verdict === values.verdict) &&
            search.every(w => text[at].includes(w)));
        page = 0;
        status.textContent = !index.failures ? "Nothing failed in the runs shown." : count(found.length) + " of " + many(index.failures, "failure") + " match" +
            (index.failures_shown < index.failures ? "; the newest " + count(index.failures_shown) + " are here, the database has them all" : "") + ".";
        show();
    }

    main.append(form.node, status, holder, make("div.pager", null, before, after, position));
    update(form.values());
}

/* ---- one cell ---- */

const JUDGED = {slot: 0, outcome: 1, verdict: 2, digest: 3, code: 4, driver: 5, run: 6, ns: 7, differing: 8, ulp: 9};
const TIMED = {slot: 0, outcome: 1, verdict: 2, digest: 3, code: 4, driver: 5, run: 6, ns: 7, low: 8, high: 9, count: 10, roofline: 11};

function judged_table(index, cell) {
    return table({caption: "Judgements, newest first", rows: [...cell.judged].reverse(), size: 10, columns: [
        {name: "run", head: true, order: r => r[JUDGED.slot], show: r => index.slots[r[JUDGED.slot]].name},
        {name: "started", style: "nowrap", show: r => when(index.slots[r[JUDGED.slot]].started)},
        {name: "outcome", order: r => SEVERITY[r[JUDGED.outcome]], show: r => badge(r[JUDGED.outcome], r[JUDGED.verdict] || null)},
        {name: "differing", number: true, order: r => r[JUDGED.differing], show: r => count(r[JUDGED.differing])},
        {name: "ulp", number: true, show: r => figure(r[JUDGED.ulp])},
        {name: "digest", show: r => r[JUDGED.digest] < 0 ? "" : make("code", null, cell.digests[r[JUDGED.digest]])},
        {name: "kernel code", show: r => make("code", null, index.codes[r[JUDGED.code]])},
        {name: "driver", show: r => index.drivers[r[JUDGED.driver]]}]}).node;
}

function times_table(index, cell, lanes) {
    const rows = lanes.flatMap(lane => (cell[lane] || []).map(r => ({lane, r}))).sort((a, b) => b.r[TIMED.slot] - a.r[TIMED.slot]);
    return table({caption: "Times, newest first: device time of one run of the kernel", rows, size: 20, columns: [
        {name: "run", head: true, order: t => t.r[TIMED.slot], show: t => index.slots[t.r[TIMED.slot]].name},
        {name: "started", style: "nowrap", show: t => when(index.slots[t.r[TIMED.slot]].started)},
        {name: "lane", order: t => t.lane, show: t => LANES[t.lane]},
        {name: "median", number: true, order: t => t.r[TIMED.ns], show: t => duration(t.r[TIMED.ns])},
        {name: "lowest", number: true, show: t => t.lane === "judged" ? "" : duration(t.r[TIMED.low])},
        {name: "highest", number: true, show: t => t.lane === "judged" ? "" : duration(t.r[TIMED.high])},
        {name: "processes", number: true, show: t => t.lane === "judged" ? "" : count(t.r[TIMED.count])},
        {name: "of roofline", number: true, show: t => t.lane === "judged" || t.r[TIMED.roofline] === null ? "" : (100 * t.r[TIMED.roofline]).toFixed(1) + " %"},
        {name: "verdict", show: t => badge(t.r[TIMED.outcome], t.r[TIMED.verdict] || null)},
        {name: "driver", show: t => index.drivers[t.r[TIMED.driver]]}]}).node;
}

/* Where driver, code or digest is another than before. */
function breaks(index, cell) {
    const out = [], seen = {};
    const all = ["judged", "cold", "hot"].flatMap(lane => cell[lane] || []).sort((a, b) => a[JUDGED.slot] - b[JUDGED.slot]);
    for (const r of all) {
        for (const [field, name, list] of [["driver", "driver", index.drivers], ["code", "kernel code", index.codes], ["digest", "digest", cell.digests]]) {
            const text = r[JUDGED[field]] < 0 ? "" : list[r[JUDGED[field]]];
            if (!text) continue;
            if (seen[field] !== undefined && seen[field] !== text)
                out.push({slot: r[JUDGED.slot], alert: field === "digest", name, text: "new " + name, detail: seen[field] + " \u2192 " + text});
            seen[field] = text;
        }
    }
    return out;
}

async function page_cell(main, index) {
    const hash = location.hash.slice(1);
    const none = text => main.append(make("p", null, text + " ", make("a", {href: "cells.html"}, "All cells")));
    if (!/^[0-9a-f]{16}$/.test(hash)) return none("The address names no cell.");
    const part = await load("history-" + hash.slice(0, index.history_digits));
    const cell = Object.hasOwn(part, hash) ? part[hash] : null;
    if (!cell) return none("This cell is not among the runs shown.");
    const card = index.cards[cell.card], kernel = index.kernels[cell.kernel] || "the engine's choice";
    const events = (cell.events || []).map(e => ({slot: e[EVENT.slot], alert: Boolean(e[EVENT.alert]), text: event_words(e),
        name: e[EVENT.lane] ? "time, " + lane_name(e[EVENT.lane]) : "result", bits: e[EVENT.what] === "bits", detail: e[EVENT.cause] || "", p: e[EVENT.p]}));
    /* The history tells other bits of results that it compares; what it does not is told here. */
    const cuts = breaks(index, cell).filter(c => c.name !== "digest" || !events.some(e => e.bits && e.slot === c.slot));
    document.title = cell.case + " - Assay dashboard";
    main.querySelector("h1").textContent = cell.case;
    const last = cell.judged ? cell.judged[cell.judged.length - 1] : null, lanes = ["hot", "cold", "judged"].filter(lane =>
        (cell[lane] || []).some(r => r[TIMED.ns] !== null));
    main.append(facts(["device", card_name(card)], ["kernel", kernel], ["operator", index.ops[cell.op]],
        ["last verdict", last ? [badge(last[JUDGED.outcome], last[JUDGED.verdict] || null), " in " + index.slots[last[JUDGED.slot]].name] : "timed, not judged here"],
        ["last digest", last && last[JUDGED.digest] >= 0 ? make("code", null, cell.digests[last[JUDGED.digest]]) : null],
        ...lanes.map(lane => ["time, " + lane_name(lane), duration(cell[lane].filter(r => r[TIMED.ns] !== null).pop()[TIMED.ns])])),
    make("p", null, make("a", {href: list_href("cells.html", {device: card_word(card), op: index.ops[cell.op]})}, "All cells of this operator on this device")));
    if (cell.failures)
        main.append(make("h2", null, "Failures"), ...cell.failures.map(f => failure(index, null, f)));
    if (lanes.length) {
        const series = lanes.map(lane => ({lane, points: cell[lane].filter(r => r[TIMED.ns] !== null).map(r => ({slot: r[TIMED.slot], ns: r[TIMED.ns],
            low: lane === "judged" ? r[TIMED.ns] : r[TIMED.low], high: lane === "judged" ? r[TIMED.ns] : r[TIMED.high]}))}));
        const marks = [...events.filter(e => e.name !== "result"), ...cuts.filter(c => c.name !== "digest")].sort((a, b) => a.slot - b.slot);
        main.append(make("h2", null, "Times"), chart("Points are medians, bars the range over processes. The axis does not begin at zero. Dashed lines: what changed there.",
            width => time_chart(width, series, marks, index.slots), lane_legend(lanes)),
        make("details", null, make("summary", null, "As a table"), times_table(index, cell, lanes)));
    }
    main.append(make("h2", null, "What changed"), table({caption: "Changes of this cell, newest first", size: 20, empty: "Nothing changed over the runs shown.",
        rows: [...events, ...cuts].sort((a, b) => b.slot - a.slot), columns: [
            {name: "since", head: true, show: e => index.slots[e.slot].name}, {name: "what", show: e => [e.alert ? make("span.badge.failed", null, "! alert") : null, " ", e.text]},
            {name: "of", show: e => e.name}, {name: "why", show: e => e.detail}, {name: "p", number: true, show: e => e.p === undefined ? "" : figure(e.p)}]}).node);
    if (cell.judged)
        main.append(make("h2", null, "Judgements"), chart("One column a run, oldest left: green passed, red and crossed failed, yellow not finished, grey not judged.", width => {
            const of = new Map(cell.judged.map(r => [r[JUDGED.slot], r[JUDGED.outcome]]));
            return strips(width, ["verdict"], index.slots, (row, slot) => of.has(slot) ? of.get(slot) : -1, "Outcome of this cell by run. The table below has the same.");
        }), judged_table(index, cell));
}

/* ---- start ---- */

const PAGES = {overview: page_overview, cells: page_cells, failures: page_failures, cell: page_cell};

async function start() {
    const main = document.getElementById("main"), state = document.getElementById("state"), page = document.body.dataset.page;
    for (const link of document.querySelectorAll("nav a"))
        if (location.pathname.endsWith("/" + link.getAttribute("href"))) link.setAttribute("aria-current", "page");
    try {
        const index = await load("index");
        await PAGES[page](main, index);
        state.remove();
        document.getElementById("made").textContent = "Written " + when(index.made) + " from " + index.db + " by assay dashboard.";
    } catch (error) {
        state.textContent = "The page cannot be shown: " + error.message;
        console.error(error);
    }
    main.setAttribute("aria-busy", "false");
    document.body.dataset.ready = "1";
    if (page === "cell") window.addEventListener("hashchange", () => location.reload());
}

start();
