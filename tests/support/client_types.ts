import openapiTS, { astToString } from "openapi-typescript";

/** The API as types for `openapi-fetch`: what is sent, and what comes where all is well. What is said in prose the document has. */
export async function clientTypes(document: object): Promise<string> {
  const ast = await openapiTS(JSON.stringify(bare(document)), { alphabetize: true });
  return [
    "// Made by `deno task openapi`.",
    "// deno-fmt-ignore-file",
    "// deno-lint-ignore-file",
    astToString(ast),
  ].join("\n");
}

const PROSE = new Set(["description", "summary", "example", "examples", "title"]);

/** Maps of names, in which `title` is a name like any other, are left whole. */
function bare(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.filter((it) => !isOfEveryCall(it)).map((it) => bare(it));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => isMap || !PROSE.has(key));
  return Object.fromEntries(entries.map(([key, it]) => {
    if (key === "responses" && !isMap) return [key, succeeding(it)];
    return [key, bare(it, key === "properties" || key === "schemas")];
  }));
}

/** Failures are one kind of thing in the console, whatever the call. */
function succeeding(responses: object): object {
  return Object.fromEntries(
    Object.entries(responses).filter(([status]) => /^[23]/.test(status))
      .map(([status, it]) => [status, bare(it)]),
  );
}

/** The language is said by the client itself. */
function isOfEveryCall(it: unknown): boolean {
  const { $ref } = (it ?? {}) as { $ref?: string };
  return /^#\/components\/parameters\/(Language|AcceptLanguage)$/.test($ref ?? "");
}
