// Runs transforms sent as JSON lines on standard input, answers each with one line, ends when the input ends.
import process from "node:process";
import SaxonJS from "saxon-js";
import { lockDown } from "./lock_down.js";

const ERROR_NS = "urn:passerelle:transform";
const { stdin, stdout } = process;
const exit = process.exit.bind(process);
const stylesheets = new Map();

lockDown(SaxonJS, {});
stdin.setEncoding("utf8");
let waiting = "";
stdin.on("data", (text) => {
  const lines = (waiting + text).split("\n");
  waiting = lines.pop() ?? "";
  for (const line of lines) stdout.write(`${JSON.stringify(answer(JSON.parse(line)))}\n`);
});
stdin.on("end", () => exit(0));

function answer(job) {
  const messages = [];
  let complaint;
  try {
    if (job.sef) stylesheets.set(job.hash, JSON.parse(job.sef));
    const result = SaxonJS.transform({
      stylesheetInternal: stylesheets.get(job.hash),
      sourceText: job.source,
      destination: "serialized",
      stylesheetParams: params(job.params),
      deliverMessage: (content) => {
        complaint = complaintIn(content);
        messages.push(complaint ? complaint.en : textOf(content));
      },
    }, "sync");
    return { id: job.id, output: result.principalResult ?? "", messages };
  } catch (error) {
    return { id: job.id, messages, error: told(error, complaint) };
  }
}

function params(values) {
  const entries = Object.entries(values)
    .map(([name, value]) => [name, SaxonJS.atom(value, "untypedAtomic")]);
  return Object.fromEntries(entries);
}

function told(error, complaint) {
  return {
    message: String(error?.message ?? error),
    code: String(error?.code ?? ""),
    line: Number(error?.xsltLineNr ?? 0) || 0,
    module: String(error?.xsltModule ?? ""),
    complaint,
  };
}

/** A message `<p:error element= value=><p:fr>…</p:fr><p:en>…</p:en></p:error>`: a sentence in both languages. */
function complaintIn(content) {
  const element = content?.firstChild;
  if (element?.namespaceURI !== ERROR_NS || element.localName !== "error") return undefined;
  const found = {
    element: element.getAttribute("element") ?? "",
    value: element.getAttribute("value") ?? "",
    fr: "",
    en: "",
  };
  for (let child = element.firstChild; child; child = child.nextSibling) {
    if (child.localName === "fr") found.fr = textOf(child);
    if (child.localName === "en") found.en = textOf(child);
  }
  return found;
}

function textOf(node) {
  return String(node?.textContent ?? node ?? "");
}
