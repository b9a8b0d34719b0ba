import type { z } from "zod";
import { type Kind, type Mark, markOf } from "./marks.ts";

export type Path = readonly (string | number)[];

/** The names around a place: which connector, which app. */
export type Scope = Partial<Readonly<Record<Kind, string>>>;

interface Visit {
  readonly path: Path;
  /** A key of a map, or a value. */
  readonly on: "key" | "value";
  readonly value: unknown;
  readonly mark: Mark;
  readonly scope: Scope;
  /** Of a key: what stands behind it. Of a value: the object it is a field of. */
  readonly inner?: unknown;
}

interface Def {
  readonly type: string;
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly getter?: () => z.ZodType;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly valueType?: z.ZodType;
  readonly element?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly discriminator?: string;
  readonly values?: readonly unknown[];
}

const defOf = (schema: z.ZodType) => schema.def as unknown as Def;

/**
 * Calls back for every value and key whose schema is marked, as far as the value fits its schema; a value that does not
 * is passed over.
 */
export function walk(schema: z.ZodType, value: unknown, visit: (visit: Visit) => void): void {
  follow({ schema, value, path: [], scope: {} }, visit);
}

interface At {
  readonly schema: z.ZodType;
  readonly value: unknown;
  readonly path: Path;
  readonly scope: Scope;
  readonly parent?: unknown;
}

function follow(at: At, visit: (visit: Visit) => void): void {
  const { schema, mark } = bare(at.schema, at.value);
  const { value, path } = at;
  if (value === undefined) return;
  if (mark && !mark.groups && !(mark.defines && isRecord(value))) {
    visit({ path, on: "value", value, mark, scope: at.scope, inner: at.parent });
  }
  const def = defOf(schema);
  if (def.type === "object" && isRecord(value)) {
    const scope = { ...at.scope, ...scopeOf(value) };
    for (const [key, inner] of Object.entries(def.shape ?? {})) {
      if (Object.hasOwn(value, key)) {
        const place = { path: [...path, key], scope, parent: value };
        follow({ schema: inner, value: value[key], ...place }, visit);
      }
    }
  } else if (def.type === "record" && isRecord(value) && def.valueType) {
    const kind = mark?.defines ?? mark?.groups;
    for (const [key, inner] of Object.entries(value)) {
      const place = [...path, key];
      if (kind && mark) visit({ path: place, on: "key", value: key, mark, scope: at.scope, inner });
      const scope = kind ? { ...at.scope, [kind]: key } : at.scope;
      follow({ schema: def.valueType, value: inner, path: place, scope }, visit);
    }
  } else if (def.type === "array" && Array.isArray(value) && def.element) {
    const { element } = def;
    value.forEach((inner, index) =>
      follow({ schema: element, value: inner, path: [...path, index], scope: at.scope }, visit)
    );
  }
}

/** What an object says of the names around it: `connector: erp`, also as its `source`. */
function scopeOf(value: Readonly<Record<string, unknown>>): Scope {
  const source = isRecord(value["source"]) ? value["source"] : undefined;
  const connector = value["connector"] ?? source?.["connector"];
  return typeof connector === "string" ? { connector } : {};
}

/** Without its wrappers, and of alternatives the one this value is of. */
function bare(schema: z.ZodType, value: unknown): { schema: z.ZodType; mark: Mark | undefined } {
  let mark = markOf(schema);
  let inner = schema;
  for (let next = unwrapped(inner, value); next; next = unwrapped(inner, value)) {
    inner = next;
    mark = { ...markOf(inner), ...mark };
  }
  return { schema: inner, mark: mark && Object.keys(mark).length ? mark : undefined };
}

function unwrapped(schema: z.ZodType, value: unknown): z.ZodType | undefined {
  const def = defOf(schema);
  if (def.type === "union") return alternative(def, value);
  if (def.type === "lazy") return def.getter?.();
  return def.innerType ?? def.in;
}

function alternative({ options = [], discriminator }: Def, value: unknown): z.ZodType | undefined {
  if (discriminator === undefined) return options.find((it) => isOfType(it, value));
  if (!isRecord(value)) return undefined;
  return options.find((it) => {
    const literal = defOf(it).shape?.[discriminator];
    return literal && defOf(literal).values?.includes(value[discriminator]);
  });
}

function isOfType(schema: z.ZodType, value: unknown): boolean {
  const { type } = defOf(bare(schema, value).schema);
  if (type === "object" || type === "record") return isRecord(value);
  if (type === "array") return Array.isArray(value);
  return typeof value !== "object" || value === null;
}

/** The names an object at this place may hold; undefined where no object of known names stands there. */
export function keysAt(
  schema: z.ZodType,
  value: unknown,
  path: Path,
): readonly string[] | undefined {
  let at: { schema: z.ZodType; value: unknown } = { schema: bare(schema, value).schema, value };
  for (const step of path) {
    const def = defOf(at.schema);
    const inner = fieldOf(def, String(step)) ?? def.element;
    if (!inner) return undefined;
    const next = (at.value as Readonly<Record<string, unknown>> | undefined)?.[String(step)];
    at = { schema: bare(inner, next).schema, value: next };
  }
  const { shape } = defOf(at.schema);
  return shape && Object.keys(shape);
}

/** What stands under a key; a name every JavaScript object knows, like `constructor`, is a key like others. */
function fieldOf({ shape, valueType }: Def, key: string): z.ZodType | undefined {
  return shape && Object.hasOwn(shape, key) ? shape[key] : valueType;
}

/** Without keys that begin with `x-` where a schema knows the keys by name: they are the writer's own. */
export function withoutOwnKeys(schema: z.ZodType, value: unknown): unknown {
  const def = defOf(bare(schema, value).schema);
  if (def.type === "array" && Array.isArray(value)) {
    return value.map((it) => def.element ? withoutOwnKeys(def.element, it) : it);
  }
  if (!isRecord(value)) return value;
  const { shape, valueType } = def;
  if (!shape && !valueType) return value;
  const entries = Object.entries(value).filter(([key]) => !shape || !key.startsWith("x-"))
    .map(([key, it]) => {
      const inner = fieldOf(def, key);
      return [key, inner ? withoutOwnKeys(inner, it) : it];
    });
  return Object.fromEntries(entries);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
