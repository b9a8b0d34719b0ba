// A program for the tests of children: does what the job says.
import process from "node:process";
import { serve } from "../../../src/adapters/children/serve.ts";

let count = 0;
serve(async (job, primer) => {
  count++;
  const [name, argument] = Object.entries(job)[0];
  switch (name) {
    case "echo":
      return { argument, primer, count, pid: process.pid };
    case "refuse":
      throw Object.assign(new Error("no"), { name: "AppError", code: argument, details: { a: 1 } });
    case "fail":
      throw new TypeError("broken");
    case "spin":
      for (;;);
    case "exit":
      return process.exit(3);
    case "eat": {
      const held = [];
      for (;;) {
        held.push(argument === "heap" ? [...Array(1e5).keys()] : new Uint8Array(16e6).fill(1));
      }
    }
    case "look":
      return await lookAround(argument);
    case "flood":
      for (;;) process.stdout.write("x".repeat(65536));
    default:
      throw new Error(`unknown job ${name}`);
  }
});

/** What it may do that it must not. */
async function lookAround({ readable, unreadable }) {
  const fs = await import("node:fs");
  const { spawnSync } = await import("node:child_process");
  const attempts = {
    readable: () => fs.readFileSync(readable, "utf8"),
    unreadable: () => fs.readFileSync(unreadable),
    write: () => fs.writeFileSync(`${readable}.new`, ""),
    spawn: () => {
      const { error } = spawnSync("/bin/true");
      if (error) throw error;
    },
    environment: () => {
      if (Object.keys(process.env).length === 0) throw new Error("empty");
    },
    script: () => new Function("return 1")(),
    network: () => fetch("http://127.0.0.1:1"),
  };
  const possible = [];
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      await attempt();
      possible.push(name);
    } catch { /* as it must be */ }
  }
  return possible;
}
