// Runs the stylesheet of its primer on the sources of each job.
import SaxonJS from "saxon-js";
import { serve } from "../children/serve.ts";
import { lockDown } from "./lock_down.ts";
import { vet } from "./vet.ts";

const ERROR_NS = "urn:passerelle:transform";

/** Node of a stylesheet in SaxonJS' export format. */
interface SefNode {
  readonly N?: string;
  readonly C?: readonly SefNode[];
}

/** Stylesheet in SaxonJS' export format; `PRIMED` is set once SaxonJS has prepared it. */
interface Stylesheet extends SefNode {
  readonly PRIMED?: unknown;
}

/** Sources to transform, with the parameters of the stylesheet. */
interface Job {
  readonly sources?: readonly string[];
  readonly params: Readonly<Record<string, string>>;
}

/** Sentence of a stylesheet about an element, in both languages. */
interface Complaint {
  readonly element: string;
  readonly value: string;
  readonly fr: string;
  readonly en: string;
}

const held: { sef?: string; stylesheet?: Stylesheet; shortened?: Stylesheet } = {};

lockDown(SaxonJS, {});
serve((job: Job, { sef }: { readonly sef: string }) => {
  if (held.sef !== sef) {
    const stylesheet = JSON.parse(sef);
    vet(stylesheet);
    Object.assign(held, { sef, stylesheet });
  }
  return job.sources === undefined ? {} : transformAll(job.sources, job.params);
});

/** Time after which a message is answered; its other sources are sent again, with all of their time. */
const MESSAGE_MS = 100;

function transformAll(sources: readonly string[], params: Job["params"]): object[] {
  const answers: object[] = [];
  const begun = performance.now();
  for (const source of sources) {
    if (answers.length && performance.now() - begun > MESSAGE_MS) break;
    answers.push(transform(source, params));
  }
  return answers;
}

function transform(source: string, given: Job["params"]): object {
  const messages: string[] = [];
  let complaint: Complaint | undefined;
  if (held.stylesheet) endWalkAtComponents(held.stylesheet);
  try {
    const result = SaxonJS.transform({
      stylesheetInternal: held.stylesheet,
      sourceText: source,
      destination: "serialized",
      stylesheetParams: params(given),
      deliverMessage: (content: Content) => {
        complaint = complaintIn(content);
        messages.push(complaint ? complaint.en : formatText(content));
      },
    }, "sync");
    return { output: result.principalResult ?? "", messages };
  } catch (error) {
    return { messages, error: toFailure(error, complaint) };
  }
}

/**
 * Ends SaxonJS' search for packages and global declarations at components, which contain none. SaxonJS searches the
 * whole stylesheet three times per transform, a sixth of the time of a usual invoice. Its preparation needs every node,
 * so the search ends earlier only afterwards.
 */
function endWalkAtComponents(stylesheet: Stylesheet): void {
  if (!stylesheet.PRIMED || held.shortened === stylesheet) return;
  held.shortened = stylesheet;
  for (const node of stylesheet.C ?? []) {
    if (node.N !== "co" || !node.C || node.C.some(holdsGlobal)) continue;
    Object.defineProperty(node.C, "forEach", { value: () => {} });
  }
}

function holdsGlobal(node: SefNode): boolean {
  return node.N === "package" || node.N === "glob" || Boolean(node.C?.some(holdsGlobal));
}

function params(values: Job["params"]): object {
  const entries = Object.entries(values)
    .map(([name, value]) => [name, SaxonJS.atom(value, "untypedAtomic")]);
  return Object.fromEntries(entries);
}

function toFailure(thrown: unknown, complaint: Complaint | undefined): object {
  const error = thrown as { message?: unknown; code?: unknown; xsltLineNr?: unknown } | undefined;
  return {
    message: String(error?.message ?? error),
    code: String(error?.code ?? ""),
    line: Number(error?.xsltLineNr ?? 0) || 0,
    ...complaint && { complaint },
  };
}

/** Node of a message, as SaxonJS delivers it. */
interface Content {
  readonly firstChild?: Content | null;
  readonly nextSibling?: Content | null;
  readonly namespaceURI?: string | null;
  readonly localName?: string;
  readonly textContent?: string | null;
  getAttribute?(name: string): string | null;
}

/** Reads a message `<p:error element= value=><p:fr>…</p:fr><p:en>…</p:en></p:error>`. */
function complaintIn(content: Content): Complaint | undefined {
  const element = content?.firstChild;
  if (element?.namespaceURI !== ERROR_NS || element.localName !== "error") return undefined;
  const found = {
    element: element.getAttribute?.("element") ?? "",
    value: element.getAttribute?.("value") ?? "",
    fr: "",
    en: "",
  };
  for (let child = element.firstChild; child; child = child.nextSibling) {
    if (child.localName === "fr") found.fr = formatText(child);
    if (child.localName === "en") found.en = formatText(child);
  }
  return found;
}

function formatText(node: Content): string {
  return String(node?.textContent ?? node ?? "");
}
