// Runs one stylesheet, its primer, on the sources it is sent.
import SaxonJS from "saxon-js";
import { serve } from "../children/serve.js";
import { lockDown } from "./lock_down.js";
import { keepMapsAsGiven } from "./quick_maps.js";
import { compareTextsAtOnce } from "./quick_texts.js";
import { vet } from "./vet.js";

const ERROR_NS = "urn:passerelle:transform";
const held = {};

lockDown(SaxonJS, {});
compareTextsAtOnce(SaxonJS);
keepMapsAsGiven(SaxonJS);
serve((job, { sef }) => {
  if (held.sef !== sef) {
    const stylesheet = JSON.parse(sef);
    vet(stylesheet);
    Object.assign(held, { sef, stylesheet });
  }
  return job.sources === undefined ? {} : transformAll(job);
});

/** Of one message; the sources that are left after it are asked for again, with all of their time. */
const MESSAGE_MS = 100;

function transformAll({ sources, params }) {
  const answers = [];
  const begun = performance.now();
  for (const source of sources) {
    if (answers.length && performance.now() - begun > MESSAGE_MS) break;
    answers.push(transform({ source, params }));
  }
  return answers;
}

function transform(job) {
  const messages = [];
  let complaint;
  endWalkAtComponents(held.stylesheet);
  try {
    const result = SaxonJS.transform({
      stylesheetInternal: held.stylesheet,
      sourceText: job.source,
      destination: "serialized",
      stylesheetParams: params(job.params),
      deliverMessage: (content) => {
        complaint = complaintIn(content);
        messages.push(complaint ? complaint.en : textOf(content));
      },
    }, "sync");
    return { output: result.principalResult ?? "", messages };
  } catch (error) {
    return { messages, error: failureOf(error, complaint) };
  }
}

/**
 * SaxonJS looks through the whole stylesheet three times in each transform for packages and global declarations, a sixth of the time
 * of a usual invoice. None lies inside a component, so that once it has prepared the stylesheet, which needs every node, the
 * look ends there.
 */
function endWalkAtComponents(stylesheet) {
  if (!stylesheet.PRIMED || held.shortened === stylesheet) return;
  held.shortened = stylesheet;
  for (const node of stylesheet.C ?? []) {
    if (node.N !== "co" || !node.C || node.C.some(holdsGlobal)) continue;
    Object.defineProperty(node.C, "forEach", { value: () => {} });
  }
}

function holdsGlobal(node) {
  return node.N === "package" || node.N === "glob" || Boolean(node.C?.some(holdsGlobal));
}

function params(values) {
  const entries = Object.entries(values)
    .map(([name, value]) => [name, SaxonJS.atom(value, "untypedAtomic")]);
  return Object.fromEntries(entries);
}

function failureOf(error, complaint) {
  return {
    message: String(error?.message ?? error),
    code: String(error?.code ?? ""),
    line: Number(error?.xsltLineNr ?? 0) || 0,
    ...complaint && { complaint },
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
