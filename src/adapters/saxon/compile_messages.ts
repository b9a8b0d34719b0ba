import { join, relative, sep } from "node:path";
import { runYielding } from "#src/kernel/run_yielding.ts";
import { transformError } from "#src/ports/xslt.ts";
import { parseXmlSteps, TEXT, type XmlDocument, type XmlElement } from "#src/xml/mod.ts";
import type { Closure } from "./closure.ts";

interface CompilerMessage {
  /** Standard error of the compiler. */
  readonly said: string;
  /** Folder of the copies; `base` is the folder they were copied from. */
  readonly folder: string;
  readonly base: string;
}

/** Returns the compiler's error with its file and line. */
export async function compileFailure(closure: Closure, heard: CompilerMessage): Promise<Error> {
  const said = heard.said.replace(/Failed to compile stylesheet\s*$/, "").trim();
  const code = /Error (\w+)/.exec(said)?.[1] ?? "";
  const wrong = readWrongExpression(said);
  const reason = (wrong ? describeWrong(wrong) : said.replace(/^Error \w+[^\n]*:\s*/, ""))
    .replaceAll("Q{}", "").replace(/ code:\w+$/, "")
    .replaceAll(`file://${heard.folder}`, heard.base).replaceAll(heard.folder, heard.base)
    .replaceAll(/\s+/g, " ").slice(0, 500);
  const { file, line } = await findPosition(closure, { ...heard, said }, wrong);
  const en = line === 0 ? file : `${file}, line ${line}`;
  const fr = line === 0 ? file : `${file}, ligne ${line}`;
  const what = reason || "the compiler ended without a result";
  return transformError({
    kind: "stylesheet",
    stylesheet: closure.stylesheet,
    messageFr: `${fr} : la feuille de style ne se compile pas : ${what}`,
    file,
    line,
    errorCode: code,
  }, `${en}: the stylesheet does not compile: ${what}`);
}

/**
 * Returns the error for a construct that runs text as code, reaches JavaScript or writes files, with its
 * position.
 */
export function notAllowed(closure: Closure, details: Readonly<Record<string, unknown>>): Error {
  const construct = String(details["construct"]);
  const line = Number(details["line"]) || 0;
  const module = String(details["module"] ?? "");
  const file =
    [...closure.files.keys()].find((it) => module !== "" && it.endsWith(`${sep}${module}`)) ??
      closure.main;
  const en = line === 0 ? file : `${file}, line ${line}`;
  const fr = line === 0 ? file : `${file}, ligne ${line}`;
  return transformError({
    kind: "stylesheet",
    stylesheet: closure.stylesheet,
    messageFr: `${fr} : ${construct} n'est pas admis dans une feuille de style`,
    file,
    line,
    errorCode: "",
  }, `${en}: ${construct} is not allowed in a stylesheet`);
}

/** An expression that the compiler quotes, and its complaint. */
interface WrongExpression {
  readonly text: string;
  readonly why: string;
  /** Patterns of the name or text within it that is at fault, the surest first; empty if the compiler names none. */
  readonly faults: readonly RegExp[];
}

/** Characters of an expression before and after its fault that a message quotes. */
const QUOTED = 40;

function readWrongExpression(said: string): WrongExpression | undefined {
  const [, text, why = ""] =
    /Static error in (?:XPath|pattern) on line \d+(?: in \S+)? \{([\s\S]*)\}:\s+([\s\S]*)$/.exec(
      said,
    ) ??
      [];
  if (text === undefined) return undefined;
  return {
    text: plain(text),
    why: plain(why).replaceAll(/Q\{[^}]*\}/g, ""),
    faults: listFaults(why),
  };
}

const literally = (text: string) => text.replaceAll(/[^\w\s]/g, "\\$&");

/** Returns patterns of the name or text in the compiler's words. */
function listFaults(why: string): RegExp[] {
  const after = "(?![\\w.-])";
  const [, variable] = /variable (?:Q\{[^}]*\})?([\w.-]+)/.exec(why) ?? [];
  if (variable) return [RegExp(`\\$(?:[\\w.-]+:)?${literally(variable)}${after}`, "g")];
  const [, called] = /function (?:Q\{[^}]*\})?([\w.-]+)\(/.exec(why) ?? [];
  if (called) return [RegExp(`(?<![\\w.-])${literally(called)}(?=\\s*\\()`, "g")];
  const [, prefix] = /for prefix '([\w.-]+)'/.exec(why) ?? [];
  if (prefix) return [RegExp(`(?<![\\w.-])${literally(prefix)}:`, "g")];
  const [, axis] = /axis name: ([\w.-]+)/.exec(why) ?? [];
  if (axis) return [RegExp(`(?<![\\w.-])${literally(axis)}\\s*::`, "g")];
  const [, name] = /found name "([^"]+)"/.exec(why) ?? [];
  if (name) return [RegExp(`(?<![\\w.-])${literally(name)}${after}`, "g")];
  const [, found = ""] = /found .*?"([\s\S]+)"\)?\s*$/.exec(why) ?? [];
  if (!found.trim()) return [];
  const words = found.trim().split(/\s+/).map(literally).join("\\s*");
  // The compiler names a text without its quotes, and `LT` is also within 'LTR'.
  return [RegExp(`(?<=(['"]))${words}(?=\\1)`, "g"), RegExp(words, "g")];
}

