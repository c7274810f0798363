/* Views that pages are made of: tables in pages of rows, filters, charts. They know no page. */
"use strict";

/* ---- a table ----
 * columns: {name, show(row) -> text or node, order(row) -> number or text, number: true, head: true}. Only the rows of one
 * page are elements; the others stay numbers. */

function table(options) {
    const columns = options.columns;
    let rows = options.rows || [], page = 0, sorted = -1, down = false;
    const size = options.size || 50;
    const body = make("tbody"), position = make("span", {role: "status"});
    const before = make("button", {type: "button", onclick: () => turn(-1)}, "Previous");
    const after = make("button", {type: "button", onclick: () => turn(1)}, "Next");
    const heads = columns.map((c, at) => make("th" + (c.number ? ".number" : ""), {scope: "col"},
        c.order ? make("button", {type: "button", onclick: () => sort(at)}, c.name) : c.name));
    const pager = make("div.pager", null, before, after, position);
    const node = make("div", null, make("div.scroll", {tabindex: "0", role: "region", "aria-label": options.caption},
        make("table.stack", null, make("caption", null, options.caption), make("thead", null, make("tr", null, heads)), body)),
        pager);

    function show() {
        const pages = Math.max(1, Math.ceil(rows.length / size));
        page = Math.min(Math.max(page, 0), pages - 1);
        const shown = rows.slice(page * size, (page + 1) * size);
        body.replaceChildren(...shown.map(row => make("tr", null, columns.map(c => {
            const value = c.show(row);
            return make((c.head ? "th" : "td") + (c.number ? ".number" : "") + (c.style ? "." + c.style : ""),
                {scope: c.head ? "row" : null, "data-name": c.head ? null : c.name}, value);
        }))));
        if (!rows.length) body.append(make("tr", null, make("td", {colspan: columns.length}, options.empty || "None.")));
        position.textContent = rows.length > size
            ? "Rows " + count(page * size + 1) + " to " + count(page * size + shown.length) + " of " + count(rows.length)
            : many(rows.length, "row");
        before.disabled = page === 0;
        after.disabled = page === pages - 1;
        before.hidden = after.hidden = pages === 1;
    }

    function turn(by) {
        page += by;
        show();
    }

    function sort(at) {
        down = sorted === at ? !down : Boolean(columns[at].number);
        sorted = at;
        arrange();
        page = 0;
        show();
    }

    function arrange() {
        heads.forEach((head, at) => {
            if (at === sorted) head.setAttribute("aria-sort", down ? "descending" : "ascending");
            else head.removeAttribute("aria-sort");
        });
        if (sorted < 0) return;
        const order = columns[sorted].order, sign = down ? -1 : 1;
        const keyed = rows.map((row, at) => ({row, at, key: order(row)}));
        /* What has no value comes last, whichever way. */
        keyed.sort((a, b) => (a.key === null) - (b.key === null) ||
            (a.key < b.key ? -sign : a.key > b.key ? sign : a.at - b.at));
        rows = keyed.map(k => k.row);
    }

    show();
    return {
        node,
        set(next, keep) {
            rows = next;
            if (!keep) page = 0;
            arrange();
            show();
        },
    };
}

/* ---- filters ----
 * fields: {name, label, choices: [[value, text], ...]} or without choices a text to search. change(values) is called for
 * the first time at once, and the address follows. */

function filters(fields, change) {
    const start = address(), inputs = {};
    let timer = 0;
    const labels = fields.map(f => {
        const input = f.choices
            ? make("select", {name: f.name}, f.choices.map(([value, text]) => make("option", {value}, text)))
            : make("input", {type: "search", name: f.name, spellcheck: "false", autocomplete: "off", placeholder: f.hint});
        if (start.has(f.name)) input.value = start.get(f.name);
        if (f.choices && input.selectedIndex < 0) input.selectedIndex = 0;
        input.addEventListener("input", () => {
            clearTimeout(timer);
            timer = setTimeout(tell, f.choices ? 0 : 120);
        });
        inputs[f.name] = input;
        return make(f.choices ? "label" : "label.wide", null, f.label, input);
    });
    const clear = make("button", {type: "button", onclick: () => {
        for (const f of fields) inputs[f.name].value = f.choices ? f.choices[0][0] : "";
        tell();
    }}, "Clear");

    function values() {
        return Object.fromEntries(fields.map(f => [f.name, inputs[f.name].value]));
    }

    function tell() {
        const now = values(), kept = {};
        for (const f of fields) if (!f.choices || now[f.name] !== f.choices[0][0]) kept[f.name] = now[f.name];
        set_address(kept);
        change(now);
    }

    /* A link to this very page changes the address alone. */
    window.addEventListener("hashchange", () => {
        const next = address();
        for (const f of fields) inputs[f.name].value = next.get(f.name) || (f.choices ? f.choices[0][0] : "");
        change(values());
    });
    return {node: make("form.filters", {role: "search", onsubmit: e => e.preventDefault()}, labels, clear), values};
}

