import { assertEquals, assertMatch } from "@std/assert";
import { invoiceXml, outgoing, type Peer, settle, startPeer } from "./support.ts";

async function getAnswer(peer: Peer, path: string, body: unknown) {
  const response = await fetch(`${peer.sandbox.url}/sandbox/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, said: (await response.json()).errorMessage ?? "" };
}

/** Invalid bodies of the admin API, and the expected message. */
const REFUSED: readonly (readonly [path: string, body: unknown, says: RegExp])[] = [
  ["faults", { kind: "429", times: -1 }, /times.*-1/],
  ["faults", { kind: "429", times: 0.5 }, /times.*0\.5/],
  ["faults", { kind: "slow", delayMs: "x" }, /delayMs.*"x"/],
  ["faults", { kind: "503", retryAfter: -3 }, /retryAfter.*-3/],
  ["faults", { kind: "none" }, /kind.*"none"/],
  ["faults", {}, /kind/],
  ["faults", { kind: "429", operation: "dance" }, /operation.*"dance"/],
  ["faults", { kind: "status", status: 700 }, /status.*700/],
  ["faults", { kind: "status", body: {} }, /body.*\{\}/],
  ["faults", { kind: "429", matches: {} }, /no field matches/],
  ["faults", { kind: "429", match: "F-1" }, /match.*"F-1"/],
  ["faults", { kind: "429", match: { invoiceNo: "F-1" } }, /match has no field invoiceNo.*"F-1"/],
  ["faults", { kind: "429", match: { amount: 12 } }, /amount of match.*12/],
  ["faults", "no json", /no JSON object/],
  ["scripts", { match: { amount: "x" }, script: "refused" }, /amount of match.*"x"/],
  ["scripts", { match: { siren: "1" }, script: "refused" }, /no field siren/],
  ["scripts", { match: [], script: "refused" }, /match.*\[\]/],
  ["scripts", { script: "married" }, /script.*"married"/],
  ["scripts", { match: {} }, /script or steps/],
  ["scripts", { steps: [{ status: 205 }] }, /status of a step.*205/],
  ["scripts", { steps: [{ status: "205", after: "x" }] }, /after.*"x"/],
  ["scripts", { steps: [{ status: "205", copies: 0 }] }, /copies.*0/],
  ["scripts", { steps: [{ status: "212", amounts: [{ amount: "ten" }] }] }, /amount.*"ten"/],
  ["scripts", { steps: [], ack: "Maybe" }, /ack.*"Maybe"/],
  ["scripts", { steps: [], ack: { code: "X" } }, /ack has no field code/],
  ["personality", { stepDelayMs: "x" }, /stepDelayMs.*"x"/],
  ["personality", { ackDelayMs: -1 }, /ackDelayMs.*-1/],
  ["personality", { apiVersion: "2.0" }, /apiVersion.*"2\.0"/],
  ["personality", { humour: "good" }, /no field humour/],
  ["incoming", { invoiceNumber: 7, status: "205" }, /invoiceNumber.*7/],
  ["incoming", { invoiceNumber: "F-1", status: "205", reasons: [] }, /no field reasons/],
];

Deno.test("invalid input of the admin API is refused with the field and its value, and changes nothing", async (t) => {
  await using peer = await startPeer();
  for (const [path, body, says] of REFUSED) {
    await t.step(`${path} ${JSON.stringify(body)}`, async () => {
      const { status, said } = await getAnswer(peer, path, body);
      assertEquals(status, 400);
      assertMatch(said, says);
    });
  }
  const { ack } = await settle(peer.pa, (await peer.pa.submit(outgoing(invoiceXml()))).flowId);
  assertEquals(ack.status, "Ok");
});

Deno.test("valid input is applied", async () => {
  await using peer = await startPeer();
  const match = { amount: "120.00" };
  assertEquals((await getAnswer(peer, "faults", { kind: "429", times: 0, match })).status, 201);
  assertEquals((await getAnswer(peer, "scripts", { match, script: "refused" })).status, 201);
  assertEquals((await getAnswer(peer, "personality", { stepDelayMs: 0 })).status, 201);
});
