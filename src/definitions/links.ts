import type { z } from "zod";
import { type Kind, WITHIN } from "./marks.ts";
import { type Path, type Scope, walk } from "./walk.ts";

/** A name as others know it: `erp:orders`, never ambiguous since no name holds a colon. */
export type Name = string;

interface Link {
  readonly kind: Kind;
  readonly name: Name;
  readonly path: Path;
  readonly on: "key" | "value";
  /** As it is written; the part of it that is the last segment of the name. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export interface Definition extends Link {
  readonly value: unknown;
}

export interface Reference extends Link {
  /** The definition it stands in; undefined at the top of a section. */
  readonly owner: { readonly kind: Kind; readonly name: Name } | undefined;
}

interface Links {
  readonly definitions: readonly Definition[];
  readonly references: readonly Reference[];
  /** Keys that repeat a name without defining it, such as the apps of `screens`. */
  readonly groups: readonly Definition[];
}

const LABEL = "$labels.";

/** What a value of a section defines and what it refers to, by the marks of its schema. */
export function linksOf(schema: z.ZodType, value: unknown): Links {
  const definitions: Definition[] = [];
  const references: Reference[] = [];
  const groups: Definition[] = [];
  walk(schema, value, ({ mark, value, path, on, scope, inner }) => {
    if (typeof value !== "string") return;
    const whole = { path, on, text: value, from: 0, to: value.length };
    const owner = () => ownerOf(definitions, path);
    if (mark.text && value.startsWith(LABEL)) {
      const name = value.slice(LABEL.length);
      references.push({ ...whole, kind: "label", name, from: LABEL.length, owner: owner() });
    }
    if (mark.groups) {
      groups.push({ ...whole, kind: mark.groups, name: value, value: inner });
    }
    if (mark.defines) {
      const name = nameWithin(mark.defines, value, scope);
      definitions.push({ ...whole, kind: mark.defines, name, value: inner ?? value });
    }
    if (mark.refers) {
      references.push(...referred(mark.refers, { text: value, scope, whole, owner }));
    }
  });
  return { definitions, references, groups };
}

interface Referred {
  readonly text: string;
  readonly scope: Scope;
  readonly whole: Pick<Link, "path" | "on" | "text" | "from" | "to">;
  readonly owner: () => Reference["owner"];
}

/** `sales/orders` names the app too. */
function referred(kind: Kind, { text, scope, whole, owner }: Referred): Reference[] {
  const parent = WITHIN[kind];
  const slash = parent ? text.indexOf("/") : -1;
  if (!parent || slash < 0) {
    return [{ ...whole, kind, name: nameWithin(kind, text, scope), owner: owner() }];
  }
  const [around, inside] = [text.slice(0, slash), text.slice(slash + 1)];
  return [
    { ...whole, kind: parent, name: around, to: slash, owner: owner() },
    { ...whole, kind, name: `${around}:${inside}`, from: slash + 1, owner: owner() },
  ];
}

function nameWithin(kind: Kind, text: string, scope: Scope): Name {
  const parent = WITHIN[kind];
  return parent ? `${scope[parent] ?? ""}:${text}` : text;
}

/** The innermost definition around a place; definitions come before what they hold. */
function ownerOf(definitions: readonly Definition[], path: Path): Reference["owner"] {
  for (let at = definitions.length - 1; at >= 0; at--) {
    const it = definitions[at];
    const around = it?.on === "key" ? it.path : it?.path.slice(0, -1);
    if (it && around?.every((step, index) => step === path[index])) {
      return { kind: it.kind, name: it.name };
    }
  }
  return undefined;
}

/** As people write it: `erp.orders`, `sales/orders`. */
export function shownName(kind: Kind, name: Name): string {
  return name.replace(":", kind === "screen" || kind === "menu" ? "/" : ".");
}