/** Returns the offset of the fault in a text; undefined unless it is clear which occurrence is meant. */
function indexOfFault(text: string, faults: readonly RegExp[] = []): number | undefined {
  for (const fault of faults) {
    const [first, second] = text.matchAll(fault);
    if (first && (second === undefined || first[0].startsWith("$"))) return first.index;
  }
  return undefined;
}

/** The reason comes first: an expression may take a screen, so only the part around the fault is quoted. */
function describeWrong({ text, why, faults }: WrongExpression): string {
  const from = Math.max(0, (indexOfFault(text, faults) ?? 0) - QUOTED);
  const part = text.slice(from, from + 2 * QUOTED);
  const isCut = from + part.length < text.length;
  return `${why}: {${from > 0 ? "…" : ""}${part}${isCut ? "…" : ""}}`;
}

interface Place {
  readonly file: string;
  readonly line: number;
}

type TextNode = Exclude<XmlElement["children"][number], XmlElement>;

/** Position of an attribute or a text that contains an expression, or is it. */
interface ExpressionPlace extends Place {
  readonly isWhole: boolean;
  /** Part of the file with the expression, and its offset. */
  readonly document: XmlDocument;
  readonly from: number;
  readonly to: number;
}

/**
 * Finds the position of an error. The compiler names the end of the module's path or, for errors inside XPath,
 * only the expression.
 */
async function findPosition(
  closure: Closure,
  { said, folder, base }: CompilerMessage,
  wrong: WrongExpression | undefined,
): Promise<Place> {
  const line = Number(/\bon line (\d+)/.exec(said)?.[1] ?? 0);
  const named = / on line \d+ in (\S+):/.exec(said)?.[1];
  if (named !== undefined) {
    const found = [...closure.files.keys()]
      .find((file) => join(folder, relative(base, file)).endsWith(`${sep}${named}`));
    if (found !== undefined) return { file: found, line };
  }
  const expression = wrong?.text.replace(/\.\.\.$/, "").slice(0, 40);
  const places = expression ? await findPositions(closure, plain(expression)) : [];
  const rank = (place: ExpressionPlace) => (place.isWhole ? 0 : 1e9) + Math.abs(place.line - line);
  const [best] = places.sort((a, b) => rank(a) - rank(b));
  if (!best) return { file: closure.main, line };
  const { file, document, from, to } = best;
  const at = indexOfFault(document.source.slice(from, to), wrong?.faults);
  return { file, line: at === undefined ? best.line : document.placeOf(from + at).line };
}

/** Returns the positions of an expression in attributes, and in text between braces. */
async function findPositions(closure: Closure, expression: string): Promise<ExpressionPlace[]> {
  const places: ExpressionPlace[] = [];
  for (const [file, { text }] of closure.files) {
    const document = await runYielding(parseXmlSteps(text));
    const { all } = document;
    await runYielding(function* () {
      for (const { attributes, children, line, order, contentStart } of all) {
        const texts = attributes.map((at) => plain(at.text)).filter((it) =>
          it.includes(expression)
        );
        const isWhole = texts.some((it) => it === expression || isBraced(it, expression));
        if (texts.length) {
          places.push({ file, line, isWhole, document, from: order, to: contentStart });
        }
        for (const it of children) {
          if (it.kind === TEXT && isBraced(plain(it.text), expression)) {
            const from = findBrace(it, expression);
            const { line } = document.placeOf(from);
            const to = it.order + it.text.length;
            places.push({ file, line, isWhole: true, document, from, to });
          }
        }
        yield;
      }
    }());
  }
  return places;
}

/** Returns true if braces in a text or in an attribute begin with the expression. */
function isBraced(text: string, expression: string): boolean {
  return text.replaceAll("{ ", "{").includes(`{${expression}`);
}

/** Returns the offset of the brace before the expression; the text may begin some lines above it. */
function findBrace({ document, order, text }: TextNode, expression: string): number {
  const { source } = document;
  const end = order + text.length;
  for (let at = source.indexOf("{", order); at >= 0 && at < end; at = source.indexOf("{", at + 1)) {
    if (plain(source.slice(at + 1, at + 200)).startsWith(expression)) return at;
  }
  return order;
}

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
