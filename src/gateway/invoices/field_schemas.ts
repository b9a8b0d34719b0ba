import { z } from "@hono/zod-openapi";
import { type FieldIn, fieldsIn, getField, type KindOf } from "#src/domain/invoice/fields.ts";

/** Schemas of the fields that a list or only a page shows. */
type Shapes<Shown extends "detail" | "list"> = {
  [Name in FieldIn<Shown>]: KindOf<Name> extends "amount" ? z.ZodNullable<z.ZodNumber>
    : z.ZodString;
};

/** Returns the schemas of the fields that a list or only a page shows, with their meanings and examples. */
export function fieldShapes<Shown extends "detail" | "list">(shown: Shown): Shapes<Shown> {
  const shapes = fieldsIn(shown).map((name) => {
    const { kind, description, example } = getField(name);
    const schema = kind === "amount" ? z.number().nullable() : z.string();
    return [name, schema.openapi({ description, example })];
  });
  return Object.fromEntries(shapes);
}
