import openapiTS, { astToString } from "openapi-typescript";

/**
 * Generates types of the API for `openapi-fetch`: requests and successful answers. Descriptions stay in the document.
 */
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

/** Removes descriptions. Maps of names are kept, because there `title` is an ordinary name. */
function bare(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) return value.filter((it) => !isOfEveryCall(it)).map((it) => bare(it));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => isMap || !PROSE.has(key));
  return Object.fromEntries(entries.map(([key, it]) => {
    if (key === "responses" && !isMap) return [key, succeeding(it)];
    return [key, bare(it, key === "properties" || key === "schemas")];
  }));
}

/** Keeps only successful answers, because the console handles all errors in the same way. */
function succeeding(responses: object): object {
  return Object.fromEntries(
    Object.entries(responses).filter(([status]) => /^[23]/.test(status))
      .map(([status, it]) => [status, bare(it)]),
  );
}

/** Matches the language header, which the client sets itself. */
function isOfEveryCall(it: unknown): boolean {
  const { $ref } = (it ?? {}) as { $ref?: string };
  return /^#\/components\/parameters\/(Language|AcceptLanguage)$/.test($ref ?? "");
}