/* "a b" finds what holds both, in any case of letters. */
function words_of(text) {
    return text.toLowerCase().split(/\s+/).filter(w => w);
}

/* ---- charts ---- */

/* Drawn again at each width, so that letters keep their size. */
function chart(caption, render, extra) {
    const holder = make("div"), figure_node = make("figure.chart", null, holder, extra, caption && make("figcaption", null, caption));
    let width = 0;
    new ResizeObserver(() => {
        const next = Math.floor(holder.clientWidth);
        if (next === width || next < 50) return;
        width = next;
        holder.replaceChildren(render(width));
    }).observe(holder);
    return figure_node;
}

/* Round steps of 1, 2 or 5 times a power of ten. */
function ticks(low, high, most) {
    const raw = (high - low) / most, power = Math.pow(10, Math.floor(Math.log10(raw)));
    const step = [1, 2, 5, 10].map(f => f * power).find(s => s >= raw) || raw, out = [];
    for (let at = Math.ceil(low / step) * step; at <= high + step / 1000; at += step) out.push(at);
    return out;
}

const MARKERS = {
    hot: (x, y) => draw("circle.hot", {cx: x, cy: y, r: 3}),
    cold: (x, y) => draw("rect.cold", {x: x - 3, y: y - 3, width: 6, height: 6}),
    judged: (x, y) => draw("path.judged", {d: "M" + x + " " + (y - 4) + "l4 7h-8z"}),
};

