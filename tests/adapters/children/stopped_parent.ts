// Starts a child, gives it no processor time beyond its deadline, and prints its answer.
import { homedir } from "node:os";
import process from "node:process";
import { delay } from "#src/kernel/delay.ts";
import { openChildren } from "#src/adapters/children/mod.ts";
import { silentLog } from "#tests/support/log.ts";

const DEADLINE_MS = 2_000;
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
const ask = (argument: number) =>
  children.run({
    job: { echo: argument },
    deadlineMs: DEADLINE_MS,
    read: (value) => value as { argument: number; pid: number },
  });
const { pid } = await ask(1);
process.kill(pid, "SIGSTOP");
const answer = ask(2).then((it) => it.argument, (error) => String(error));
await delay(DEADLINE_MS * 1.25);
process.kill(pid, "SIGCONT");
process.stdout.write(`${await answer}\n`);
await children.close();
