/* Data of the pages and how it comes in, numbers with units, and elements. Text from the database becomes text nodes and
 * never markup. Loaded first; dashboard_view.js and dashboard_pages.js build on it. */
"use strict";

/* ---- data ----
 * Pages are opened as files, where nothing can be fetched: each file of data/ is a script that calls assay_data. */

const waiting = new Map();

function assay_data(name, value) {
    const wait = waiting.get(name);
    if (wait) wait.take(value);
}

function load(name) {
    let wait = waiting.get(name);
    if (wait) return wait.promise;
    wait = {};
    wait.promise = new Promise((take, fail) => {
        wait.take = take;
        const script = document.createElement("script");
        script.src = "data/" + name + ".js";
        script.onerror = () => fail(new Error(script.getAttribute("src") + " is missing: write the dashboard again"));
        script.onload = () => script.remove();
        document.head.append(script);
    });
    waiting.set(name, wait);
    return wait.promise;
}

/* ---- words ---- */

const OUTCOMES = [
    {name: "passed", style: "passed", sign: "\u2713"},
    {name: "failed", style: "failed", sign: "\u2717"},
    {name: "error", style: "errored", sign: "!"},
    {name: "skipped", style: "none", sign: "\u2013"},
    {name: "not judged", style: "none", sign: "?"},
    {name: "not run", style: "errored", sign: "\u2026"},
];
const PASSED = 0, FAILED = 1, ERRORED = 2, SKIPPED = 3, UNJUDGED = 4, NOT_RUN = 5;
/* Worst first: the order in which lists begin. */
const SEVERITY = [4, 0, 1, 5, 3, 2];

const LANES = {
    hot: "hot (caches warm)",
    cold: "cold (caches emptied)",
    judged: "beside judging (few samples)",
};

/* The few samples beside a judgement are the lane "run" of a history. */
function lane_name(lane) {
    return lane === "run" || lane === "judged" ? "beside judging" : lane;
}

function count(n) {
    return Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, ",");
}

function many(n, one, more) {
    return count(n) + " " + (n === 1 ? one : more || one + "s");
}

function figure(x) {
    if (x === null || x === undefined || x === "") return "-";
    if (typeof x === "string") return x;
    return x === 0 ? "0" : Math.abs(x) >= 1e6 || Math.abs(x) < 1e-3 ? x.toExponential(2) : String(Number(x.toPrecision(4)));
}

function scaled(x, units, step) {
    let at = 0;
    while (at + 1 < units.length && Math.abs(x) >= step) { x /= step; at++; }
    return Number(x.toPrecision(3)) + " " + units[at];
}

function duration(ns) {
    return ns === null || ns === undefined ? "-" : scaled(ns, ["ns", "\u00b5s", "ms", "s"], 1000);
}

function bytes(x) {
    return scaled(x, ["bytes", "KiB", "MiB", "GiB", "TiB"], 1024);
}

function rate(x, unit) {
    return unit === "ns" ? duration(x) : scaled(x, ["", "k", "M", "G", "T", "P"], 1000) + unit;
}

function percent(part) {
    const x = 100 * part;
    return (x > 0 ? "+" : x < 0 ? "\u2212" : "") + Math.abs(x).toFixed(1) + " %";
}

/* "2026-01-31T01:02:03.000Z" for people. */
function when(utc) {
    const m = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(utc || "");
    return m ? m[1] + " " + m[2] + " UTC" : utc || "-";
}

function day(utc) {
    const m = /^(\d{4}-\d\d-\d\d)/.exec(utc || "");
    return m ? m[1] : utc || "-";
}

/* ---- elements ----
 * make("a.small", {href: "x"}, "text", node, null): a tag with classes, attributes, children. */

function make(what, attributes, ...children) {
    const [tag, ...classes] = what.split(".");
    return fill(document.createElement(tag), classes, attributes, children);
}

function draw(what, attributes, ...children) {
    const [tag, ...classes] = what.split(".");
    return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), classes, attributes, children);
}

function fill(node, classes, attributes, children) {
    if (classes.length) node.setAttribute("class", classes.join(" "));
    for (const [name, value] of Object.entries(attributes || {}))
        if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
        else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
    for (const child of children.flat(Infinity))
        if (child !== null && child !== undefined && child !== false) node.append(child);
    return node;
}

function badge(outcome, text) {
    const o = OUTCOMES[outcome];
    return make("span.badge." + o.style, null, o.sign + " " + (text || o.name));
}

/* Rows of a definition list; those without a value are left out. */
function facts(...rows) {
    return make("dl", null, rows.filter(r => r[1] !== null && r[1] !== undefined && r[1] !== "" && r[1] !== false)
        .map(([name, value]) => [make("dt", null, name), make("dd", null, value)]));
}

function cell_link(hash, text) {
    return make("a", {href: "cell.html#" + hash}, text);
}

/* ---- the address ---- behind '#': name=value&..., so that a view can be handed on. */

function address() {
    return new URLSearchParams(location.hash.slice(1));
}

function set_address(values) {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(values)) if (value) search.set(name, value);
    const text = search.toString();
    history.replaceState(null, "", location.pathname + location.search + (text ? "#" + text : "#"));
}

function list_href(page, values) {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(values)) if (value) search.set(name, value);
    return page + "#" + search.toString();
}

/* A card in an address: what stays the same when the dashboard is written again. */
function card_word(card) {
    return card.backend + " " + card.key;
}

function card_name(card) {
    return card.label + " " + card.name;
}
