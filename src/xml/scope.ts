import { syntax, type XmlProblem } from "./errors.ts";
import { internName, type XmlName, type XmlNames } from "./names.ts";

const XML_NS = "http://www.w3.org/XML/1998/namespace";
const XMLNS_NS = "http://www.w3.org/2000/xmlns/";

/** The namespace bindings in force, and the names already resolved under them. */
export interface NamespaceScope {
  readonly names: XmlNames;
  readonly uris: Map<string, string>;
  /** Names of elements and of prefixed attributes; replaced whenever bindings change. */
  known: Map<string, XmlName>;
  /** Unprefixed attribute names, which no binding changes. */
  readonly attributes: Map<string, XmlName>;
}

/** Attribute as written: its name, the offset of the name, and its value with references resolved. */
export interface RawAttribute {
  readonly qname: string;
  readonly at: number;
  readonly value: string;
}

/** State to restore when an element that declared namespaces closes. */
export interface SavedBindings {
  readonly known: Map<string, XmlName>;
  readonly previous: readonly (readonly [string, string | undefined])[];
}

export function newScope(names: XmlNames): NamespaceScope {
  return { names, uris: new Map([["xml", XML_NS]]), known: new Map(), attributes: new Map() };
}

export function bindNamespaces(
  scope: NamespaceScope,
  attributes: readonly RawAttribute[],
): SavedBindings | XmlProblem | undefined {
  let previous: [string, string | undefined][] | undefined;
  for (const { qname, value } of attributes) {
    if (!qname.startsWith("xmlns") || (qname.length > 5 && qname.charCodeAt(5) !== 58)) continue;
    const prefix = qname.slice(6);
    const problem = refusal(qname, prefix, value);
    if (problem !== undefined) return problem;
    previous ??= [];
    if (previous.some(([bound]) => bound === prefix)) {
      return syntax(`${qname} is declared twice`, `${qname} est déclaré deux fois`);
    }
    previous.push([prefix, scope.uris.get(prefix)]);
    scope.uris.set(prefix, value);
  }
  if (previous === undefined) return undefined;
  const binding = { known: scope.known, previous };
  scope.known = new Map();
  return binding;
}

export function unbind(scope: NamespaceScope, binding: SavedBindings): void {
  for (const [prefix, uri] of binding.previous) {
    if (uri === undefined) scope.uris.delete(prefix);
    else scope.uris.set(prefix, uri);
  }
  scope.known = binding.known;
}

/** Returns the name behind a spelling that is already known to be a Name; remembered in the scope. */
export function resolveName(
  scope: NamespaceScope,
  qname: string,
  unprefixedAttribute: boolean,
): XmlName | XmlProblem {
  const colon = qname.indexOf(":");
  const prefix = colon < 0 ? "" : qname.slice(0, colon);
  const local = colon < 0 ? qname : qname.slice(colon + 1);
  if (colon === 0 || local === "" || local.includes(":") || /^[\d.\-\u00B7]/.test(local)) {
    return syntax(`"${qname}" is not a qualified name`, `« ${qname} » n'est pas un nom qualifié`);
  }
  const uri = unprefixedAttribute ? "" : scope.uris.get(prefix);
  if (uri === undefined && prefix !== "") {
    return syntax(`The prefix ${prefix} is not declared`, `Le préfixe ${prefix} n'est pas déclaré`);
  }
  const ns = uri ?? "";
  const name = {
    id: internName(scope.names, ns, local),
    ns,
    local,
    prefix,
    qname,
    next: undefined,
  };
  (unprefixedAttribute ? scope.attributes : scope.known).set(qname, name);
  return name;
}

function refusal(qname: string, prefix: string, uri: string): XmlProblem | undefined {
  const en = `${qname}="${uri.slice(0, 60)}" is not an allowed namespace declaration`;
  const fr = `${qname}="${uri.slice(0, 60)}" n'est pas une déclaration d'espace de noms admise`;
  const wrong = prefix === "xmlns" || uri === XMLNS_NS || (prefix === "xml") !== (uri === XML_NS) ||
    (qname.length > 5 && (prefix === "" || uri === "" || !/^[^\d.\-:][^:]*$/.test(prefix)));
  return wrong ? syntax(en, fr) : undefined;
}
