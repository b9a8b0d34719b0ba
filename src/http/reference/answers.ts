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
      msg: text("What is wrong", "Invalid input: expected number"),
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

/** Adds the answers that follow from what a call is: whom it asks for, what it takes. Those it declares itself stay. */
export function addAnswers(operation: Json): void {
  const responses = child(operation, "responses");
  const family = String(operation["x-family"]);
  const takesBody = operation["requestBody"] !== undefined;
  const takesValues = takesBody || ((operation["parameters"] ?? []) as unknown[]).length > 0;
  const isPublic = operation["x-permission"] === "public";
  const answers: Json = {
    ...takesValues ? malformed(family) : {},
    ...isPublic ? {} : { 401: failure(family, "No token, or one that is not valid") },
    403: failure(
      family,
      isPublic
        ? "A page of another site sent the call"
        : "The permission named in the answer is missing, or a page of another site sent the call",
    ),
    ...takesBody
      ? {
        413: failure(family, "The body is larger than the route allows"),
        415: failure(family, "The body is not of the type that is expected"),
      }
      : {},
  };
  const succeeds = Object.keys(responses).some((it) => it.startsWith("2"));
  if (!succeeds) answers["default"] = failure(family, "Any other failure");
  operation["responses"] = {
    ...responses,
    ...Object.fromEntries(
      Object.entries(answers).filter(([status]) => !(status in responses)),
    ),
  };
}

function malformed(family: string): Json {
  const description = "Malformed call; the sentence names the value";
  return family === "database"
    ? { 422: { description, content: jsonOf("SchemaErrors") } }
    : { 400: failure(family, description) };
}

function failure(family: string, description: string): Json {
  return { description, content: jsonOf(SCHEMA_OF[family] ?? "Failure") };
}

function jsonOf(schema: string): Json {
  return { "application/json": { schema: { $ref: `#/components/schemas/${schema}` } } };
}
