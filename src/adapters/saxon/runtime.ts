import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";

export interface ChildRights {
  /** The script to run, absolute. */
  readonly script: string;
  readonly args?: readonly string[];
  /** The only folder it may read and write. */
  readonly folder?: string;
  /** MB of JavaScript heap. */
  readonly memory: number;
}

/** The command that runs a script in this runtime with next to no rights: no network, no process, no code from strings. */
export function childCommand(rights: ChildRights): { command: string; args: string[] } {
  const args = "Deno" in globalThis ? denoArgs(rights) : nodeArgs(rights);
  return { command: process.execPath, args: [...args, rights.script, ...(rights.args ?? [])] };
}

function denoArgs({ folder, memory }: ChildRights): string[] {
  const files = folder === undefined ? [] : [`--allow-read=${folder}`, `--allow-write=${folder}`];
  return [
    "run",
    "--no-prompt",
    "--cached-only",
    "--allow-env", // asked for while loading, given back before the first stylesheet
    ...files,
    `--v8-flags=--max-old-space-size=${memory},--disallow-code-generation-from-strings`,
  ];
}

function nodeArgs({ script, folder, memory }: ChildRights): string[] {
  const flags = process.allowedNodeEnvironmentFlags;
  const permission = flags.has("--permission") ? "--permission" : "--experimental-permission";
  const packages = dirname(dirname(createRequire(import.meta.url).resolve("saxon-js")));
  const readable = [join(packages, "*"), join(dirname(script), "*")];
  const files = folder === undefined ? [] : [join(folder, "*")];
  return [
    "--disallow-code-generation-from-strings",
    `--max-old-space-size=${memory}`,
    "--no-warnings",
    permission,
    ...[...readable, ...files].map((path) => `--allow-fs-read=${path}`),
    ...files.map((path) => `--allow-fs-write=${path}`),
  ];
}
