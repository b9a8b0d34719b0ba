import type { z } from "zod";
import { type DefinitionKind, findMark, type SchemaMark } from "./marks.ts";

export type ValuePath = readonly (string | number)[];

/** The names around a place: which connector, which app. */
export type NameScope = Partial<Readonly<Record<DefinitionKind, string>>>;

interface Visit {
  readonly path: ValuePath;
  /** A key of a map, or a value. */
  readonly on: "key" | "value";
  readonly value: unknown;
  readonly mark: SchemaMark;
  readonly scope: NameScope;
  /** Value of a key, or the object that contains a value. */
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

const getDef = (schema: z.ZodType) => schema.def as unknown as Def;

/**
 * Calls back for every value and key whose schema is marked, as far as the value fits its schema; other values
 * are skipped.
 */
export function walk(schema: z.ZodType, value: unknown, visit: (visit: Visit) => void): void {
  follow({ schema, value, path: [], scope: {} }, visit);
}

interface At {
  readonly schema: z.ZodType;
  readonly value: unknown;
  readonly path: ValuePath;
  readonly scope: NameScope;
  readonly parent?: unknown;
}

function follow(at: At, visit: (visit: Visit) => void): void {
  const { schema, mark } = bare(at.schema, at.value);
  const { value, path } = at;
  if (value === undefined) return;
  if (mark && !mark.groups && !(mark.defines && isRecord(value))) {
    visit({ path, on: "value", value, mark, scope: at.scope, inner: at.parent });
  }
  const def = getDef(schema);
  if (def.type === "object" && isRecord(value)) {
    const scope = { ...at.scope, ...getScope(value) };
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

/** Returns the scope that an object sets for the names inside it: `connector: erp`, also as its `source`. */
function getScope(value: Readonly<Record<string, unknown>>): NameScope {
  const source = isRecord(value["source"]) ? value["source"] : undefined;
  const connector = value["connector"] ?? source?.["connector"];
  return typeof connector === "string" ? { connector } : {};
}

/** Removes wrappers from a schema and chooses the alternative that fits this value. */
function bare(
  schema: z.ZodType,
  value: unknown,
): { schema: z.ZodType; mark: SchemaMark | undefined } {
  let mark = findMark(schema);
  let inner = schema;
  for (let next = unwrapSchema(inner, value); next; next = unwrapSchema(inner, value)) {
    inner = next;
    mark = { ...findMark(inner), ...mark };
  }
  return { schema: inner, mark: mark && Object.keys(mark).length ? mark : undefined };
}

function unwrapSchema(schema: z.ZodType, value: unknown): z.ZodType | undefined {
  const def = getDef(schema);
  if (def.type === "union") return alternative(def, value);
  if (def.type === "lazy") return def.getter?.();
  return def.innerType ?? def.in;
}

function alternative({ options = [], discriminator }: Def, value: unknown): z.ZodType | undefined {
  if (discriminator === undefined) return options.find((it) => isOfType(it, value));
  if (!isRecord(value)) return undefined;
  return options.find((it) => {
    const literal = getDef(it).shape?.[discriminator];
    return literal && getDef(literal).values?.includes(value[discriminator]);
  });
}

function isOfType(schema: z.ZodType, value: unknown): boolean {
  const { type } = getDef(bare(schema, value).schema);
  if (type === "object" || type === "record") return isRecord(value);
  if (type === "array") return Array.isArray(value);
  return typeof value !== "object" || value === null;
}

/** Returns the names allowed in an object at this path; undefined where no object with known names is expected. */
export function keysAt(
  schema: z.ZodType,
  value: unknown,
  path: ValuePath,
): readonly string[] | undefined {
  let at: { schema: z.ZodType; value: unknown } = { schema: bare(schema, value).schema, value };
  for (const step of path) {
    const def = getDef(at.schema);
    const inner = findField(def, String(step)) ?? def.element;
    if (!inner) return undefined;
    const next = (at.value as Readonly<Record<string, unknown>> | undefined)?.[String(step)];
    at = { schema: bare(inner, next).schema, value: next };
  }
  const { shape } = getDef(at.schema);
  return shape && Object.keys(shape);
}

/** Returns the schema of a key; names that every JavaScript object has, like `constructor`, are ordinary keys. */
function findField({ shape, valueType }: Def, key: string): z.ZodType | undefined {
  return shape && Object.hasOwn(shape, key) ? shape[key] : valueType;
}

/** Removes custom keys, which begin with `x-`, where a schema lists its keys by name. */
export function withoutOwnKeys(schema: z.ZodType, value: unknown): unknown {
  const def = getDef(bare(schema, value).schema);
  if (def.type === "array" && Array.isArray(value)) {
    return value.map((it) => def.element ? withoutOwnKeys(def.element, it) : it);
  }
  if (!isRecord(value)) return value;
  const { shape, valueType } = def;
  if (!shape && !valueType) return value;
  const entries = Object.entries(value).filter(([key]) => !shape || !key.startsWith("x-"))
    .map(([key, it]) => {
      const inner = findField(def, key);
      return [key, inner ? withoutOwnKeys(inner, it) : it];
    });
  return Object.fromEntries(entries);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
