import { child, type Json } from "./json.ts";

const text = (description: string, example: string) => ({ type: "string", description, example });

/** How each family says that a call failed. */
export const ANSWER_SCHEMAS: Json = {
  Failure: {
    type: "object",
    properties: {
      success: {
        type: "boolean",
        enum: [false],
        description: "The call did not do what it was asked for",
      },
      error: text(
        "What is wrong, in a sentence that names the value",
        "Invoice 1-RI-00001 does not exist",
      ),
    },
    required: ["success", "error"],
  },
  Refusal: {
    type: "object",
    properties: {
      detail: text(
        "What is wrong, in a sentence that names the value",
        "The role clerk does not exist",
      ),
    },
    required: ["detail"],
  },
  DatabaseFailure: {
    type: "object",
    properties: {
      status: {
        type: "string",
        enum: ["failed"],
        description: "The call did not do what it was asked for",
      },
      message: text(
        "What is wrong, in a sentence that names the value",
        "The pool crm does not exist",
      ),
    },
    required: ["status", "message"],
  },
  SchemaErrors: {
    type: "object",
    properties: {
      detail: {
        type: "array",
        description: "The mistakes",
        items: { $ref: "#/components/schemas/SchemaError" },
      },
    },
    required: ["detail"],
  },
  SchemaError: {
    type: "object",
    properties: {
      loc: {
        type: "array",
        description: "Where it is",
        items: { type: "string" },
        example: ["query", "limit"],
      },
      msg: text("What is wrong", 'a number is expected, not "abc"'),
      type: text("Which kind of mistake", "invalid_type"),
    },
    required: ["loc", "msg", "type"],
  },
};

const SCHEMA_OF: Readonly<Record<string, string>> = {
  invoicing: "Failure",
  framework: "Refusal",
  database: "DatabaseFailure",
};

/** What of an operation decides how it may fail. */
interface Kind {
  readonly method: string;
  readonly path: string;
  readonly family: string;
  readonly isPublic: boolean;
  /** The content types of its body; none where it takes none. */
  readonly types: readonly string[];
  readonly isStreamed: boolean;
}

/**
 * Adds the answers that follow from what a call is: whom it asks for, where it lies, what it takes. Those it declares
 * itself stay, with the family's envelope where they say no other.
 */
export function addAnswers(place: { method: string; path: string }, operation: Json): void {
  const { family, ...kind } = kindOf(place, operation);
  const responses = child(operation, "responses");
  for (const [status, answer] of Object.entries(responses)) {
    if (Number(status) < 400) continue;
    (answer as Json)["content"] ??= jsonOf(SCHEMA_OF[family] ?? "Failure");
  }
  const missing = Object.entries(expectedOf({ family, ...kind })).filter(([it]) =>
    !(it in responses)
  );
  const succeeds = Object.keys(responses).some((it) => it.startsWith("2"));
  operation["responses"] = {
    ...responses,
    ...Object.fromEntries(missing),
    ...!succeeds && { default: failure(family, "Any other failure") },
  };
}

function kindOf({ method, path }: { method: string; path: string }, operation: Json): Kind {
  const body = child(operation, "requestBody");
  return {
    method,
    path,
    family: String(operation["x-family"]),
    isPublic: operation["x-permission"] === "public",
    types: Object.keys(child(body, "content")),
    isStreamed: body["x-streamed"] === true,
  };
}

function expectedOf({ method, path, family, isPublic, types, isStreamed }: Kind): Json {
  const isOnce = method === "post" && !isPublic && !isStreamed;
  const takesBody = types.length > 0;
  const says = (description: string) => failure(family, description);
  return {
    ...malformed({ family, takesBody }),
    ...!isPublic && { 401: says("No token, or one that is not valid") },
    403: says(
      isPublic
        ? "A page of another site sent the call"
        : "The permission named in the answer is missing, or a page of another site sent the call",
    ),
    ...path.includes("{") && { 404: says("Unknown, or not for the caller to know") },
    ...takesBody && {
      408: says("The body came too slowly"),
      413: says("The body is larger than the route allows"),
    },
    ...isOnce && {
      409: says("In conflict with what is there, or the first call of this `Idempotency-Key` runs"),
      422: says("Refused, or this `Idempotency-Key` came with another body"),
    },
    ...method !== "get" && !types.includes("*/*") && {
      415: says("The body is not of the type that is expected"),
    },
    "5XX": says(
      "A peer or a part of the product failed; where it is worth it, `Retry-After` says when again",
    ),
  };
}

function malformed({ family, takesBody }: { family: string; takesBody: boolean }): Json {
  const description = "Malformed call; the sentence names the value";
  if (family !== "database") return { 400: failure(family, description) };
  return {
    ...takesBody && { 400: failure(family, "The body is no JSON") },
    422: { description, content: jsonOf("SchemaErrors") },
  };
}

function failure(family: string, description: string): Json {
  return { description, content: jsonOf(SCHEMA_OF[family] ?? "Failure") };
}

function jsonOf(schema: string): Json {
  return { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } };
}
