import { resolve, sep } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const FILES = [
  "readFile",
  "resource",
  "resourcePromise",
  "makeHttpRequest",
  "writeFileSync",
  "writeFileAsync",
];
const NETWORK = [
  "fetch",
  "WebSocket",
  "EventSource",
  "XMLHttpRequest",
  "Worker",
  "BroadcastChannel",
];

/**
 * Takes from this process what a stylesheet must not have: environment, network, and all files, or all but those in the
 * folder `files`. Where the runtime has permissions of its own they hold besides.
 */
export function lockDown(SaxonJS, { files }) {
  const platform = SaxonJS.getPlatform();
  const allowed = (target) => files !== undefined && isIn(files, target);
  for (const name of FILES) {
    const original = platform[name];
    platform[name] = (target, ...rest) => {
      if (allowed(target)) return original.call(platform, target, ...rest);
      throw new Error("A stylesheet may not reach files or the network");
    };
  }
  for (const name of NETWORK) delete globalThis[name];
  if (globalThis.Deno) globalThis.Deno.permissions.revokeSync({ name: "env" });
  else process.env = {};
}

/** `compiler` is a part of the processor itself. */
function isIn(folder, target) {
  if (target === "compiler") return true;
  const text = String(target?.file ?? target);
  const path = text.startsWith("file:") ? fileURLToPath(text) : resolve(text);
  return path.startsWith(folder + sep);
}
