import { assertEquals, assertRejects } from "@std/assert";
import { createServer } from "node:http";
import { directoryClient, paClient } from "#src/adapters/pa/mod.ts";
import { PaError, type PaSettings } from "#src/ports/pa.ts";

const TOKEN = { kind: "bearer", token: "t" } as const;

/** Counts its connections. */
async function startNeighbour() {
  let calls = 0;
  const server = createServer((_, response) => {
    calls++;
    response.writeHead(200, { "content-type": "application/json" }).end(`{"results":[]}`);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    port,
    calls: () => calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function getSettings(baseUrl: string, auth: PaSettings["auth"] = TOKEN): PaSettings {
  return { name: "pa", baseUrl, auth, timeoutMs: 5_000 };
}

/** Resolves names like a customer's network. */
function resolve(name: string): Promise<readonly string[]> {
  const known: Record<string, readonly string[]> = {
    "inside.test": ["127.0.0.1"],
    "both.test": ["203.0.114.9", "10.0.0.7"],
    "metadata.test": ["169.254.169.254"],
  };
  return known[name] ? Promise.resolve(known[name]) : Promise.reject(new Error("ENOTFOUND"));
}

/** Sentence for every name, so that it does not show which ones exist in the network. */
const BY_NAME =
  "cannot be found: check the name of the host; a host in a private network must be listed in PRIVATE_HOSTS";
const BY_NUMBER = "is in a private network: the operator must list it in PRIVATE_HOSTS";

Deno.test("a PA's address in a private network is refused, and the error reveals nothing about it", async () => {
  await using neighbour = await startNeighbour();
  const open = neighbour.port;
  const closed = 1;
  const hosts = ["127.0.0.1", "[::ffff:127.0.0.1]", "0x7f.1", "inside.test", "both.test"];
  const addresses = hosts.flatMap((it) => [`http://${it}:${open}`, `http://${it}:${closed}`])
    .concat("http://metadata.test", "http://[fe80::1]", "http://nobody.test");
  for (const url of addresses) {
    const settings = getSettings(url);
    const reach = { privateHosts: [], resolve };
    for (
      const call of [
        () => paClient(settings, reach).healthcheck(),
        () => directoryClient(settings, reach).check({ siren: "702042755" }),
      ]
    ) {
      const error = await assertRejects(call, PaError);
      const { host, hostname } = new URL(url);
      const said = `The server ${host} (pa) ${hostname.endsWith(".test") ? BY_NAME : BY_NUMBER}`;
      assertEquals([error.message, error.outcome, error.details], [said, "not-sent", {
        outcome: "not-sent",
        httpStatus: undefined,
        errorCode: "UNREACHABLE",
      }], url);
    }
  }
  assertEquals(neighbour.calls(), 0);
});

Deno.test("so is the address of its token endpoint", async () => {
  await using neighbour = await startNeighbour();
  const secrets = { clientId: "erp", clientSecret: "hush" };
  const tokenUrl = `http://inside.test:${neighbour.port}/token`;
  const settings = getSettings("https://pa.test", { kind: "oauth2", tokenUrl, ...secrets });
  const client = paClient(settings, { privateHosts: ["pa.test"], resolve });
  assertEquals((await assertRejects(() => client.healthcheck(), PaError)).errorCode, "UNREACHABLE");
  assertEquals(neighbour.calls(), 0);
});

Deno.test("hosts that the operator listed are reachable, on the listed port only", async () => {
  await using neighbour = await startNeighbour();
  await using other = await startNeighbour();
  const privateHosts = [`inside.test:${neighbour.port}`];
  const reach = { privateHosts, resolve };
  const client = (port: number) => paClient(getSettings(`http://inside.test:${port}`), reach);
  await client(neighbour.port).healthcheck();
  await assertRejects(() => client(other.port).healthcheck(), PaError, BY_NAME);
  assertEquals([neighbour.calls(), other.calls()], [1, 0]);
});
