import process from "node:process";
import { openEdge } from "#src/compose/edge.ts";
import { installUncaughtHandler } from "#src/compose/uncaught_handler.ts";
import { loadConfig } from "#src/config/config.ts";

/**
 * The HTTP tier for a platform that calls a function, as Deno Deploy and `deno serve` do: it opens no port, writes no file and
 * starts no process. See docs/deploy.md.
 */
interface Caller {
  readonly remoteAddr: { readonly hostname?: string };
}

installUncaughtHandler(process.env);
const handle = await openEdge(loadConfig(process.env), (line) => void process.stdout.write(line));

export default {
  fetch: (request: Request, { remoteAddr }: Caller) => handle(request, remoteAddr.hostname),
};
