import { assertEquals, assertStringIncludes } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createFirstAdmin } from "#src/platform/access/mod.ts";
import { GOLDEN, startProduct } from "#tests/support/product.ts";

const ADMIN = "correct horse battery staple";
const PASSWORD = "a quiet evening at sea";

/** Returns a stylesheet with this body, which may print the parameter `key`. */
const sheet = (body: string) =>
  `<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:param name="key" select="'none'"/>
<xsl:template match="/">${body}</xsl:template></xsl:stylesheet>`;

Deno.test("a trial shows invoices only to users who may read them, and neither secrets nor dates of other companies", async () => {
  await using product = await startProduct({ AUTH: "on" });
  await createFirstAdmin(product.deps, ADMIN);
  const signedIn = async (username: string, password: string) => {
    const { status, body } = await product.post("/auth/login", { username, password });
    assertEquals(status, 200, JSON.stringify(body));
    return { authorization: `Bearer ${body.access_token}` };
  };
  const admin = await signedIn("admin", ADMIN);
  const member = async (username: string, permissions: string[]) => {
    await product.post("/admin/roles", { name: username, permissions }, admin);
    const account = { username, password: PASSWORD, roles: [username], claims: {} };
    const made = await product.post("/admin/users", account, admin);
    assertEquals(made.status, 201, JSON.stringify(made.body));
    return await signedIn(username, PASSWORD);
  };
  const { body: template } = await product.get("/api/templates/R42565", admin);
  const saved = await product.send("PUT", "/api/templates/R42565", {
    ...template,
    properties: { ...template.properties, submit: "N", "param.key": "hush" },
    secrets: ["param.key"],
  }, admin);
  assertEquals(saved.status, 200, JSON.stringify(saved.body));
  const single = await readFile(join(GOLDEN, "erp", "R42565-single.xml"), "utf8");
  const other = single.replace("ID135>100000<", "ID135>200000<")
    .replace("KeyCompany_ID137>00001<", "KeyCompany_ID137>00002<");
  for (const [name, report] of [["one.xml", single], ["other.xml", other]] as const) {
    const file = await product.write(name, report);
    const run = await product.post("/api/run", { template: "R42565", file, mode: "SINGLE" }, admin);
    assertEquals(run.body.success, true, JSON.stringify(run.body));
  }

  const attempt = async (body: string, headers: Record<string, string>) =>
    await product.post("/api/xsl/try", {
      path: "mine.xsl",
      content: sheet(body),
      invoice: "100000-RI-00001",
    }, headers);
  const prints = "<out><xsl:value-of select='$key'/></out>";
  const writer = await member("writer", ["files:read", "files:write"]);
  const refused = await attempt(prints, writer);
  assertEquals([refused.status, refused.body.permission], [403, "invoices:read"]);
  const reader = await member("reader", ["files:read", "invoices:read"]);
  assertEquals((await attempt(prints, reader)).status, 403);

  const erp = { template: "R42565", content: single };
  const onErp = (headers: Record<string, string>, source: object) =>
    product.post(
      "/api/xsl/try",
      { path: "mine.xsl", content: sheet(prints), erp: source },
      headers,
    );
  const blind = await member("blind", ["files:write", "invoices:read"]);
  assertEquals((await onErp(blind, erp)).body.permission, "templates:read");
  const half = await member("half", ["files:write", "invoices:read", "templates:read"]);
  const shown = await onErp(half, erp);
  assertStringIncludes(shown.body.tried.ubl, "<out>none</out>");
  const stored = await onErp(half, { template: "R42565", file: "one.xml" });
  assertEquals(stored.body.permission, "files:read");
  const compiled = { path: "mine.xsl", content: sheet(prints) };
  assertEquals((await product.post("/api/xsl/compile", compiled, reader)).status, 403);

  const both = await member("both", ["files:read", "files:write", "invoices:read"]);
  const printed = await attempt(prints, both);
  assertEquals(printed.status, 200, JSON.stringify(printed.body));
  assertStringIncludes(printed.body.tried.ubl, "<out>none</out>");
  const asks = (number: string) =>
    `<xsl:processing-instruction name="passerelle-key">doc="1" dct="RI" kco="00002"</xsl:processing-instruction>
<out><xsl:processing-instruction name="passerelle-issue-date">of="${number}"</xsl:processing-instruction></out>`;
  const own = await attempt(asks("RI-100000"), both);
  assertStringIncludes(own.body.tried.ubl, "<out>2026-09-30</out>");
  const foreign = await attempt(asks("RI-200000"), both);
  assertEquals(foreign.body.tried.ubl, null);
  assertStringIncludes(foreign.body.tried.failure.message, "RI-200000 is unknown");
});
