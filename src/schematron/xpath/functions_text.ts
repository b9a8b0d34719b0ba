import { compareText, toText } from "./atomic.ts";
import {
  anyText,
  argument,
  type Builtin,
  createFunctions,
  dependsWith,
  type FunctionCall,
  numericArgument,
  optionalText,
  textArgument,
} from "./arguments.ts";
import {
  boolCode,
  type Code,
  collector,
  manyCode,
  oneCode,
  OPTIONAL,
  type Sink,
  type Walker,
} from "./code.ts";
import { failAt } from "./env.ts";
import { XPathFault } from "./faults.ts";
import type { EvaluationFrame } from "./frame.ts";
import { FN } from "./namespaces.ts";
import { toDouble } from "./numbers.ts";
import { translateRegex, translateReplacement } from "./regex.ts";

export const TEXT_FUNCTIONS: readonly [string, Builtin][] = createFunctions({
  string: [0, 1, (call) => {
    const text = anyText(argument(call, 0), "string");
    return oneCode("string", dependsWith(call, 1), text);
  }],
  concat: [2, 1000, (call) => {
    const parts = call.args.map((code) => anyText(code, "concat"));
    return oneCode("string", call.depends, (frame) => {
      let text = "";
      for (const part of parts) text += part(frame);
      return text;
    });
  }],
  "string-join": [1, 2, compileJoin],
  "normalize-space": [0, 1, (call) => {
    const text = textArgument(call, 0);
    return oneCode("string", dependsWith(call, 1), (frame) => normalizeSpace(text(frame)));
  }],
  "string-length": [0, 1, (call) => {
    const text = textArgument(call, 0);
    return oneCode("integer", dependsWith(call, 1), (frame) => computeLength(text(frame)));
  }],
  "upper-case": [1, 1, (call) => mapText(call, (text) => text.toUpperCase())],
  "lower-case": [1, 1, (call) => mapText(call, (text) => text.toLowerCase())],
  contains: [2, 2, compileContains],
  "starts-with": [2, 2, (call) => testText(call, (text, part) => text.startsWith(part))],
  "ends-with": [2, 2, (call) => testText(call, (text, part) => text.endsWith(part))],
  "substring-before": [
    2,
    2,
    (call) => mapTwo(call, (text, part) => text.slice(0, Math.max(0, text.indexOf(part)))),
  ],
  "substring-after": [2, 2, (call) =>
    mapTwo(call, (text, part) => {
      const at = text.indexOf(part);
      return at < 0 ? "" : text.slice(at + part.length);
    })],
  substring: [2, 3, compileSubstring],
  translate: [3, 3, compileTranslate],
  matches: [2, 3, (call) => {
    const text = textArgument(call, 0);
    const regex = regexArgument(call, 1, 2);
    return boolCode(call.depends, (frame) => regex(frame).test(text(frame)));
  }],
  replace: [3, 4, compileReplace],
  tokenize: [1, 3, compileTokenize],
  compare: [2, 2, (call) => {
    const [a, b] = [optionalText(call, 0), optionalText(call, 1)];
    return oneCode("integer", call.depends, (frame) => {
      const [x, y] = [a(frame), b(frame)];
      return x === undefined || y === undefined ? undefined : Math.sign(compareText(x, y));
    }, OPTIONAL);
  }],
  "codepoint-equal": [2, 2, (call) => {
    const [a, b] = [optionalText(call, 0), optionalText(call, 1)];
    return oneCode("boolean", call.depends, (frame) => {
      const [x, y] = [a(frame), b(frame)];
      return x === undefined || y === undefined ? undefined : x === y;
    }, OPTIONAL);
  }],
  "string-to-codepoints": [1, 1, (call) => {
    const text = textArgument(call, 0);
    const each = (sink: Sink): Walker => (frame) => {
      for (const char of text(frame)) if (sink(frame, char.codePointAt(0) ?? 0)) return true;
      return false;
    };
    return manyCode("integer", call.depends, each);
  }],
  "codepoints-to-string": [1, 1, (call) => {
    const codes = collector(argument(call, 0).each);
    return oneCode(
      "string",
      call.depends,
      (frame) => String.fromCodePoint(...codes(frame).map((item) => Number(toText(item)))),
    );
  }],
  "encode-for-uri": [
    1,
    1,
    (call) =>
      mapText(
        call,
        (text) =>
          encodeURIComponent(text).replace(/[!'()*]/g, (char) =>
            `%${char.charCodeAt(0).toString(16).toUpperCase()}`),
      ),
  ],
});

/** Length in characters, not UTF-16 units. */
function computeLength(text: string): number {
  let { length } = text;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit <= 0xdbff) length--;
  }
  return length;
}

