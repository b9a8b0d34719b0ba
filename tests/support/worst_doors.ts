import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Fleet } from "./fleet.ts";
import type { ProductProcess } from "./processes.ts";
import { worstInvoices, worstReport } from "./worst_documents.ts";

/** A way a stranger's bytes come in, with the worst that is known for it. */
export interface Door {
  /** The way in, and what comes. */
  readonly name: string;
  /** Sends it and waits until the product is done with it. */
  readonly work: () => Promise<unknown>;
}

/** Each worst document through each door of a product that runs with `AUTH=off`. */
export async function worstDoors(
  fleet: Pick<Fleet, "dataDir" | "sandbox">,
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
      await writeFile(join(fleet.dataDir, file), text);
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
          await fleet.sandbox.receive(text);
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
        await writeFile(join(fleet.dataDir, "worst-report.xml"), report);
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
    ...["errors", "pdf", "factur-x", "lines", "evidence"].map((part) => ({
      name: `GET …/${part} of what was received`,
      work: async () => {
        const listed = await fetch(`${url}/api/invoices?pageSize=50`);
        for (const { id } of (await listed.json()).invoices ?? []) {
          await send("GET", `/api/invoices/${encodeURIComponent(id)}/${part}`);
        }
      },
    })),
  ];
}
