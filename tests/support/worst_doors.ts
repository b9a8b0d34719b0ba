import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { writeText } from "./folder.ts";
import type { Fleet } from "./fleet.ts";
import type { ProductProcess } from "./processes.ts";
import { worstInvoices, worstReport } from "./worst_documents.ts";

/** Entry point for untrusted bytes, with the most expensive known input. */
export interface Door {
  /** Name of the entry point and its input. */
  readonly name: string;
  /** Sends the input and waits until the product has processed it. */
  readonly work: () => Promise<unknown>;
}

/** Largest answers that a connector accepts: as values, as one text, and compressed. */
const ANSWERS: Readonly<Record<string, () => string>> = {
  "1,200,000 values": () => `[${"{},".repeat(1_200_000)}0]`,
  "short keys": () =>
    `{${Array.from({ length: 400_000 }, (_, at) => `"${at}":1,`).join("")}"total":1}`,
  "one text": () => JSON.stringify({ total: "é".repeat(2_600_000) }),
  brackets: () => "[".repeat(5_200_000),
};

/** Starts a server whose answers are as large as a connector accepts. */
async function startPeer(): Promise<{ host: string; close(): void }> {
  const server = createServer((request, response) => {
    const name = decodeURIComponent(request.url?.slice(1) ?? "");
    response.setHeader("content-type", "application/json");
    response.setHeader("content-encoding", "gzip");
    response.end(gzipSync(ANSWERS[name]?.() ?? ""));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  server.unref();
  return { host: `127.0.0.1:${port}`, close: () => void server.close() };
}

/** Returns the largest allowed section: queries, each with its own parameter and texts. */
function largestSection(): string {
  const query = (n: number) =>
    `      query_${n}:
        label: { en: Query ${n}, fr: Requête ${n} }
        sql: select order_no, amount, '${"x".repeat(200)}' as t from orders where amount > :a${n}
        params: { a${n}: { type: decimal } }
        sort: { default: [order_no] }\n`;
  const queries = Array.from({ length: 4_700 }, (_, n) => query(n));
  const head = "version: 1\nconnectors:\n  large:\n    type: sql\n    pool: passerelle\n";
  return `${head}    queries:\n${queries.join("")}`;
}

/** Unknown keys as JSON, and mistakes as YAML: nothing is usable, and every mistake has a position. */
export const WORST_SETTINGS = {
  unknownKeys: (): string =>
    JSON.stringify({
      version: 1,
      apps: {},
      ...Object.fromEntries(Array.from({ length: 97_000 }, (_, at) => [`key_${at}`, 1])),
    }),
  mistakes: (): string => "a: [1, }\n".repeat(166_000),
};

async function expect200(status: Promise<number>): Promise<void> {
  if (await status !== 200) throw new Error(`The settings were answered with ${await status}`);
}

/** Returns each most expensive document with its entry point, for a product that runs with `AUTH=off`. */
export async function worstDoors(
  { files, sandbox }: Pick<Fleet, "files" | "sandbox">,
  product: Pick<ProductProcess, "url">,
): Promise<Door[]> {
  const { url } = product;
  const send = async (method: string, path: string, init: RequestInit = {}) => {
    const answer = await fetch(`${url}${path}`, { method, ...init });
    await answer.arrayBuffer();
    return answer.status;
  };
  const json = (value: unknown, headers: Record<string, string> = {}) => ({
    body: typeof value === "string" ? value : JSON.stringify(value),
    headers: { "content-type": "application/json", ...headers },
  });
  const invoices = Object.entries(await worstInvoices());
  const perInvoice = invoices.flatMap(([what, text], at): Door[] => {
    const file = `worst-${at}.xml`;
    const validate = (accept: string) => async () => {
      await writeText(files, file, text);
      await send("POST", "/api/validate", json({ file, sourceType: "ubl" }, { accept }));
    };
    return [
      { name: `validate, as a page: ${what}`, work: validate("text/html") },
      { name: `validate, as a run: ${what}`, work: validate("application/json") },
      {
        name: `upload: ${what}`,
        work: () =>
          send("POST", `/api/upload?template=R42565&filename=${file}`, {
            body: text,
            headers: { "content-type": "application/octet-stream" },
          }),
      },
      {
        name: `received from the PA: ${what}`,
        work: async () => {
          await sandbox.receive(text);
          await send("POST", "/api/import", json({}));
        },
      },
    ];
  });
  const report = await worstReport();
  return [
    ...perInvoice,
    {
      name: "a run: an envelope of 3.5 MB around 60 invoices",
      work: async () => {
        await writeText(files, "worst-report.xml", report);
        await send("POST", "/api/run", json({ template: "R42565", file: "worst-report.xml" }));
      },
    },
    {
      name: "webhook: 64 kB",
      work: () => send("POST", "/api/pa/webhook", { body: "{".repeat(65_536) }),
    },
    {
      name: "JSON: 12 MB in one string",
      work: () =>
        send("PUT", "/api/fs/write", json({ path: "w.xml", content: "é".repeat(6_000_000) })),
    },
    {
      name: "JSON: 12 MB of brackets, with an escape that has it searched",
      work: () => send("PUT", "/api/fs/write", json(`${"[".repeat(6_000_000)}"\\u0000"`)),
    },
    {
      name: "JSON: 2 MB of short keys",
      work: () =>
        send(
          "POST",
          "/api/templates",
          json({
            name: "W",
            type: "document",
            properties: Object.fromEntries(
              Array.from({ length: 150_000 }, (_, at) => [`k${at}`, ""]),
            ),
          }),
        ),
    },
    ...Object.keys(ANSWERS).map((what) => ({
      name: `a connector's answer: ${what}`,
      work: async () => {
        const peer = await startPeer();
        const properties = {
          kind: "api",
          URL: `http://${peer.host}`,
          "endpoint.get": JSON.stringify({
            label: "Get",
            url: `/${encodeURIComponent(what)}`,
            responseField: "total",
            mappings: { total: "total" },
          }),
        };
        const template = { name: "worst", type: "connector", properties };
        await send("POST", "/api/templates", json(template));
        await send("PUT", "/api/templates/worst", json(template));
        await send("POST", "/api/connectors?name=worst&endpoint=get", json({ params: {} }));
        peer.close();
      },
    })),
    {
      name: "GET /api/fs/read: 10 MB",
      work: async () => {
        await writeText(files, "worst.txt", '"\\é'.repeat(2_500_000));
        await send("GET", "/api/fs/read?path=worst.txt");
      },
    },
    {
      name: "lists: 100 of everything",
      work: async () => {
        for (const list of ["invoices", "integration-errors", "runs", "tasks", "submissions"]) {
          await send("GET", `/api/${list}?pageSize=100`);
        }
      },
    },
    {
      name: "settings: a section of 2 MB, written, changed by one line, removed",
      work: async () => {
        const path = `/admin/config/connectors`;
        const before = await (await fetch(`${url}${path}/raw`)).text();
        const yaml = (body: string) =>
          send("POST", `${path}/raw?force=true`, {
            body,
            headers: { "content-type": "text/yaml" },
          });
        const text = largestSection();
        for (const body of [text, `${text}# one more line\n`]) await expect200(yaml(body));
        await expect200(yaml(before));
      },
    },
    {
      name: "settings: 97,000 unknown keys",
      work: () => send("PUT", "/admin/config/menus/parsed", json(WORST_SETTINGS.unknownKeys())),
    },
    {
      name: "settings: 1.5 MB of mistakes",
      work: () =>
        send("POST", "/admin/config/menus/raw", {
          body: WORST_SETTINGS.mistakes(),
          headers: { "content-type": "text/yaml" },
        }),
    },
    {
      name: "a release of rules: 32 MB that is no zip",
      work: () =>
        send("POST", "/api/rules/install", {
          body: new Uint8Array(32_000_000),
          headers: { "content-type": "application/zip" },
        }),
    },
    ...["errors", "pdf", "factur-x", "lines", "evidence"].map((part) => ({
      name: `GET …/${part} of a received document`,
      work: async () => {
        const listed = await fetch(`${url}/api/invoices?pageSize=50`);
        const { invoices } = await listed.json() as { invoices: Record<string, string>[] };
        for (const { fedoc, fedct, kco } of invoices) {
          const status = await send("GET", `/api/invoices/${fedoc}-${fedct}-${kco}/${part}`);
          if (status === 404) throw new Error(`Nothing is at ${part} of ${fedoc}`);
        }
      },
    })),
  ];
}
