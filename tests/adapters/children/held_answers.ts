import { homedir } from "node:os";
import process from "node:process";
import { openChildren } from "#src/adapters/children/mod.ts";
import { silentLog } from "#tests/support/log.ts";

/** Prints how many answers of one child are still in memory after all were read. Needs `--expose-gc`. */
const entry = new URL("./program.js", import.meta.url);
const children = openChildren({
  program: { name: "tests", entry, memory: 64, environment: { HOME: homedir() } },
  log: silentLog,
  busy: 1,
});
const answers: WeakRef<object>[] = [];
for (let nth = 0; nth < 50; nth++) {
  const read = (value: unknown) => value as object;
  answers.push(new WeakRef(await children.run({ job: { echo: nth }, deadlineMs: 20_000, read })));
}
await new Promise((resolve) => setTimeout(resolve, 10));
(globalThis as unknown as { gc(): void }).gc();
process.stdout.write(String(answers.filter((it) => it.deref() !== undefined).length));
await children.close();
