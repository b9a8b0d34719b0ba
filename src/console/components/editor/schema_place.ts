/**
 * Position of the cursor in a YAML or JSON text. It is found by lines and brackets, since the text may be
 * incomplete.
 */
export interface SchemaPosition {
  /** Keys from the root; `[]` is a list item. */
  readonly path: readonly string[];
  readonly at: "key" | "value";
  /** Text already typed, and where it begins. */
  readonly typed: string;
  readonly from: number;
  /** Sibling keys, with the text after them on their line. */
  readonly siblings: ReadonlyMap<string, string>;
  readonly isQuoted: boolean;
}

export const ITEM = "[]";

/** Returns the position of an offset; undefined in a comment. */
export function findSchemaPosition(text: string, offset: number): SchemaPosition | undefined {
  if (/^\s*\{/.test(text)) return inFlow(text, { from: 0, to: offset, path: [] });
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const before = text.slice(start, offset);
  if (/(^|\s)#/.test(before)) return undefined;
  const { entries, column, rest } = readLine(before);
  const around = surroundings(text, { start, end: offset, column, own: entries });
  const pair = /^((?:"[^"]*"|'[^']*'|[^\s"'{[:#][^:#{[]*?))\s*:(\s+|$)(.*)$/s.exec(rest);
  const path = pair ? [...around.path, bare(pair[1] ?? "")] : around.path;
  const value = pair ? pair[3] ?? "" : rest;
  const from = offset - value.length;
  if (/^[{[]/.test(value)) return inFlow(text, { from, to: offset, path });
  if (pair && pair[2] === "") return undefined;
  const isQuoted = /^["']/.test(value);
  return {
    path,
    at: pair ? "value" : "key",
    typed: isQuoted ? value.slice(1) : value,
    from: isQuoted ? from + 1 : from,
    siblings: around.siblings,
    isQuoted,
  };
}

interface Entry {
  readonly column: number;
  /** Undefined for a dash. */
  readonly key: string | undefined;
  readonly value: string;
}

/** Reads the dashes, keys and value of a line, and the column where they begin. */
function readLine(line: string): { entries: Entry[]; column: number; rest: string } {
  const entries: Entry[] = [];
  let column = /^ */.exec(line)?.[0].length ?? 0;
  for (;;) {
    const dash = /^-( +|$)/.exec(line.slice(column));
    if (!dash) return { entries, column, rest: line.slice(column) };
    entries.push({ column, key: undefined, value: "" });
    column += dash[0].length;
  }
}

function getEntries(line: string): Entry[] {
  const { entries, column, rest } = readLine(line);
  const pair = /^((?:"[^"]*"|'[^']*'|[^\s"'{[:#][^:#]*?))\s*:(?:\s+(.*))?$/.exec(rest);
  if (!pair) return entries;
  return [...entries, { column, key: bare(pair[1] ?? ""), value: (pair[2] ?? "").trim() }];
}

const bare = (key: string) => key.trim().replace(/^(["'])(.*)\1$/, "$2");

function surroundings(
  text: string,
  { start, end, column: own, own: dashes }: {
    start: number;
    end: number;
    column: number;
    own: readonly Entry[];
  },
): { path: string[]; siblings: Map<string, string> } {
  const path: string[] = [];
  const siblings = new Map<string, string>();
  let column = own;
  /** A list may be indented like its key: further dashes there are items of the same list. */
  let listAt: number | undefined;
  const take = (entry: Entry) => {
    if (entry.key !== undefined && entry.column === own && path.length === 0) {
      siblings.set(entry.key, entry.value);
    }
    if (entry.column >= column) return;
    if (entry.key === undefined) {
      if (listAt !== undefined && entry.column >= listAt) return;
      path.unshift(ITEM);
      listAt = entry.column;
      column = entry.column + 1;
    } else {
      path.unshift(entry.key);
      listAt = undefined;
      column = entry.column;
    }
  };
  for (const it of dashes.toReversed()) take(it);
  for (const line of text.slice(0, start).split("\n").toReversed()) {
    for (const it of getEntries(line).toReversed()) take(it);
  }
  for (const line of text.slice(end).split("\n").slice(1)) {
    if (!line.trim()) continue;
    if (line.length - line.trimStart().length < own) break;
    const [first] = getEntries(line);
    if (first?.key !== undefined && first.column === own) siblings.set(first.key, first.value);
  }
  return { path, siblings };
}

interface Bracket {
  readonly isMap: boolean;
  key: string | undefined;
  readonly keys: Map<string, string>;
}

/** Finds the position between brackets, as in JSON or flow-style YAML. */
function inFlow(
  text: string,
  { from, to, path }: { from: number; to: number; path: readonly string[] },
): SchemaPosition | undefined {
  const open: Bracket[] = [];
  let token = "";
  let at = from;
  let quote: string | undefined;
  const end = () => {
    const top = open.at(-1);
    if (top?.isMap && top.key !== undefined) top.keys.set(top.key, token.trim());
    if (top) top.key = undefined;
    token = "";
  };
  for (let i = from; i < to; i++) {
    const char = text[i] ?? "";
    if (quote !== undefined) {
      if (char === "\\" && quote === '"') token += text[++i] ?? "";
      else if (char === quote) quote = undefined;
      else token += char;
      continue;
    }
    if (char === '"' || char === "'") {
      quote = char;
      token = "";
      at = i + 1;
    } else if (char === "{" || char === "[") {
      open.push({ isMap: char === "{", key: undefined, keys: new Map() });
      token = "";
    } else if (char === "}" || char === "]") {
      end();
      open.pop();
      end();
    } else if (char === ",") end();
    else if (char === ":" && open.at(-1)?.isMap && open.at(-1)?.key === undefined) {
      const top = open.at(-1);
      if (top) top.key = token.trim();
      token = "";
    } else if (/\s/.test(char) && token === "") continue;
    else {
      if (token === "") at = i;
      token += char;
    }
  }
  const top = open.at(-1);
  if (!top) return undefined;
  const inside = open.flatMap((it) => it.isMap ? it.key ?? [] : ITEM);
  const isFresh = token === "" && quote === undefined;
  return {
    path: [...path, ...inside],
    at: top.isMap && top.key === undefined ? "key" : "value",
    typed: token,
    from: isFresh ? to : at,
    siblings: top.keys,
    isQuoted: quote !== undefined,
  };
}
