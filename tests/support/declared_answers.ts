import { appendFileSync } from "node:fs";
import process from "node:process";
import snapshot from "#tests/openapi.json" with { type: "json" };

/** File that receives a line per seen answer; `unseen_answers.ts` reads it after all tests ran. */
const SEEN = process.env["SEEN_ANSWERS"];

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly pattern: RegExp;
  readonly statuses: ReadonlySet<string>;
}

/** Operations of the API document. Paths without a parameter come first: `/a/b` before `/a/{id}`. */
export const OPERATIONS: readonly Operation[] = Object.entries(snapshot.paths)
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { responses }]) => ({
      method: method.toUpperCase(),
      path,
      pattern: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`),
      statuses: new Set(Object.keys(responses)),
    }))
  )
  .toSorted((a, b) => parametersIn(a) - parametersIn(b));

function parametersIn({ path }: Operation): number {
  return path.split("{").length - 1;
}

/**
 * Fails unless the API document allows this answer to this call. Calls outside the document are not checked. `deno task
 * openapi` updates the document.
 */
export function holdDeclared(
  call: { method: string; path: string },
  { status }: Pick<Response, "status">,
): void {
  const method = call.method.toUpperCase();
  const [path = ""] = call.path.split("?", 1);
  const operation = OPERATIONS.find((it) => it.method === method && it.pattern.test(path));
  if (!operation) return;
  if (SEEN) appendFileSync(SEEN, `${method} ${operation.path} ${status}\n`);
  const { statuses } = operation;
  if (statuses.has(String(status)) || statuses.has(`${Math.floor(status / 100)}XX`)) return;
  throw new Error(
    `${method} ${operation.path} answered ${status}, which its declaration does not list: ` +
      [...statuses].join(", "),
  );
}
