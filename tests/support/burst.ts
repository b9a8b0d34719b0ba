import { assertEquals } from "@std/assert";
import { erpBurst, getNumbers } from "./erp.ts";
import type { ProductProcess } from "./processes.ts";

/** Uploads invoices to a process, runs them, and resolves to their numbers. */
export async function sendBurst(
  { url }: Pick<ProductProcess, "url">,
  { count, first }: { readonly count: number; readonly first: number },
): Promise<number[]> {
  const upload = await fetch(`${url}/api/upload?template=R42565&filename=burst-${first}.xml`, {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: await erpBurst(count, first),
  });
  const { file } = await upload.json();
  const run = await fetch(`${url}/api/run`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ template: "R42565", file, mode: "BURST" }),
  });
  const { success, error } = await run.json();
  assertEquals([success, error], [true, undefined]);
  return getNumbers(count, first);
}
