import { assertEquals } from "@std/assert";
import { createHash, createHmac } from "node:crypto";
import {
  canonicalSignature,
  isSignedByPa,
  type SignedCall,
} from "#src/gateway/submission/pa/webhook_signature.ts";

const KEY = new Uint8Array(32).fill(7);
const signingKey = btoa(String.fromCharCode(...KEY));
const payload = new TextEncoder().encode(`{"flowId":"1"}`);
const NOW = 1_790_000_000;

function sign(timestamp: number, form: "bytes" | "hex" = "bytes"): SignedCall {
  const hash = createHash("sha256").update(payload).update(`@${timestamp}`);
  const fingerprint = form === "bytes" ? hash.digest() : hash.digest("hex");
  const signature = createHmac("sha256", KEY).update(fingerprint).digest("base64");
  return { payload, signature, timestamp: String(timestamp) };
}

Deno.test("a call signed with the key a moment ago is the PA's", () => {
  assertEquals(isSignedByPa(sign(NOW - 20), { signingKey, now: NOW }), true);
  assertEquals(isSignedByPa(sign(NOW + 20, "hex"), { signingKey, now: NOW }), true);
});

Deno.test("an old, altered, unsigned or foreign call is not", () => {
  const call = sign(NOW);
  const check = { signingKey, now: NOW };
  const altered = new TextEncoder().encode(`{"flowId":"2"}`);
  const calls: readonly SignedCall[] = [
    sign(NOW - 301),
    sign(NOW + 301),
    { ...call, payload: altered },
    { ...call, timestamp: String(NOW + 1) },
    { ...call, timestamp: "now" },
    { ...call, timestamp: undefined },
    { ...call, signature: undefined },
    { ...call, signature: "" },
    { ...call, signature: call.signature?.slice(0, 20) },
  ];
  assertEquals(calls.map((one) => isSignedByPa(one, check)), calls.map(() => false));
  assertEquals(
    isSignedByPa(call, { signingKey: btoa("other key, long enough"), now: NOW }),
    false,
  );
  assertEquals(isSignedByPa(call, { signingKey: "", now: NOW }), false);
});

Deno.test("a signature is the same however its base64 is spelt", () => {
  const signature = sign(NOW).signature ?? "";
  const spelt = [
    signature,
    signature.replace(/=+$/, ""),
    signature.replaceAll("+", "-").replaceAll("/", "_"),
    ` ${signature}`,
  ];
  assertEquals(new Set(spelt.map(canonicalSignature)), new Set([signature]));
});
