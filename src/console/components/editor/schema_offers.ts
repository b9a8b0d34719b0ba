import { ITEM, type SchemaPosition } from "./schema_place.ts";

/** JSON Schema, as far as completion supports it. */
export type EditorSchema = Readonly<Record<string, unknown>>;

export interface Offer {
  readonly label: string;
  readonly kind: "key" | "value";
  /** Type of the value, such as `integer` or `on_start | manual`. */
  readonly detail: string;
  readonly help: string;
  readonly isRequired: boolean;
  /** The value is text even if it looks like a number, so JSON needs quotes. */
  readonly isText: boolean;
}

/** Returns the missing keys or the values that the schema allows at a position. */
export function offersAt(root: EditorSchema, { path, at, siblings }: SchemaPosition): Offer[] {
  const here = path.reduce<readonly EditorSchema[]>(
    (schemas, segment) => schemas.flatMap((it) => step(root, it, segment)),
    alternatives(root, root),
  );
  if (at === "value") return unique(here.flatMap(getValues));
  const keys = here.filter((it) => fits(root, it, siblings)).flatMap((it) => getKeys(root, it))
    .filter((it) => !siblings.has(it.label));
  return unique(path.at(-1) === ITEM ? [...keys, ...here.flatMap(getValues)] : keys);
}

function unique(offers: readonly Offer[]): Offer[] {
  return [...new Map(offers.toReversed().map((it) => [it.label, it])).values()].toReversed();
}

const isSchema = (value: unknown): value is EditorSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const getSchemas = (value: unknown) => Array.isArray(value) ? value.filter(isSchema) : [];
const DEEP = 12;

/** Resolves references and returns the alternatives of a schema. */
function alternatives(
  root: EditorSchema,
  schema: EditorSchema,
  depth = 0,
): readonly EditorSchema[] {
  if (depth > DEEP) return [];
  const own: EditorSchema[] = [schema];
  const { $ref: reference } = schema;
  if (typeof reference === "string" && reference.startsWith("#")) {
    const keys = reference.slice(1).split("/").filter(Boolean)
      .map((it) => it.replaceAll("~1", "/").replaceAll("~0", "~"));
    const found = keys.reduce<unknown>((it, key) => isSchema(it) ? it[key] : undefined, root);
    if (isSchema(found)) own.push(...alternatives(root, found, depth + 1));
  }
  for (const key of ["anyOf", "oneOf", "allOf"]) {
    own.push(...getSchemas(schema[key]).flatMap((it) => alternatives(root, it, depth + 1)));
  }
  return own;
}

function step(root: EditorSchema, schema: EditorSchema, segment: string): readonly EditorSchema[] {
  const next: unknown[] = segment === ITEM
    ? [schema["items"], ...getSchemas(schema["prefixItems"])]
    : [below(schema, segment)];
  return next.filter(isSchema).flatMap((it) => alternatives(root, it));
}

function below(schema: EditorSchema, key: string): unknown {
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

/** Returns true if the sibling keys, such as `type: sql`, allow this alternative. */
function fits(
  root: EditorSchema,
  schema: EditorSchema,
  siblings: ReadonlyMap<string, string>,
): boolean {
  return [...siblings].every(([key, value]) => {
    const { properties: named } = schema;
    const of = isSchema(named) && Object.hasOwn(named, key) ? named[key] : undefined;
    if (!isSchema(of) || value === "") return true;
    const allowed = alternatives(root, of).flatMap((it) => it["const"] ?? []);
    return allowed.length === 0 || allowed.map(String).includes(value.replace(/^["']|["']$/g, ""));
  });
}

function getKeys(root: EditorSchema, { properties, required }: EditorSchema): Offer[] {
  if (!isSchema(properties)) return [];
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties).map(([label, schema]) => {
    const all = isSchema(schema) ? alternatives(root, schema) : [];
    const values = unique(all.flatMap(getValues)).map((it) => it.label);
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

function getValues(schema: EditorSchema): Offer[] {
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
