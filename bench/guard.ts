import { spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { scryptPasswords } from "#src/adapters/passwords/scrypt.ts";
import { templateRoutes } from "#src/platform/templates/routes.ts";
import type { HttpEnv } from "#src/http/env.ts";
import { openAccess } from "#src/http/guard.ts";
import { healthRoutes } from "#src/http/health.ts";
import { httpTier } from "#src/http/tier.ts";
import { serve } from "#src/adapters/http_server/server.ts";
import { must, startAccess } from "#tests/support/access.ts";
import { median, type Row } from "./table.ts";

const LOAD = fileURLToPath(new URL("load.ts", import.meta.url));
const ROUNDS = 12;
const ROUND_MS = 700;
const SIGN_INS = 30;
const TRIES = 40;

/** Measures the cost of authentication: a read of one row with and without it, and reads while many users sign in. */
export async function guardCost(): Promise<Row[]> {
  return [...await readCost(), ...await signInCost(), ...await failureTimes()];
}

async function readCost(): Promise<Row[]> {
  await using guarded = await startAccess();
  await addTemplate(guarded);
  const open = httpTier(() => [templateRoutes(guarded.deps)], {
    access: openAccess,
    log: guarded.deps.log,
    version: "0",
  });
  const rates: Record<"with" | "without", number[]> = { with: [], without: [] };
  const servers = { with: await serveOn(guarded.app), without: await serveOn(open) };
  for (let round = -1; round < ROUNDS; round++) {
    const order = round % 2 ? ["with", "without"] as const : ["without", "with"] as const;
    for (const which of order) {
      const { times } = await load(`${servers[which].url}/api/templates/bench`, {
        token: guarded.admin,
        ms: ROUND_MS,
        connections: 16,
      });
      if (round >= 0) rates[which].push(times.length / ROUND_MS * 1000); // the first round warms up
    }
  }
  for (const server of Object.values(servers)) await server.close(0);
  const shares = rates.with.map((it, at) => it / (rates.without[at] ?? NaN));
  const rate = (values: number[]) => `${Math.round(median(values))} /s`;
  return [
    { what: "read of one row, authentication off", figure: rate(rates.without) },
    { what: "read of one row, token checked and permission matched", figure: rate(rates.with) },
    {
      what: "share of the rate that is left",
      figure: `${Math.round(median(shares) * 100)} %`,
      note: `median of ${ROUNDS} rounds, each both ways`,
    },
  ];
}

async function signInCost(): Promise<Row[]> {
  await using it = await startAccess({
    passwords: scryptPasswords(),
    routes: (
      { db },
    ) => [healthRoutes({
      db,
      tasks: { ping: () => Promise.resolve() },
      settings: { version: "0", build: "0" },
      isDraining: () => false,
      isSendingOff: () => Promise.resolve(false),
    })],
  });
  const server = await serveOn(it.app);
  const signIns = Promise.all(
    Array.from({ length: SIGN_INS }, (_, at) =>
      it.call("POST", "/auth/login", {
        body: { username: `user${at}`, password: "x" },
        from: `192.0.2.${at}`,
      })),
  );
  const { times } = await load(`${server.url}/api/healthz`, {
    token: "",
    ms: 4_000,
    connections: 2,
  });
  const statuses = (await signIns).map((answer) => answer.status);
  await server.close(0);
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? NaN;
  const count = (status: number) => statuses.filter((it) => it === status).length;
  return [{
    what: `health check while ${SIGN_INS} sign in, p99`,
    figure: `${p99.toFixed(1)} ms`,
    note: `${count(401)} hashed, ${count(429)} told to come back`,
  }];
}

async function failureTimes(): Promise<Row[]> {
  await using it = await startAccess({ passwords: scryptPasswords({ log2N: 14 }) });
  for (let at = 0; at < TRIES; at++) {
    await it.call("POST", "/admin/users", {
      token: it.admin,
      body: { username: `known${at}`, password: "a long enough one" },
    });
  }
  const times: Record<string, number[]> = { known: [], stranger: [] };
  for (let at = 0; at < TRIES; at++) {
    for (const [who, list] of Object.entries(times)) {
      const begin = performance.now();
      await it.call("POST", "/auth/login", {
        body: { username: `${who}${at}`, password: "wrong" },
        from: `198.51.100.${at}`,
      });
      list.push(performance.now() - begin);
    }
  }
  const [known, stranger] = [median(times["known"] ?? []), median(times["stranger"] ?? [])];
  return [{
    what: "failed sign-in, unknown user against wrong password",
    figure: `${(stranger / known * 100).toFixed(1)} %`,
    note: `${stranger.toFixed(1)} ms and ${known.toFixed(1)} ms with a lighter hash`,
  }];
}

/** Adds the row that is read: `/api/templates/bench`. */
export async function addTemplate(
  { call, admin }: Pick<Awaited<ReturnType<typeof startAccess>>, "call" | "admin">,
): Promise<void> {
  const body = { name: "bench", type: "document", properties: { inputDir: "in" } };
  await must(call("POST", "/api/templates", { token: admin, body }), 200);
}

export function serveOn(app: OpenAPIHono<HttpEnv>) {
  return serve(app.fetch, { port: 0, host: "127.0.0.1" });
}

/** Throws if no call succeeded, because a rate of refusals is meaningless. */
export async function load(
  url: string,
  { token, ms, connections, body }: {
    token: string;
    ms: number;
    connections: number;
    body?: object;
  },
): Promise<{ times: number[]; failed: number }> {
  const posted = body === undefined ? [] : [JSON.stringify(body)];
  const what = [url, token, String(ms), String(connections), ...posted];
  const args = ["run", "--no-check", "-A", LOAD, ...what];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  for await (const chunk of child.stdout) text += chunk;
  const loaded = JSON.parse(text) as { times: number[]; failed: number };
  if (!loaded.times.length) throw new Error(`${url} answered no call of ${loaded.failed} with 2xx`);
  return loaded;
}
