import { setMaxListeners } from "node:events";
import { type QueueName, QUEUES } from "#src/ports/task_queue.ts";
import { sectionFolder } from "#src/adapters/fs/section_folder.ts";
import { followFolder } from "#src/framework/configuration/mod.ts";
import { compose, getConcurrency } from "./compose.ts";
import type { Config } from "#src/config/config.ts";
import type { Deps } from "#src/deps.ts";
import { openInvoiceFile, validateDocument } from "#src/gateway/validation/mod.ts";
import type { SandboxServer } from "#src/sandbox/mod.ts";
import { restrictNewFiles } from "./private_folder.ts";
import { startEmbeddedSandbox } from "./sandbox.ts";

interface ProductOptions {
  readonly write: (line: string) => void;
  /** Role of the process in its log entries. */
  readonly role?: string;
  /** False if a release step migrates the database. */
  readonly migrate?: boolean;
  /** False to ignore `CONFIG_DIR`, because a command changes only what its user requested. */
  readonly folder?: boolean;
  /** False to start no sandbox PA, whatever the configuration says. */
  readonly sandbox?: boolean;
}

/** Loads the workers. The entry file hands it over, because workers depend on this folder. */
type LoadWorkers = () => Promise<{
  readonly runWorkers: (
    deps: Deps,
    options: {
      readonly queues: readonly QueueName[];
      readonly concurrency: Partial<Record<QueueName, number>>;
      readonly signal: AbortSignal;
    },
  ) => Promise<void>;
}>;

/** Product in this process: its dependencies, its sandbox PA and its workers. Disposing it closes all of them. */
export interface Product extends AsyncDisposable {
  readonly deps: Deps;
  readonly sandbox: SandboxServer | undefined;
  /** Starts the workers of all queues, unless they already run. */
  work(load: LoadWorkers): void;
  /** Takes no new tasks and finishes the running ones. */
  drain(): Promise<void>;
}

export async function openProduct(config: Config, options: ProductOptions): Promise<Product> {
  const known: { deps?: Deps } = {};
  restrictNewFiles(); // before the sandbox writes its journal
  const wanted = config.sandbox.enabled && (options.sandbox ?? true);
  const starting = wanted ? startEmbeddedSandbox(config, judgingWith(known)) : undefined;
  starting?.catch(() => {}); // the caller that awaits it reports the error
  const composed = await compose(config, {
    sandbox: starting,
    write: options.write,
    role: options.role,
    migrate: options.migrate ?? true,
  }).catch(async (error) => {
    await starting?.then(({ sandbox }) => sandbox.close(), () => {});
    throw error;
  });
  const embedded = await starting;
  const { deps } = composed;
  known.deps = deps;
  const stop = new AbortController();
  const leave = new AbortController();
  setMaxListeners(0, stop.signal, leave.signal); // every loop of the process listens to these signals
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
  const work = (load: LoadWorkers) =>
    void (working ??= load().then(({ runWorkers }) =>
      runWorkers(deps, {
        queues: QUEUES,
        concurrency: getConcurrency(config),
        signal: stop.signal,
      })
    ));
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

/** Lets the sandbox validate with the product's rules, which are available a moment after it starts. */
function judgingWith(known: { readonly deps?: Deps }) {
  return {
    validate: async (bytes: Uint8Array) =>
      known.deps ? (await validateDocument(known.deps, bytes)).findings : [],
    openFacturX: async (pdf: Uint8Array) => {
      if (!known.deps) throw new Error("Nothing opens a Factur-X yet");
      return (await openInvoiceFile(known.deps, pdf)).xml;
    },
  };
}
