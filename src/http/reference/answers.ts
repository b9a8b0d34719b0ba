import { child, type JsonObjectNode } from "./json.ts";

const text = (description: string, example: string) => ({ type: "string", description, example });

/** Error schema of each family. */
export const ANSWER_SCHEMAS: JsonObjectNode = {
  Failure: {
    type: "object",
    description: "Error of an invoicing call",
    properties: {
      success: {
        type: "boolean",
        enum: [false],
        description: "Always false",
      },
      error: text(
        "Error message with the invalid value",
        "Invoice 1-RI-00001 does not exist",
      ),
    },
    required: ["success", "error"],
  },
  Refusal: {
    type: "object",
    description: "Error of a framework call",
    properties: {
      detail: text(
        "Error message with the invalid value",
        "The role clerk does not exist",
      ),
    },
    required: ["detail"],
  },
  DatabaseFailure: {
    type: "object",
    description: "Error of a call of the database family",
    properties: {
      status: {
        type: "string",
        enum: ["failed"],
        description: "Always `failed`",
      },
      message: text(
        "Error message with the invalid value",
        "The pool crm does not exist",
      ),
    },
    required: ["status", "message"],
  },
  SchemaErrors: {
    type: "object",
    description: "Invalid request to the database family",
    properties: {
      detail: {
        type: "array",
        description: "Problems of the request",
        items: { $ref: "#/components/schemas/SchemaError" },
      },
    },
    required: ["detail"],
  },
  SchemaError: {
    type: "object",
    description: "Problem of a request",
    properties: {
      loc: {
        type: "array",
        description: "Position of the problem",
        items: { type: "string" },
        example: ["query", "limit"],
      },
      msg: text("Message of the problem", 'a number is expected, not "abc"'),
      type: text("Type of the problem", "invalid_type"),
    },
    required: ["loc", "msg", "type"],
  },
};

const SCHEMA_OF: Readonly<Record<string, string>> = {
  invoicing: "Failure",
  framework: "Refusal",
  database: "DatabaseFailure",
};

/** Properties of an operation that determine its errors. */
interface Kind {
  readonly method: string;
  readonly path: string;
  readonly family: string;
  readonly isPublic: boolean;
  /** Content types of its body; empty without a body. */
  readonly types: readonly string[];
  /** True if the call writes or stores its answer, and so counts against a quota of its caller. */
  readonly isCounted: boolean;
}

/**
 * Adds the errors that follow from the kind of an operation: its permission, path and body. Declared errors are kept,
 * with the family's envelope by default.
 */
export function addAnswers(
  place: { method: string; path: string },
  operation: JsonObjectNode,
): void {
  const { family, ...kind } = getKind(place, operation);
  const responses = child(operation, "responses");
  for (const [status, answer] of Object.entries(responses)) {
    if (Number(status) < 400) continue;
    (answer as JsonObjectNode)["content"] ??= getJson(SCHEMA_OF[family] ?? "Failure");
  }
  const missing = Object.entries(getExpected({ family, ...kind })).filter(([it]) =>
    !(it in responses)
  );
  const succeeds = Object.keys(responses).some((it) => it.startsWith("2"));
  operation["responses"] = {
    ...responses,
    ...Object.fromEntries(missing),
    ...!succeeds && { default: failure(family, "Any other error") },
  };
}

function getKind(
  { method, path }: { method: string; path: string },
  operation: JsonObjectNode,
): Kind {
  const body = child(operation, "requestBody");
  return {
    method,
    path,
    family: String(operation["x-family"]),
    isPublic: operation["x-permission"] === "public",
    types: Object.keys(child(body, "content")),
    isCounted: method !== "get" && Boolean(operation["x-audit"] || operation["x-once"]),
  };
}

function getExpected({ method, path, family, isPublic, types, isCounted }: Kind): JsonObjectNode {
  const isOnce = method === "post" && !isPublic;
  const takesBody = types.length > 0;
  const says = (description: string) => failure(family, description);
  return {
    ...describeMalformed({ family, takesBody }),
    ...!isPublic && { 401: says("The token is missing or invalid") },
    403: says(
      isPublic
        ? "The call came from a page of another site"
        : "The caller lacks the permission that the message names, or the call came from a page of another site",
    ),
    ...path.includes("{") &&
      { 404: says("The object does not exist, or the caller may not see it") },
    ...takesBody && {
      408: says("The body arrived too slowly"),
      413: says("The body is larger than allowed"),
    },
    ...isOnce && {
      409: says(
        "Conflict with existing data, or the first call with this `Idempotency-Key` is still running",
      ),
      422: says("The request was refused, or this `Idempotency-Key` was used with another body"),
    },
    ...!isPublic && isCounted && {
      429: says(
        "The daily quota of the caller is used up; `Retry-After` contains the waiting time",
      ),
    },
    ...method !== "get" && !types.includes("*/*") && {
      415: says("The content type of the body is not supported"),
    },
    500: says("Unexpected error; the message contains the request identifier for the log"),
    502: says("A connected service failed"),
    503: says(
      "The database or a connected service is unavailable; `Retry-After` contains the waiting time",
    ),
    504: says("A connected service or the database did not answer in time"),
  };
}

function describeMalformed(
  { family, takesBody }: { family: string; takesBody: boolean },
): JsonObjectNode {
  const description = "Invalid request; the message names the value";
  if (family !== "database") return { 400: failure(family, description) };
  return {
    ...takesBody && { 400: failure(family, "The body is not valid JSON") },
    422: { description, content: getJson("SchemaErrors") },
  };
}

function failure(family: string, description: string): JsonObjectNode {
  return { description, content: getJson(SCHEMA_OF[family] ?? "Failure") };
}

function getJson(schema: string): JsonObjectNode {
  return { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } };
}