/* series: {lane, points: [{slot, ns, low, high}]}; events: {slot, text, alert}; slots: names by number. */
function time_chart(width, series, events, slots) {
    const height = 280, left = 72, right = 12, top = 34, bottom = 44;
    const all = series.flatMap(s => s.points);
    const from = Math.min(...all.map(p => p.slot)), to = Math.max(...all.map(p => p.slot), from + 1);
    let low = Math.min(...all.map(p => p.low || p.ns)), high = Math.max(...all.map(p => p.high || p.ns));
    /* Never magnified beyond 10 %: noise must not look like news. */
    const least = 0.1 * high, pad = Math.max(0.08 * (high - low), (least - (high - low)) / 2, 0);
    low = Math.max(0, low - pad);
    high += pad;
    const x = slot => left + (slot - from) / (to - from) * (width - left - right);
    const y = ns => top + (high - ns) / (high - low) * (height - top - bottom);
    const svg = draw("svg", {width, height, viewBox: "0 0 " + width + " " + height, role: "img",
        "aria-label": "Time of one run of the kernel, by run of the dashboard. The table below has the same numbers."});
    for (const at of ticks(low, high, 5))
        svg.append(draw("line.grid", {x1: left, x2: width - right, y1: y(at), y2: y(at)}),
            draw("text", {x: left - 6, y: y(at) + 4, "text-anchor": "end"}, duration(at)));
    const names = [...new Set(all.map(p => p.slot))].sort((a, b) => a - b);
    const step = Math.max(1, Math.ceil(names.length / Math.max(2, Math.floor((width - left) / 110))));
    names.forEach((slot, at) => {
        const last = at === names.length - 1;
        if (!last && (at % step || names.length - 1 - at < step)) return;
        svg.append(draw("line.axis", {x1: x(slot), x2: x(slot), y1: height - bottom, y2: height - bottom + 4}),
            draw("text", {x: x(slot), y: height - bottom + 17,
                "text-anchor": names.length === 1 || at === 0 ? "start" : last ? "end" : "middle"}, short(slots[slot].name)));
    });
    svg.append(draw("line.axis", {x1: left, x2: width - right, y1: height - bottom, y2: height - bottom}),
        draw("line.axis", {x1: left, x2: left, y1: top, y2: height - bottom}),
        draw("text", {x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle"}, "run, oldest first"),
        draw("text", {x: 6, y: 14}, "median device time of one run of the kernel"));
    events.filter(e => e.slot >= from && e.slot <= to).forEach((e, at) => {
        const line = x(e.slot) - (e.slot > from ? (width - left - right) / (to - from) / 2 : 0), end = line > width * 0.6;
        svg.append(draw("line.event" + (e.alert ? "" : ".calm"), {x1: line, x2: line, y1: top, y2: height - bottom}),
            draw("text.event-text" + (e.alert ? "" : ".calm"), {x: line + (end ? -4 : 4), y: top + 12 + 14 * (at % 4),
                "text-anchor": end ? "end" : "start"}, e.text));
    });
    for (const s of series) {
        svg.append(draw("path.line." + s.lane, {d: s.points.map((p, at) => (at ? "L" : "M") + x(p.slot) + " " + y(p.ns)).join("")}));
        for (const p of s.points) {
            if (p.high > p.low) svg.append(draw("line.range." + s.lane, {x1: x(p.slot), x2: x(p.slot), y1: y(p.low), y2: y(p.high)}));
            const mark = MARKERS[s.lane](x(p.slot), y(p.ns));
            mark.append(draw("title", null, slots[p.slot].name + ": " + duration(p.ns)));
            svg.append(mark);
        }
    }
    return svg;
}

function short(name) {
    return name.length > 14 ? name.slice(0, 13) + "\u2026" : name;
}

function lane_legend(lanes) {
    return make("ul.legend", null, lanes.map(lane => make("li", null,
        draw("svg", {viewBox: "0 0 14 14", "aria-hidden": "true"}, MARKERS[lane](7, 7)), LANES[lane])));
}

/* The worst that counts of outcomes hold: an outcome, or -1 for nothing. */
function worst(counts) {
    for (const outcome of [FAILED, ERRORED, NOT_RUN, PASSED, UNJUDGED, SKIPPED]) if (counts[outcome]) return outcome;
    return -1;
}

const STRIP_STYLE = ["cell-passed", "cell-failed", "cell-errored", "cell-none", "cell-none", "cell-errored"];

/* One square a row and slot; at(row, slot) gives an outcome or -1. A failure is crossed, not only red. */
function strips(width, rows, slots, at, label) {
    const left = Math.min(150, Math.max(70, width * 0.22)), gap = 1, high = 18, top = 2, bottom = 20;
    const side = Math.min(28, (width - left) / slots.length), height = top + rows.length * (high + 3) + bottom;
    const svg = draw("svg", {width, height, viewBox: "0 0 " + width + " " + height, role: "img", "aria-label": label});
    rows.forEach((row, r) => {
        const y = top + r * (high + 3);
        svg.append(draw("text", {x: left - 6, y: y + 13, "text-anchor": "end"}, row.length > left / 7 ? row.slice(0, Math.floor(left / 7) - 1) + "\u2026" : row));
        for (let slot = 0; slot < slots.length; slot++) {
            const outcome = at(r, slot);
            if (outcome < 0) continue;
            const x = left + slot * side, w = Math.max(1, side - gap);
            svg.append(draw("rect." + STRIP_STYLE[outcome], {x, y, width: w, height: high},
                draw("title", null, row + ", " + slots[slot].name + ": " + OUTCOMES[outcome].name)));
            if (outcome === FAILED)
                svg.append(draw("path.mark", {d: "M" + x + " " + y + "l" + w + " " + high + "m0 " + -high + "l" + -w + " " + high}));
        }
    });
    const y = height - 6, end = left + slots.length * side, room = 7 * short(slots[0].name).length + 12;
    svg.append(draw("text", {x: left, y}, short(slots[0].name)));
    /* The newest run's name ends below its square, or begins behind the first name. */
    if (slots.length > 1) {
        const name = short(slots[slots.length - 1].name), fits = end - left > room + 7 * name.length;
        svg.append(draw("text", {x: fits ? end : left + room, y, "text-anchor": fits ? "end" : "start"}, fits ? name : "to " + name));
    }
    return svg;
}
