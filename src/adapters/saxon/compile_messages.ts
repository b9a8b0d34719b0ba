import { join, relative, sep } from "node:path";
import { runYielding } from "#src/kernel/run_yielding.ts";
import { transformError } from "#src/ports/xslt.ts";
import { parseXmlSteps, TEXT, type XmlElement } from "#src/xml/mod.ts";
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
  const reason = said.replace(/^Error \w+[^\n]*:\s*/, "").replace(
    /^Static error in (?:XPath|pattern) on line \d+(?: in \S+)? /,
    "",
  )
    .replaceAll("Q{}", "").replace(/ code:\w+$/, "")
    .replaceAll(`file://${heard.folder}`, heard.base).replaceAll(heard.folder, heard.base)
    .replaceAll(/\s+/g, " ").slice(0, 500);
  const { file, line } = await findPosition(closure, { ...heard, said });
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

interface Place {
  readonly file: string;
  readonly line: number;
}

type TextNode = Exclude<XmlElement["children"][number], XmlElement>;

/** Position of an attribute or a text that contains an expression, or is it. */
interface ExpressionPlace extends Place {
  readonly isWhole: boolean;
}

/**
 * Finds the position of an error. The compiler names the end of the module's path or, for errors inside XPath,
 * only the expression.
 */
async function findPosition(
  closure: Closure,
  { said, folder, base }: CompilerMessage,
): Promise<Place> {
  const line = Number(/\bon line (\d+)/.exec(said)?.[1] ?? 0);
  const named = / on line \d+ in (\S+):/.exec(said)?.[1];
  if (named !== undefined) {
    const found = [...closure.files.keys()]
      .find((file) => join(folder, relative(base, file)).endsWith(`${sep}${named}`));
    if (found !== undefined) return { file: found, line };
  }
  const expression = /on line \d+ \{([\s\S]*?)(?:\.\.\.)?\}:/.exec(said)?.[1]?.slice(0, 40);
  const places = expression ? await findPositions(closure, plain(expression)) : [];
  const rank = (place: ExpressionPlace) => (place.isWhole ? 0 : 1e9) + Math.abs(place.line - line);
  const [best = { file: closure.main, line }] = places.sort((a, b) => rank(a) - rank(b));
  return { file: best.file, line: best.line };
}

/** Returns the positions of an expression in attributes, and in text between braces. */
async function findPositions(closure: Closure, expression: string): Promise<ExpressionPlace[]> {
  const places: ExpressionPlace[] = [];
  for (const [file, { text }] of closure.files) {
    const { all } = await runYielding(parseXmlSteps(text));
    await runYielding(function* () {
      for (const { attributes, children, line } of all) {
        const texts = attributes.map((at) => plain(at.text)).filter((it) =>
          it.includes(expression)
        );
        const isWhole = texts.some((it) => it === expression || isBraced(it, expression));
        if (texts.length) places.push({ file, line, isWhole });
        for (const it of children) {
          if (it.kind === TEXT && isBraced(plain(it.text), expression)) {
            places.push({ file, line: findBraceLine(it, expression), isWhole: true });
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

/** Returns the line of the brace before the expression; the text may begin some lines above it. */
function findBraceLine({ document, order, text }: TextNode, expression: string): number {
  const { source } = document;
  const end = order + text.length;
  for (let at = source.indexOf("{", order); at >= 0 && at < end; at = source.indexOf("{", at + 1)) {
    if (plain(source.slice(at + 1, at + 200)).startsWith(expression)) {
      return document.placeOf(at).line;
    }
  }
  return document.placeOf(order).line;
}

function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
