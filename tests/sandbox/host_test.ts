import { assertEquals } from "@std/assert";
import { request } from "node:http";
import { startPeer } from "./support.ts";

function readStatus(url: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.on("error", reject).end();
  });
}

Deno.test("a name that somebody lets point at this machine leads to nothing", async () => {
  await using peer = await startPeer({ names: ["pa.example"] });
  const { url } = peer.sandbox;
  const { port } = new URL(url);
  for (const path of ["/", "/sandbox/journal", "/flow-service/v1/healthcheck"]) {
    for (const host of ["evil.example", `evil.example:${port}`, "127.0.0.1.evil.example"]) {
      assertEquals(await readStatus(url + path, host), 403, `${host}${path}`);
    }
  }
  for (const host of ["localhost", `127.0.0.1:${port}`, "PA.example:80"]) {
    assertEquals(await readStatus(`${url}/sandbox/journal`, host), 200, host);
  }
});
