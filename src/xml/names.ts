/** One spelling of a name in one document; `id` is the same for every spelling of the same expanded name. */
export interface XmlName {
  readonly id: number;
  /** Namespace URI, "" for none. */
  readonly ns: string;
  readonly local: string;
  /** "" for none. */
  readonly prefix: string;
  readonly qname: string;
  /** The name that followed it last in the document; the parser's guess for the next time. */
  next: XmlName | undefined;
}

/** The expanded names of one document, numbered from 0 in order of appearance. */
export interface XmlNames {
  readonly byNamespace: Map<string, Map<string, number>>;
  count: number;
}

export function newNames(): XmlNames {
  return { byNamespace: new Map(), count: 0 };
}

/** Returns the number of an expanded name, or -1 when the document does not use it. */
export function findName(names: XmlNames, ns: string, local: string): number {
  return names.byNamespace.get(ns)?.get(local) ?? -1;
}

export function internName(names: XmlNames, ns: string, local: string): number {
  let locals = names.byNamespace.get(ns);
  if (locals === undefined) names.byNamespace.set(ns, locals = new Map());
  let id = locals.get(local);
  if (id === undefined) locals.set(local, id = names.count++);
  return id;
}
