import { readFileSync } from "node:fs";
import process from "node:process";
import { OPERATIONS } from "./declared_answers.ts";

/**
 * Prints errors that the API document declares and no test has seen, one line per call, including those of
 * `addAnswers`. After `SEEN_ANSWERS=/tmp/seen deno task test`: `SEEN_ANSWERS=/tmp/seen deno run -A
 * tests/support/unseen_answers.ts`.
 */
const seen = new Set(readFileSync(process.env["SEEN_ANSWERS"] ?? "", "utf8").split("\n"));
for (const { method, path, statuses } of OPERATIONS) {
  const unseen = [...statuses].filter((it) =>
    Number(it) >= 400 && !seen.has(`${method} ${path} ${it}`)
  );
  if (unseen.length) process.stdout.write(`${method} ${path}: ${unseen.join(" ")}\n`);
}
