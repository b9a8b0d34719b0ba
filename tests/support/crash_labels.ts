import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname ?? ".", "..", "..");

/** Reads every crash point of the product from its source. */
export function crashLabels(): string[] {
  const files = globSync("{src,workers}/**/*.ts", { cwd: ROOT });
  const labels = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(/\bcrash\("([\w.]+)"\)/g)].map((it) =>
      it[1] ?? ""
    )
  );
  return [...new Set(labels)].sort();
}
