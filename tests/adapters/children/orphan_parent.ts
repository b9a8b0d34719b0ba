// Starts a child that never ends, prints its process id, and waits to be killed.
import { homedir } from "node:os";
import process from "node:process";
import { openChildren } from "#src/adapters/children/mod.ts";
import { silentLog } from "#tests/support/log.ts";

const children = openChildren({
  program: {
    name: "tests",
    entry: new URL("./program.js", import.meta.url),
    memory: 64,
    environment: { HOME: homedir() },
  },
  log: silentLog,
  busy: 1,
});
const request = { deadlineMs: 60_000, read: (value: unknown) => value as { pid: number } };
const { pid } = await children.run({ ...request, job: { echo: 1 } });
const spinning = children.run({ ...request, job: { spin: 1 } });
process.stdout.write(`${pid}\n`);
await spinning;
