const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Markup that is safe to insert as it is. Only `markup` and `raw` make it. */
export interface Markup {
  readonly markup: string;
}

type Part = Markup | string | number | undefined | readonly (Markup | string | undefined)[];

/** Template tag that escapes values, unless they are markup already. */
export function markup(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = texts[0] ?? "";
  parts.forEach((part, at) => text += writePart(part) + (texts[at + 1] ?? ""));
  return { markup: text };
}

/** Our own constant text (style sheets), never anything of a document. */
export function raw(text: string): Markup {
  return { markup: text };
}

export function escape(text: string): string {
  return visible(text).replace(/[&<>"']/g, (it) => ESCAPES[it] ?? it);
}

/** Replaces characters forbidden in XML 1.0 by a visible mark, so that our output can always be parsed. */
function visible(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/gu, "\uFFFD");
}

function writePart(part: Part): string {
  if (part === undefined) return "";
  if (typeof part === "string") return escape(part);
  if (typeof part === "number") return String(part);
  if ("markup" in part) return part.markup;
  return part.map(writePart).join("");
}
