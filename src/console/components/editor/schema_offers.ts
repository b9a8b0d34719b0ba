import { ITEM, type Place } from "./schema_place.ts";

/** JSON Schema, as far as completion reads it. */
export type Schema = Readonly<Record<string, unknown>>;

export interface Offer {
  readonly label: string;
  readonly kind: "key" | "value";
  /** What it holds: `integer`, `on_start | manual`. */
  readonly detail: string;
  readonly help: string;
  readonly isRequired: boolean;
  /** A word, also where it looks like a number: JSON has it in quotes. */
  readonly isText: boolean;
}

/** What a schema allows at a place: keys that are not there yet, or values. */
export function offersAt(root: Schema, { path, at, siblings }: Place): Offer[] {
  const here = path.reduce<readonly Schema[]>(
    (schemas, segment) => schemas.flatMap((it) => step(root, it, segment)),
    alternatives(root, root),
  );
  if (at === "value") return unique(here.flatMap(valuesOf));
  const keys = here.filter((it) => fits(root, it, siblings)).flatMap((it) => keysOf(root, it))
    .filter((it) => !siblings.has(it.label));
  return unique(path.at(-1) === ITEM ? [...keys, ...here.flatMap(valuesOf)] : keys);
}

function unique(offers: readonly Offer[]): Offer[] {
  return [...new Map(offers.toReversed().map((it) => [it.label, it])).values()].toReversed();
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const schemasOf = (value: unknown) => Array.isArray(value) ? value.filter(isSchema) : [];
const DEEP = 12;

/** A schema with its references followed and its alternatives apart. */
function alternatives(root: Schema, schema: Schema, depth = 0): readonly Schema[] {
  if (depth > DEEP) return [];
  const own: Schema[] = [schema];
  const { $ref: reference } = schema;
  if (typeof reference === "string" && reference.startsWith("#")) {
    const keys = reference.slice(1).split("/").filter(Boolean)
      .map((it) => it.replaceAll("~1", "/").replaceAll("~0", "~"));
    const found = keys.reduce<unknown>((it, key) => isSchema(it) ? it[key] : undefined, root);
    if (isSchema(found)) own.push(...alternatives(root, found, depth + 1));
  }
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    own.push(...schemasOf(schema[key]).flatMap((it) => alternatives(root, it, depth + 1)));
  }
  return own;
}

function step(root: Schema, schema: Schema, segment: string): readonly Schema[] {
  const next: unknown[] = segment === ITEM
    ? [schema["items"], ...schemasOf(schema["prefixItems"])]
    : [below(schema, segment)];
  return next.filter(isSchema).flatMap((it) => alternatives(root, it));
}

function below(schema: Schema, key: string): unknown {
  const { properties: named, patternProperties, additionalProperties } = schema;
  if (isSchema(named) && Object.hasOwn(named, key)) return named[key];
  if (isSchema(patternProperties)) {
    const found = Object.entries(patternProperties).find(([pattern]) =>
      new RegExp(pattern, "u").test(key)
    );
    if (found) return found[1];
  }
  return additionalProperties;
}

/** Whether what is written beside (`type: sql`) allows this alternative. */
function fits(root: Schema, schema: Schema, siblings: ReadonlyMap<string, string>): boolean {
  return [...siblings].every(([key, value]) => {
    const { properties: named } = schema;
    const of = isSchema(named) && Object.hasOwn(named, key) ? named[key] : undefined;
    if (!isSchema(of) || value === "") return true;
    const allowed = alternatives(root, of).flatMap((it) => it["const"] ?? []);
    return allowed.length === 0 || allowed.map(String).includes(value.replace(/^["']|["']$/g, ""));
  });
}

function keysOf(root: Schema, { properties, required }: Schema): Offer[] {
  if (!isSchema(properties)) return [];
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([label, schema]) => {
    const all = isSchema(schema) ? alternatives(root, schema) : [];
    const values = unique(all.flatMap(valuesOf)).map((it) => it.label);
    const types = [...new Set(all.flatMap((it) => it["type"] ?? []))].map(String);
    return {
      label,
      kind: "key",
      detail: (values.length ? values.slice(0, 6) : types).join(" | "),
      help: String(all.find((it) => it["description"])?.["description"] ?? ""),
      isRequired: needed.includes(label),
      isText: true,
    };
  });
}

function valuesOf(schema: Schema): Offer[] {
  const { enum: listed, const: one, type, description = "" } = schema;
  const values = Array.isArray(listed)
    ? listed
    : one !== undefined
    ? [one]
    : type === "boolean"
    ? [true, false]
    : [];
  return values.map((it) => ({
    label: String(it),
    kind: "value",
    detail: "",
    help: String(description),
    isRequired: false,
    isText: typeof it === "string",
  }));
}
