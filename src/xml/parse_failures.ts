import { excerpt, syntax, XmlError, type XmlErrorCode, type XmlProblem } from "./errors.ts";
import { computePosition } from "./gate.ts";
import type { XmlLimits } from "./limits.ts";
import type { XmlElement } from "./tree.ts";

/** State of the parser that an error needs. */
interface Refusing {
  readonly source: string;
  readonly limits: XmlLimits;
}

export function tooMany(parser: Refusing, code: XmlErrorCode, at: number): never {
  const { depth, attributes, nodes } = parser.limits;
  const [en, fr] = code === "XML-DEPTH"
    ? [`More than ${depth} nested elements`, `Plus de ${depth} éléments imbriqués`]
    : code === "XML-ATTRIBUTES"
    ? [
      `An element has more than ${attributes} attributes`,
      `Un élément a plus de ${attributes} attributs`,
    ]
    : [`The document has more than ${nodes} nodes`, `Le document a plus de ${nodes} nœuds`];
  fail(parser, at, { code, en, fr });
}

export function tooLong(parser: Refusing, at: number, length: number): never {
  const { text } = parser.limits;
  fail(parser, at, {
    code: "XML-TEXT",
    en: `A text has ${length} characters; ${text} are allowed`,
    fr: `Un texte compte ${length} caractères ; ${text} sont admis`,
  });
}

export function refuseDeclaration(parser: Refusing, at: number): never {
  if (/^<!DOCTYPE/i.test(parser.source.slice(at, at + 9))) {
    fail(parser, at, {
      code: "XML-DOCTYPE",
      en: "A DOCTYPE declaration is not allowed",
      fr: "Une déclaration DOCTYPE n'est pas admise",
    });
  }
  fail(parser, at, syntax('Malformed markup after "<!"', "Balisage mal formé après « <! »"));
}

export function failUnclosed(
  parser: Refusing,
  element: XmlElement,
  at = parser.source.length,
): never {
  const { qname, line } = element;
  const en = `${qname}, opened on line ${line}, is not closed`;
  const fr = `${qname}, ouvert ligne ${line}, n'est pas fermé`;
  fail(parser, at, syntax(en, fr));
}

export function failTag(parser: Refusing, from: number, at: number): never {
  const tag = parser.source.lastIndexOf("<", from);
  const name = excerpt(parser.source.slice(tag, from));
  fail(parser, at, syntax(`Malformed start tag ${name}`, `Balise ouvrante ${name} mal formée`));
}

export function failTwice(parser: Refusing, qname: string, at: number): never {
  fail(
    parser,
    at,
    syntax(`The attribute ${qname} occurs twice`, `L'attribut ${qname} figure deux fois`),
  );
}

export function fail(parser: Refusing, at: number, problem: XmlProblem): never {
  throw new XmlError(problem, computePosition(parser.source, Math.min(at, parser.source.length)));
}
