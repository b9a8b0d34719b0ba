import { isXmlCodePoint } from "./characters.ts";
import { excerpt, type XmlProblem } from "./errors.ts";

const PREDEFINED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

/** A reference that cannot be replaced, with its offset in the text that held it. */
interface BadReference {
  readonly problem: XmlProblem;
  readonly at: number;
}

/** Replaces the five predefined entities and character references; nothing else exists without a DOCTYPE. */
export function decodeReferences(text: string): string | BadReference {
  let out = "";
  let done = 0;
  for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", done)) {
    const end = text.indexOf(";", at);
    const name = end < 0 ? "" : text.slice(at + 1, Math.min(end, at + 32));
    const value = end < 0 ? undefined : replacement(name);
    if (value === undefined) return { problem: refusal(text, at, end), at };
    out += text.slice(done, at) + value;
    done = end + 1;
  }
  return out + text.slice(done);
}

function replacement(name: string): string | undefined {
  if (name.charCodeAt(0) !== 35) {
    return Object.hasOwn(PREDEFINED, name) ? PREDEFINED[name] : undefined;
  }
  const code = /^#x[0-9a-fA-F]{1,8}$/.test(name)
    ? parseInt(name.slice(2), 16)
    : /^#[0-9]{1,9}$/.test(name)
    ? parseInt(name.slice(1), 10)
    : -1;
  return isXmlCodePoint(code) ? String.fromCodePoint(code) : undefined;
}

function refusal(text: string, at: number, end: number): XmlProblem {
  const shown = excerpt(text.slice(at, end < 0 || end > at + 40 ? at + 40 : end + 1));
  if (end < 0 || !/^&[#\w.:-]+;$/.test(shown)) {
    return {
      code: "XML-SYNTAX",
      en: `"&" starts no reference here: ${shown}`,
      fr: `« & » n'ouvre pas de référence ici : ${shown}`,
    };
  }
  return {
    code: "XML-ENTITY",
    en: `The reference ${shown} is not allowed`,
    fr: `La référence ${shown} n'est pas admise`,
  };
}
