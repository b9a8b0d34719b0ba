import { assertEquals } from "@std/assert";
import { PA_PROTOCOLS, paClient } from "#src/adapters/pa/mod.ts";
import { LOOPBACK, startPeer } from "#tests/sandbox/support.ts";
import { type Fault, PA_CONTRACT, type PaSetting } from "./pa.ts";

const FAULTS: Readonly<Record<Fault, object>> = {
  "busy": { kind: "429", retryAfter: 1 },
  "lost-after": { kind: "500-after" },
  "lost-before": { kind: "500-before" },
  "refused": { kind: "status", status: 422 },
};

/** Starts a peer for each protocol. */
const PEERS: Readonly<Record<string, () => Promise<PaSetting & AsyncDisposable>>> = {
  "flow-service": async () => {
    const peer = await startPeer();
    const { settings } = peer;
    const auth = {
      kind: "oauth2",
      tokenUrl: peer.sandbox.tokenUrl,
      clientId: "erp",
      clientSecret: "s3cr3t",
    } as const;
    return {
      pa: peer.pa,
      nowhere: paClient({
        ...settings,
        baseUrl: "http://127.0.0.1:1",
        auth: { kind: "bearer", token: "t" },
      }, LOOPBACK),
      stranger: paClient({ ...settings, auth }, LOOPBACK),
      failNext: async (fault) => void await peer.admin("POST", "faults", FAULTS[fault]),
      [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
    };
  },
};

Deno.test("every PA protocol is tested against the contract", () => {
  assertEquals(Object.keys(PEERS), [...PA_PROTOCOLS]);
});

for (const [protocol, start] of Object.entries(PEERS)) {
  for (const [promise, check] of Object.entries(PA_CONTRACT)) {
    Deno.test(`PA by ${protocol}: ${promise}`, async () => {
      await using setting = await start();
      await check(setting);
    });
  }
}
