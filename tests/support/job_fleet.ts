import { assert, assertEquals } from "@std/assert";
import { sql } from "drizzle-orm";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";
import { getRows } from "#src/ports/db.ts";
import { postgresUrl } from "./db.ts";
import { type ErpDatabase, erpDatabase } from "./erp_database.ts";
import { type FleetOptions, startFleet } from "./fleet.ts";
import { until } from "./until.ts";

/** Statements that wait end when the gate opens, so that tests do not depend on time. */
const SCRIPT = `
  create table done (id bigserial primary key, run text, n int);
  create table gate (open bool);
  grant select on gate to {role};
  create function wait_for_gate() returns text language plpgsql as $$
    begin
      while not exists (select 1 from gate) loop perform pg_sleep(0.05); end loop;
      return 'open';
    end $$;
  grant select, insert on done to {role}; grant usage on sequence done_id_seq to {role};`;

/** Starts a peer that reports the maximum number of parallel calls per key, and the number of aborted calls. */
async function startPeer() {
  const most = new Map<string, number>();
  const now = new Map<string, number>();
  const seen = { hanging: 0, givenUp: 0 };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? "/", "http://peer");
    if (pathname === "/hang") {
      seen.hanging++;
      response.once("close", () => seen.givenUp++);
      return;
    }
    const key = pathname.slice(1);
    const under = (now.get(key) ?? 0) + 1;
    now.set(key, under);
    most.set(key, Math.max(most.get(key) ?? 0, under));
    setTimeout(() => {
      now.set(key, (now.get(key) ?? 1) - 1);
      response.end("{}");
    }, 700);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    most,
    seen,
    [Symbol.asyncDispose]() {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function sections(erp: ErpDatabase, peer: string, jobs: string): Record<string, string> {
  const { hostname, port, pathname } = new URL(erp.url);
  return {
    pools: `version: 1
pools:
  erp:
    driver: postgres
    host: ${hostname}
    port: ${port || 5432}
    database: ${pathname.slice(1)}
    user: ${erp.role}
    password: erp
    ssl: { mode: disable }
    limits: { timeout: 10m }
`,
    connectors: `version: 1
connectors:
  erp:
    type: sql
    pool: erp
    defaults: { timeout: 10m }
    queries:
      nap: { sql: "select pg_sleep(:s) as nap", params: { s: { type: number, required: true } } }
      at_gate: { sql: "select wait_for_gate() as gate" }
      numbers: { sql: "select n from generate_series(1, :most) n", params: { most: { type: integer } } }
      note:
        mode: write
        sql: insert into done (run, n) values (:run, :n)
        params: { run: { type: string }, n: { type: integer } }
      note_at_gate:
        mode: write
        sql: insert into done (run, n) select :run, :n from wait_for_gate()
        params: { run: { type: string }, n: { type: integer } }
      slow_note:
        mode: write
        sql: insert into done (run, n) select :run, :n from pg_sleep(:s)
        params: { run: { type: string }, n: { type: integer }, s: { type: number } }
  peer:
    type: http
    base_url: ${peer}
    timeout: 60s
    endpoints:
      hold: { path: "/{key}", params: { key: { type: string } } }
      hang: { path: /hang, timeout: 60s }
`,
    jobs,
  };
}

/** Starts HTTP and worker processes with jobs, an external database and a peer. */
export async function startJobFleet(jobs: string, options: FleetOptions = {}) {
  const erp = await erpDatabase(postgresUrl ?? "", SCRIPT);
  const peer = await startPeer();
  const fleet = await startFleet({
    web: 1,
    workers: 2,
    ...options,
    environment: { AUTH: "off", ...options.environment },
  });
  const url = fleet.web[0]?.url ?? "";
  const call = async (method: string, path: string, body?: unknown) => {
    const isText = typeof body === "string";
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        "accept-language": "en",
        ...body !== undefined && { "content-type": isText ? "text/yaml" : "application/json" },
      },
      ...body !== undefined && { body: isText ? body : JSON.stringify(body) },
    });
    return { status: answer.status, body: await answer.json() };
  };
  for (const [section, text] of Object.entries(sections(erp, peer.url, jobs))) {
    const saved = await call("POST", `/admin/config/${section}/raw?force=true`, text);
    assertEquals(saved.status, 200, JSON.stringify(saved.body));
  }
  const show = async (id: string) => (await call("GET", `/admin/jobs/runs/${id}`)).body;
  return {
    fleet,
    erp,
    peer,
    call,
    show,
    async run(name: string, params: Record<string, unknown> = {}): Promise<string> {
      const { status, body } = await call("POST", `/admin/jobs/${name}/run`, { params });
      assertEquals(status, 202, JSON.stringify(body));
      return body.run_id;
    },
    async ended(id: string) {
      await until(async () => (await show(id)).status !== "running", `run ${id}`);
      return await show(id);
    },
    begun: (id: string, step: string) =>
      until(
        async () =>
          (await show(id)).steps.some((it: { id: string; status: string }) =>
            it.id === step && it.status === "running"
          ),
        `step ${step}`,
      ),
    /** Kills the worker that executes the run. */
    async kill(id: string) {
      const rows = getRows<{ holder: string }>(
        await fleet.database.db.execute(
          sql`select holder from tasks where name = 'run_job' and state = 'running' and payload->>'runId' = ${id}`,
        ),
      );
      const pid = Number(rows[0]?.holder.split(":").at(-1));
      assert(pid > 0, "somebody has it in hand");
      process.kill(pid, "SIGKILL");
    },
    async gate(is: "open" | "shut") {
      await erp.owner.unsafe(is === "open" ? "insert into gate values (true)" : "delete from gate");
    },
    notes: async (run: string) =>
      (await erp.owner.unsafe("select n from done where run = $1 order by n", [run]))
        .map((it) => Number(it["n"])),
    async [Symbol.asyncDispose]() {
      await fleet[Symbol.asyncDispose]();
      await peer[Symbol.asyncDispose]();
      await erp[Symbol.asyncDispose]();
    },
  };
}
