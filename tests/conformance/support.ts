import { join } from "node:path";
import process from "node:process";

/** The reference cases, beside the repository unless `PASSERELLE_SHARED` names their folder. */
export function casesFolder(): string {
  const shared = process.env["PASSERELLE_SHARED"] ??
    join(import.meta.dirname ?? ".", "..", "..", "..", "shared");
  return join(shared, "cases");
}
