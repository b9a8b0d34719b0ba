import type { Chance } from "./chance.ts";

export type Schema = Readonly<Record<string, unknown>>;

/** Values that no schema expects, or that are valid but rare. */
const ODD: readonly unknown[] = [
  null,
  "",
  " ",
  0,
  -1,
  1e308,
  2 ** 53,
  true,
  [],
  {},
  "../../etc/passwd",
  "%00",
  "\u202e",
  "é".repeat(300),
  "x".repeat(70_000),
  "1; drop table invoices",
  "2026-02-31",
  "9".repeat(400),
  [[[[[[]]]]]],
  { constructor: { prototype: 1 } },
  "\ud83d\ude00",
  "a\nb",
  "http://[::1]:1/",
];

/** Returns a value that a schema of the API document describes; one value in twelve is different. */
export function getValue(schema: Schema, components: Schema, chance: Chance, depth = 0): unknown {
  if (chance.oneIn(12)) return chance.pick(ODD);
  const { $ref, anyOf, oneOf, allOf, enum: listed, type, example } = schema as {
    $ref?: string;
    anyOf?: Schema[];
    oneOf?: Schema[];
    allOf?: Schema[];
    enum?: unknown[];
    type?: string | string[];
    example?: unknown;
  };
  const inner = (it: Schema) => getValue(it, components, chance, depth + 1);
  if ($ref) return inner((components[$ref.split("/").at(-1) ?? ""] ?? {}) as Schema);
  if (allOf) return Object.assign({}, ...allOf.map((it) => Object(inner(it))));
  const choices = anyOf ?? oneOf;
  if (choices?.length) return inner(chance.pick(choices));
  if (listed?.length) return chance.pick(listed);
  if (example !== undefined && !chance.oneIn(3)) return example;
  return findPlain(Array.isArray(type) ? chance.pick(type) : type, schema, {
    chance,
    depth,
    inner,
  });
}

function findPlain(
  type: string | undefined,
  schema: Schema,
  { chance, depth, inner }: { chance: Chance; depth: number; inner: (it: Schema) => unknown },
): unknown {
  switch (type) {
    case "object": {
      const properties = (schema["properties"] ?? {}) as Record<string, Schema>;
      const required = (schema["required"] ?? []) as string[];
      const kept = Object.entries(properties).filter(([name]) =>
        required.includes(name) ? !chance.oneIn(20) : chance.oneIn(2)
      );
      const extra = chance.oneIn(20) ? [["__proto__x", 1] as const] : [];
      return Object.fromEntries([
        ...kept.map(([name, it]) => [name, inner(it)] as const),
        ...extra,
      ]);
    }
    case "array":
      return depth > 6
        ? []
        : Array.from({ length: chance.below(4) }, () => inner((schema["items"] ?? {}) as Schema));
    case "integer":
      return chance.pick([0, 1, 2, 50, 500, -1, 1.5, 1_000_000]);
    case "number":
      return chance.pick([0, 1.5, -3, 1e21]);
    case "boolean":
      return chance.oneIn(2);
    default:
      return chance.pick(["a", "R42565", "100000-RI-00001", "2026-11-20", "x.xml", "admin", "*"]);
  }
}
