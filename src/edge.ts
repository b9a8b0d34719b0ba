import process from "node:process";
import { leave } from "#src/compose/leave.ts";
import { toldToStop } from "#src/compose/told_to_stop.ts";
import { openEdge } from "#src/compose/edge.ts";
import { installUncaughtHandler } from "#src/compose/uncaught_handler.ts";
import { loadConfig } from "#src/config/config.ts";
import { toMessage } from "#src/kernel/errors.ts";

/**
 * HTTP tier for platforms that call a function, such as Deno Deploy and `deno serve`. It opens no port, writes no file
 * and starts no process. See docs/how-to/install-on-deno-deploy.md.
 */
interface Caller {
  readonly remoteAddr: { readonly hostname?: string };
}

const GRACE_MS = 20_000;

installUncaughtHandler(process.env);
const stopped = toldToStop();
const edge = await openEdge(loadConfig(process.env), (line) => void process.stdout.write(line));
void stopped.then(() => edge.close(GRACE_MS)).then(
  () => leave(0, process.env),
  (error) => {
    process.stderr.write(`${toMessage(error)}\n`);
    return leave(1, process.env);
  },
);

export default {
  fetch: (request: Request, { remoteAddr }: Caller) => edge.handle(request, remoteAddr.hostname),
};
