import { spawn } from "node:child_process";
import { join } from "node:path";
import process from "node:process";

/** Sandbox PA in its own process; its client and its secret are `sandbox`. */
export interface Standalone extends AsyncDisposable {
  readonly url: string;
}

export async function startStandalone(): Promise<Standalone> {
  const entry = join(import.meta.dirname ?? ".", "..", "..", "src", "processes", "sandbox_pa.ts");
  const flags = ["--no-prompt", "--allow-net", "--allow-env", "--allow-sys", "--allow-read"];
  const child = spawn(process.execPath, ["run", ...flags, entry], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  let said = "";
  for await (const chunk of child.stdout) {
    said += chunk;
    if (said.includes("\n")) break;
  }
  return {
    url: /http:\S+/.exec(said)?.[0] ?? "",
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
