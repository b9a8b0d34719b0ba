import { child, type Json } from "./json.ts";

/**
 * Says of each named schema what it is where it does not say so itself: what is sent with a call or answered to it, or the
 * field it stands in.
 */
export function describeSchemas(operations: Iterable<Json>, schemas: Json): void {
  for (const operation of operations) {
    const summary = String(operation["summary"] ?? operation["operationId"]);
    const sent = child(operation, "requestBody");
    tell(sent, { schemas, said: `What is sent to: ${summary}` });
    for (const media of Object.values(child(sent, "content"))) {
      tellParts(child(media as Json, "schema"), String(operation["operationId"]), schemas);
    }
    for (const [status, answer] of Object.entries(child(operation, "responses"))) {
      const said = /^2/.test(status)
        ? `${(answer as Json)["description"]}: answer to ${operation["operationId"]}`
        : String((answer as Json)["description"]);
      tell(answer as Json, { schemas, said });
    }
  }
  for (
    let before = -1, left = bare(schemas);
    left !== before;
    before = left, left = bare(schemas)
  ) {
    for (const [owner, schema] of Object.entries(schemas)) {
      tellParts(
        schema as Json,
        owner,
        schemas,
      );
    }
  }
}

const bare = (schemas: Json): number =>
  Object.values(schemas).filter((it) => !(it as Json)["description"]).length;

function tell(body: Json, { schemas, said }: { schemas: Json; said: string }): void {
  for (const media of Object.values(child(body, "content"))) {
    for (const name of namesIn(child(media as Json, "schema"))) {
      const schema = child(schemas, name);
      schema["description"] ??= said;
    }
  }
}

/** Fields in schemas that are named after what they stand in. */
function tellParts(schema: Json, owner: string, schemas: Json): void {
  for (const [field, value] of Object.entries(child(schema, "properties"))) {
    const property = value as Json;
    for (const name of namesIn(property)) {
      const said = property["description"] ?? `\`${field}\` of ${owner}`;
      child(schemas, name)["description"] ??= said;
    }
    tellParts(property, `${owner}.${field}`, schemas);
  }
  for (const part of ["items", "additionalProperties", "allOf", "anyOf", "oneOf"]) {
    for (const inner of [schema[part]].flat()) {
      if (typeof inner !== "object" || inner === null) continue;
      for (const name of namesIn(inner as Json)) {
        child(schemas, name)["description"] ??= `Part of ${owner}`;
      }
      tellParts(inner as Json, owner, schemas);
    }
  }
}

/** Schemas a schema refers to without a field between. */
function namesIn(schema: Json): string[] {
  const reference = schema["$ref"];
  if (typeof reference === "string") return [reference.slice(reference.lastIndexOf("/") + 1)];
  const inner = ["items", "additionalProperties", "allOf", "anyOf", "oneOf"]
    .flatMap((it) => [schema[it]].flat());
  return inner.flatMap((it) => typeof it === "object" && it !== null ? namesIn(it as Json) : []);
}
