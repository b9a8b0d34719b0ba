import { inTurns } from "#src/kernel/in_turns.ts";
import { parseXmlSteps, XmlError } from "#src/xml/mod.ts";

const XSL = "http://www.w3.org/1999/XSL/Transform";

/**
 * What a stylesheet imports and includes, as its compiler reads it. A tree of all its elements would take seconds where it is long: only
 * the tags that may be an import are read as XML, within the root's, which tells their namespaces.
 */
export async function importedBy(text: string): Promise<readonly string[]> {
  const { root, imports } = await inTurns(importTags(text));
  if (imports.size === 0) return [];
  const name = /^<([^\s/>]*)/.exec(root)?.[1];
  try {
    const few = await inTurns(parseXmlSteps(`${root}${[...imports].join("")}</${name}>`));
    return [...few.root.elements()].filter((it) => it.ns === XSL)
      .flatMap((it) => it.attr("href") ?? [])
      .filter((it) => it !== "" && !/^[a-z][a-z\d+.-]*:/i.test(it)).map(decoded);
  } catch (error) {
    if (error instanceof XmlError) return []; // it compiles for nobody
    throw error;
  }
}

function decoded(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    return href;
  }
}

/** What is no element, from its beginning to its end. */
const SKIPPED = [["<!--", "-->"], ["<![CDATA[", "]]>"], ["<?", "?>"]] as const;
/** No letter of an element's name can be written otherwise. */
const IMPORT = /^<(?:[^\s<>/:="']+:)?(?:import|include)[\s/>]/;
const TURN = 1_000;

/** The root's tag, and those right below it that may be an import, each once and empty; what stands behind a mistake is not looked at. */
function* importTags(text: string): Generator<void, { root: string; imports: Set<string> }> {
  const imports = new Set<string>();
  let root = "";
  let depth = 0;
  let seen = 0;
  for (let at = text.indexOf("<"); at >= 0; at = text.indexOf("<", at)) {
    if (++seen % TURN === 0) yield;
    const mark = text[at + 1];
    const [, close] = mark === "!" || mark === "?"
      ? SKIPPED.find(([open]) => text.startsWith(open, at)) ?? []
      : [];
    const end = close === undefined ? endOfTag(text, at) : afterNext(text, close, at);
    if (end === undefined) break;
    if (close === undefined) {
      if (depth === 0) root ||= text.slice(at, end);
      else if (depth === 1 && IMPORT.test(text.slice(at, end))) {
        imports.add(text.slice(at, end).replace(/\/?>$/, "/>"));
      }
      if (mark === "/") depth--;
      else if (text[end - 2] !== "/") depth++;
    }
    at = end;
  }
  return { root, imports };
}

const [LESS, GREATER, DOUBLE, SINGLE] = [0x3c, 0x3e, 0x22, 0x27];

function endOfTag(text: string, from: number): number | undefined {
  for (let at = from + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === GREATER) return at + 1;
    if (unit === LESS) return undefined;
    if (unit !== DOUBLE && unit !== SINGLE) continue;
    at = text.indexOf(unit === DOUBLE ? '"' : "'", at + 1);
    if (at < 0) return undefined;
  }
  return undefined;
}

function afterNext(text: string, close: string, at: number): number | undefined {
  const found = text.indexOf(close, at);
  return found < 0 ? undefined : found + close.length;
}
