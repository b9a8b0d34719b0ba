import { join } from "node:path";
import process from "node:process";

/** Returns the folder of the reference cases, next to the repository unless `PASSERELLE_SHARED` names it. */
export function casesFolder(): string {
  const shared = process.env["PASSERELLE_SHARED"] ??
    join(import.meta.dirname ?? ".", "..", "..", "..", "shared");
  return join(shared, "cases");
}
