import type { z } from "zod";
import { type DefinitionKind, WITHIN } from "./marks.ts";
import { type NameScope, type ValuePath, walk } from "./walk.ts";

/** Qualified name: `erp:orders`, never ambiguous since a single name contains no colon. */
export type Name = string;

interface Link {
  readonly kind: DefinitionKind;
  readonly name: Name;
  readonly path: ValuePath;
  readonly on: "key" | "value";
  /** Text as written; `from` and `to` delimit the last segment of the name. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export interface Definition extends Link {
  readonly value: unknown;
}

export interface Reference extends Link {
  /** Definition that contains it; undefined at the top of a section. */
  readonly owner: { readonly kind: DefinitionKind; readonly name: Name } | undefined;
}

interface Links {
  readonly definitions: readonly Definition[];
  readonly references: readonly Reference[];
  /** Keys that repeat a name without defining it, such as the apps of `screens`. */
  readonly groups: readonly Definition[];
}

const LABEL = "$labels.";

/** Collects the definitions and references in a value of a section, by the marks of its schema. */
export function collectLinks(schema: z.ZodType, value: unknown): Links {
  const definitions: Definition[] = [];
  const references: Reference[] = [];
  const groups: Definition[] = [];
  walk(schema, value, ({ mark, value, path, on, scope, inner }) => {
    if (typeof value !== "string") return;
    const whole = { path, on, text: value, from: 0, to: value.length };
    const owner = () => getOwner(definitions, path);
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
      references.push(...toReferences(mark.refers, { text: value, scope, whole, owner }));
    }
  });
  return { definitions, references, groups };
}

interface Referred {
  readonly text: string;
  readonly scope: NameScope;
  readonly whole: Pick<Link, "path" | "on" | "text" | "from" | "to">;
  readonly owner: () => Reference["owner"];
}

/** `sales/orders` names the app too. */
function toReferences(kind: DefinitionKind, { text, scope, whole, owner }: Referred): Reference[] {
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

function nameWithin(kind: DefinitionKind, text: string, scope: NameScope): Name {
  const parent = WITHIN[kind];
  return parent ? `${scope[parent] ?? ""}:${text}` : text;
}

/** Returns the innermost definition around a path; definitions precede those inside them. */
function getOwner(definitions: readonly Definition[], path: ValuePath): Reference["owner"] {
  for (let at = definitions.length - 1; at >= 0; at--) {
    const it = definitions[at];
    const around = it?.on === "key" ? it.path : it?.path.slice(0, -1);
    if (it && around?.every((step, index) => step === path[index])) {
      return { kind: it.kind, name: it.name };
    }
  }
  return undefined;
}

/** Formats a name as users write it: `erp.orders`, `sales/orders`. */
export function shownName(kind: DefinitionKind, name: Name): string {
  return name.replace(":", kind === "screen" || kind === "menu" ? "/" : ".");
}