const ODD_SPACE = /^[ \t\n\r]|[\t\n\r]| {2}|[ \t\n\r]$/;

function normalizeSpace(text: string): string {
  return ODD_SPACE.test(text) ? text.replace(/[ \t\n\r]+/g, " ").replace(/^ | $/g, "") : text;
}

function mapText(call: FunctionCall, map: (text: string) => string): Code {
  const text = textArgument(call, 0);
  return oneCode("string", call.depends, (frame) => map(text(frame)));
}

function mapTwo(call: FunctionCall, map: (text: string, other: string) => string): Code {
  const [a, b] = [textArgument(call, 0), textArgument(call, 1)];
  return oneCode("string", call.depends, (frame) => map(a(frame), b(frame)));
}

function testText(call: FunctionCall, test: (text: string, part: string) => boolean): Code {
  const [a, b] = [textArgument(call, 0), textArgument(call, 1)];
  return boolCode(call.depends, (frame) => test(a(frame), b(frame)));
}

/**
 * Compiles `contains(' A B C ', concat(' ', x, ' '))`, the usual test for a code of a list, to a lookup in a set.
 */
function compileContains(call: FunctionCall): Code {
  const [list] = call.args[0]?.constant ?? [];
  const [, wanted] = call.expr.args;
  const padded = wanted?.t === "call" && wanted.name === `{${FN}}concat` &&
    wanted.args.length === 3 &&
    isSpace(wanted.args[0]) && isSpace(wanted.args[2]);
  const plain = testText(call, (text, part) => text.includes(part));
  if (!padded || typeof list !== "string" || !/^( [^ ]+)+ $/.test(list)) return plain;
  const codes = new Set(list.slice(1, -1).split(" "));
  const part = textArgument(call, 1);
  return boolCode(call.depends, (frame) => {
    const text = part(frame);
    const code = text.slice(1, -1);
    return code.includes(" ") || code === "" ? list.includes(text) : codes.has(code);
  });
}

function isSpace(expr: FunctionCall["expr"]["args"][number] | undefined): boolean {
  return expr?.t === "literal" && expr.value === " ";
}

function compileJoin(call: FunctionCall): Code {
  const items = collector(argument(call, 0).each);
  const separator = call.args.length > 1 ? textArgument(call, 1) : () => "";
  return oneCode(
    "string",
    call.depends,
    (frame) => items(frame).map(toText).join(separator(frame)),
  );
}

/** Compiles fn:substring: positions count characters from 1 and are rounded; NaN selects nothing. */
function compileSubstring(call: FunctionCall): Code {
  const text = textArgument(call, 0);
  const start = numericArgument(call, 1);
  const length = call.args.length > 2 ? numericArgument(call, 2) : undefined;
  return oneCode("string", call.depends, (frame) => {
    const from = start(frame);
    const size = length?.(frame);
    if (from === undefined || (length !== undefined && size === undefined)) {
      throw new XPathFault(
        "XPTY0004",
        "substring() expects a number",
        "substring() attend un nombre",
      );
    }
    const first = Math.round(toDouble(from));
    const end = size === undefined ? Infinity : first + Math.round(toDouble(size));
    if (Number.isNaN(first) || Number.isNaN(end)) return "";
    return slice(text(frame), first - 1, end - 1);
  });
}

function slice(text: string, from: number, to: number): string {
  const first = Math.max(0, from);
  if (to <= first) return "";
  return /[\uD800-\uDBFF]/.test(text)
    ? Array.from(text).slice(first, to).join("")
    : text.slice(first, to);
}

