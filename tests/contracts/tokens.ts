import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { Tokens } from "#src/ports/tokens.ts";

export interface TokensSetting {
  /** Opens the tokens of one installation; a second call returns those of another of its processes. */
  open(): Tokens;
  /** Advances the clock of all processes. */
  pass(seconds: number): void;
}

const CLAIMS = {
  username: "ann",
  session: "00000000-0000-4000-8000-000000000000",
  roles: ["clerk"],
  permissions: ["invoices:read"],
  epoch: 3,
} as const;

/** Contract of every issuer of access tokens. */
export const TOKENS_CONTRACT: Readonly<
  Record<string, (setting: TokensSetting) => Promise<void>>
> = {
  "what is issued is verified, by every process": async ({ open }) => {
    const tokens = open();
    const token = await tokens.issue(CLAIMS);
    const claims = await open().verify(token);
    assertEquals({ ...claims, expiresAt: 0 }, { ...CLAIMS, expiresAt: 0 });
    assertEquals(await tokens.verify(token), claims);
    assertNotEquals(await tokens.issue(CLAIMS), token);
  },

  "it ends when it says": async ({ open, pass }) => {
    const tokens = open();
    const token = await tokens.issue(CLAIMS);
    pass(tokens.lifetimeSeconds - 1);
    assert(await tokens.verify(token));
    pass(120); // clocks of a fleet may differ by a minute
    assertEquals(await tokens.verify(token), undefined);
  },

  "whatever is no token of ours is none, without a word why": async ({ open }) => {
    const tokens = open();
    const [head = "", body = "", mark = ""] = (await tokens.issue(CLAIMS)).split(".");
    const none = btoa(JSON.stringify({ alg: "none", typ: "at+jwt" })).replaceAll("=", "");
    const wrong = [
      "",
      ".",
      "..",
      "not a token",
      `${head}.${body}`,
      `${head}.${body}.`,
      `${none}.${body}.`,
      `${head}.${btoa("{}")}.${mark}`,
      `${head}.${body}.${mark.slice(1)}A`,
    ];
    for (const token of wrong) assertEquals(await tokens.verify(token), undefined, token);
  },

  "after a rotation a new key signs and what was signed before still counts": async (
    { open, pass },
  ) => {
    const tokens = open();
    const before = await tokens.issue(CLAIMS);
    const [old] = (await tokens.jwks()).keys;
    pass(1);
    const kid = await tokens.rotate();
    const { keys } = await tokens.jwks();
    assertEquals(keys.map((it) => it["kid"]), [kid, old?.["kid"]]);
    assert(keys.every((it) => !("d" in it)), "only what is public");
    assert(await tokens.verify(before));
    assert(await tokens.verify(await tokens.issue(CLAIMS)));
  },

  "after a rotation that forgets it counts no longer": async ({ open }) => {
    const tokens = open();
    const before = await tokens.issue(CLAIMS);
    await tokens.rotate({ forget: true });
    assertEquals(await tokens.verify(before), undefined);
    assertEquals((await tokens.jwks()).keys.length, 1);
    assertEquals(await open().verify(before), undefined);
  },

  "more permissions than a header carries are left out, and so told": async ({ open }) => {
    const tokens = open();
    const permissions = Array.from({ length: 1_000 }, (_, n) => `sql:connector${n}:*`);
    const token = await tokens.issue({ ...CLAIMS, permissions });
    assert(token.length < 8_000, `${token.length} characters`);
    assertEquals((await tokens.verify(token))?.permissions, undefined);
  },
};
