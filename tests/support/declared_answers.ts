import { appendFileSync } from "node:fs";
import process from "node:process";
import snapshot from "#tests/openapi.json" with { type: "json" };

/** A file that gets a line for each answer seen; `unseen_answers.ts` reads it after a run of all tests. */
const SEEN = process.env["SEEN_ANSWERS"];

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly pattern: RegExp;
  readonly statuses: ReadonlySet<string>;
}

/** Of the API document, those without a path parameter first: `/a/b` before `/a/{id}`. */
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
 * Fails unless the API document says that this call can be answered so; of what is no call of the document nothing is
 * asked. `deno task openapi` writes the document anew.
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