function compileTranslate(call: FunctionCall): Code {
  const [text, from, to] = [textArgument(call, 0), textArgument(call, 1), textArgument(call, 2)];
  return oneCode("string", call.depends, (frame) => {
    const source = Array.from(from(frame));
    const target = Array.from(to(frame));
    const map = new Map<string, string>();
    for (const [at, char] of source.entries()) if (!map.has(char)) map.set(char, target[at] ?? "");
    let out = "";
    for (const char of text(frame)) out += map.get(char) ?? char;
    return out;
  });
}

/**
 * Returns the regular expression of an argument; a constant one is translated once, and refused when it is wrong.
 */
function regexArgument(
  call: FunctionCall,
  pattern: number,
  flags: number,
): (frame: EvaluationFrame) => RegExp {
  const [constant] = call.args[pattern]?.constant ?? [];
  const [option = ""] = call.args[flags] === undefined
    ? [""]
    : call.args[flags]?.constant ?? [undefined];
  if (
    typeof constant === "string" && typeof option === "string" &&
    call.args[flags]?.constant?.length !== 0
  ) {
    const regex = constantRegex(call, constant, option);
    return () => regex;
  }
  const source = textArgument(call, pattern);
  const more = call.args.length > flags ? textArgument(call, flags) : () => "";
  let last: { source: string; flags: string; regex: RegExp } | undefined;
  return (frame) => {
    const wanted = { source: source(frame), flags: more(frame) };
    if (last === undefined || last.source !== wanted.source || last.flags !== wanted.flags) {
      last = { ...wanted, regex: translateRegex(wanted.source, wanted.flags) };
    }
    return last.regex;
  };
}

function constantRegex(call: FunctionCall, pattern: string, flags: string): RegExp {
  try {
    return translateRegex(pattern, flags);
  } catch (fault) {
    if (fault instanceof XPathFault) failAt(call.expr, fault.en, fault.fr);
    throw fault;
  }
}

function compileReplace(call: FunctionCall): Code {
  const text = textArgument(call, 0);
  const regex = regexArgument(call, 1, 3);
  const replacement = textArgument(call, 2);
  let last: { found: RegExp; wanted: string; replace: (text: string) => string } | undefined;
  return oneCode("string", call.depends, (frame) => {
    const found = regex(frame);
    const wanted = replacement(frame);
    if (last === undefined || last.found !== found || last.wanted !== wanted) {
      last = { found, wanted, replace: replacer(found, wanted) };
    }
    return last.replace(text(frame));
  });
}

function replacer(regex: RegExp, replacement: string): (text: string) => string {
  refuseEmpty(regex);
  const every = new RegExp(regex.source, `${regex.flags}g`);
  if (!/[\\$]/.test(replacement)) return (text) => text.replace(every, () => replacement);
  const groups = (new RegExp(`${regex.source}|`, regex.flags).exec("")?.length ?? 1) - 1;
  const build = translateReplacement(replacement, groups);
  return (text) =>
    text.replace(
      every,
      (...match) => build(match.slice(0, groups + 1).map((part) => String(part ?? ""))),
    );
}

function refuseEmpty(regex: RegExp): void {
  if (regex.test("")) {
    throw new XPathFault(
      "FORX0003",
      "the regular expression matches the empty string",
      "l'expression rationnelle accepte la chaîne vide",
    );
  }
}

function compileTokenize(call: FunctionCall): Code {
  const text = textArgument(call, 0);
  const split = call.args.length === 1
    ? (frame: EvaluationFrame) => normalizeSpace(text(frame)).split(" ")
    : splitter(call, text);
  const each = (sink: Sink): Walker => (frame) =>
    text(frame) !== "" && split(frame).some((part) => sink(frame, part));
  return manyCode("string", call.depends, each);
}

function splitter(
  call: FunctionCall,
  text: (frame: EvaluationFrame) => string,
): (frame: EvaluationFrame) => string[] {
  const regex = regexArgument(call, 1, 2);
  let last: { found: RegExp; every: RegExp } | undefined;
  return (frame) => {
    const found = regex(frame);
    if (last?.found !== found) {
      refuseEmpty(found);
      last = { found, every: new RegExp(found.source, `${found.flags}g`) };
    }
    const source = text(frame);
    const parts: string[] = [];
    let from = 0;
    for (const match of source.matchAll(last.every)) {
      parts.push(source.slice(from, match.index));
      from = match.index + match[0].length;
    }
    return [...parts, source.slice(from)];
  };
}
