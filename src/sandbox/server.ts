import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Clock } from "#src/ports/clock.ts";
import type { Log } from "#src/ports/log.ts";
import { sandboxApp } from "./app.ts";
import { tokenIssuer } from "./auth.ts";
import { directoryEntries } from "./directory.ts";
import { faultList } from "./faults.ts";
import type { Services } from "./http_context.ts";
import { folderJournal, memoryJournal } from "./journal.ts";
import type { Personality } from "./model.ts";
import type { OpenFacturX } from "./facts.ts";
import type { SandboxPa, Validate } from "./pa.ts";
import { newQuota } from "./quota.ts";
import { startScheduler } from "./scheduler.ts";
import { DEFAULT_PERSONALITY } from "./settings.ts";
import { apply, newState } from "./state.ts";
import { startWebhooks } from "./webhooks.ts";

/** Address, credentials and behaviour of the server. */
export interface SandboxOptions {
  /** 0 chooses a free port. */
  readonly port: number;
  /** Default 127.0.0.1. The admin API needs no token, so do not expose it beyond this machine. */
  readonly host?: string | undefined;
  /** Accepted host names, in addition to those of this machine and `host`. */
  readonly names?: readonly string[] | undefined;
  /**
   * Folder in which flows survive a restart; by default they are stored in memory. One process at a time may use it.
   */
  readonly dataDir?: string | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly clock: Clock;
  readonly log?: Log | undefined;
  readonly personality?: Partial<Personality> | undefined;
  /** Validates invoices; an invoice with a FATAL finding is rejected. */
  readonly validate?: Validate | undefined;
  /** Opens Factur-X files. Without it they are accepted unread and get no lifecycle messages. */
  readonly openFacturX?: OpenFacturX | undefined;
  /** `listed` knows only a few built-in companies and those added through the admin API. */
  readonly directory?: "everyone" | "listed" | undefined;
  /** Milliseconds before a failed webhook call is repeated; default 1000. */
  readonly webhookRetryMs?: number | undefined;
}

/** Running sandbox PA. */
export interface SandboxServer {
  readonly url: string;
  /** Base addresses for the settings of a client. */
  readonly flowUrl: string;
  readonly directoryUrl: string;
  readonly tokenUrl: string;
  readonly close: () => Promise<void>;
}

/** Starts a separate sandbox PA on HTTP; it accepts calls when the promise resolves. */
export async function startSandboxPa(options: SandboxOptions): Promise<SandboxServer> {
  const pa = await openPa(options);
  const server = createServer();
  const host = options.host ?? "127.0.0.1";
  const url = await listen(server, options.port, host);
  const urls = {
    flow: `${url}/flow-service`,
    directory: `${url}/directory-service`,
    token: `${url}/oauth2/token`,
  };
  const services: Services = {
    pa,
    urls,
    names: [new URL(url).hostname, ...options.names ?? []],
    faults: faultList(),
    quota: newQuota(() => options.clock.now().getTime()),
    tokens: tokenIssuer(options, options.clock),
    directory: pa.directory,
  };
  const app = sandboxApp(services);
  server.on("request", getRequestListener(app.fetch, { overrideGlobalObjects: false }));
  const webhooks = startWebhooks(pa, options.webhookRetryMs ?? 1000);
  const scheduler = startScheduler(pa);
  return {
    url,
    flowUrl: urls.flow,
    directoryUrl: urls.directory,
    tokenUrl: urls.token,
    async close() {
      await stop(server);
      await scheduler.stop();
      await webhooks.stop();
      await pa.journal.close();
    },
  };
}

async function openPa(options: SandboxOptions): Promise<SandboxPa> {
  const state = newState();
  const journal = options.dataDir === undefined
    ? memoryJournal()
    : await folderJournal(options.dataDir, (entry, place) => apply(state, entry, place));
  return {
    clock: options.clock,
    log: options.log,
    directory: directoryEntries(options.directory),
    journal,
    state,
    rules: [],
    validate: options.validate,
    openFacturX: options.openFacturX,
    listeners: new Set(),
    personality: { ...DEFAULT_PERSONALITY, ...options.personality },
  };
}

function listen(server: Server, port: number, host: string): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const address = server.address();
      const bound = typeof address === "object" && address ? address.port : port;
      resolve(`http://${host.includes(":") ? `[${host}]` : host}:${bound}`);
    });
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
