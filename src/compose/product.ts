import { setMaxListeners } from "node:events";
import { QUEUES } from "#src/ports/task_queue.ts";
import type { BegunPglite } from "#src/adapters/pglite/begin.ts";
import { sectionFolder } from "#src/adapters/fs/section_folder.ts";
import { followFolder } from "#src/features/configuration/mod.ts";
import { compose, concurrencyOf } from "./compose.ts";
import type { Config } from "#src/config/config.ts";
import type { Deps } from "#src/deps.ts";
import { openInvoiceFile, validateDocument } from "#src/features/validation/mod.ts";
import type { SandboxServer } from "#src/sandbox/mod.ts";
import { restrictNewFiles } from "./private_folder.ts";
import { startEmbeddedSandbox } from "./sandbox.ts";

interface ProductOptions {
  readonly write: (line: string) => void;
  /** What the process is for, as its log entries name it; a command where nothing is said. */
  readonly role?: string;
  /** Work on all queues in this process, from the start. */
  readonly work: boolean;
  /** False where a release step migrates the database. */
  readonly migrate?: boolean;
  /** False leaves `CONFIG_DIR` alone: a command does what it is asked for. */
  readonly folder?: boolean;
  /** False keeps the sandbox PA away, whatever the configuration says. */
  readonly sandbox?: boolean;
  /** The embedded database, where it is on its way. */
  readonly begun?: Promise<BegunPglite> | undefined;
}

/** The product in this process: what it needs, its sandbox PA, and its workers. Disposing ends all of it. */
export interface Product extends AsyncDisposable {
  readonly deps: Deps;
  readonly sandbox: SandboxServer | undefined;
  /** Begins to work on all queues, where it was not begun yet. */
  work(): void;
  /** Takes no new work and ends what is in hand. */
  drain(): Promise<void>;
}

export async function openProduct(config: Config, options: ProductOptions): Promise<Product> {
  const known: { deps?: Deps } = {}; // the sandbox judges with the product's own rules, which are there a moment later
  const judging = {
    validate: async (bytes: Uint8Array) =>
      known.deps ? (await validateDocument(known.deps, bytes)).findings : [],
    openFacturX: async (pdf: Uint8Array) => {
      if (!known.deps) throw new Error("Nothing opens a Factur-X yet");
      return (await openInvoiceFile(known.deps, pdf)).xml;
    },
  };
  restrictNewFiles(); // before the sandbox writes its journal
  const wanted = config.sandbox.enabled && (options.sandbox ?? true);
  const starting = wanted ? startEmbeddedSandbox(config, judging) : undefined;
  starting?.catch(() => {}); // told by what waits for it
  const composed = await compose(config, {
    sandbox: starting,
    write: options.write,
    role: options.role,
    migrate: options.migrate ?? true,
    begun: options.begun,
  }).catch(async (error) => {
    await starting?.then(({ sandbox }) => sandbox.close(), () => {});
    throw error;
  });
  const embedded = await starting;
  const { deps } = composed;
  known.deps = deps;
  const stop = new AbortController();
  const leave = new AbortController();
  setMaxListeners(0, stop.signal, leave.signal); // every loop of the process listens to them
  const following = Promise.all([
    composed.follow(leave.signal),
    options.folder !== false && config.configDir !== undefined &&
    followFolder(deps, {
      folder: sectionFolder(config.configDir),
      pollMs: config.queue.pollMs,
      signal: leave.signal,
    }),
  ]);
  let working: Promise<void> | undefined;
  const work = () =>
    void (working ??= import("#workers/run.ts").then(({ runWorkers }) =>
      // not where a process only serves
      runWorkers(deps, {
        queues: QUEUES,
        concurrency: concurrencyOf(config),
        signal: stop.signal,
      })
    ));
  if (options.work) work();
  const drain = async () => {
    stop.abort();
    await working;
  };
  return {
    deps,
    sandbox: embedded?.sandbox,
    work,
    drain,
    async [Symbol.asyncDispose]() {
      await drain();
      leave.abort();
      await following;
      await embedded?.sandbox.close();
      await composed[Symbol.asyncDispose]();
    },
  };
}
