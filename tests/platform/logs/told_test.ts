import { assert, assertEquals } from "@std/assert";
import { jsonLinesLog } from "#src/adapters/log/json_lines.ts";
import { keptLine, keptText } from "#src/platform/logs/told.ts";
import type { LogLine } from "#src/ports/log.ts";

Deno.test("secrets are masked under any name, and a text without one stays", () => {
  const sealed = "ENC:c2VhbGVk";
  const hidden = "h1dden-4711.abcdefgh";
  const texts = [
    sealed,
    `said bearer ${hidden}`,
    `BASIC ${hidden}`,
    `jwt eyJhbGciOi.${hidden}`,
    `jwt-eyJhbGciOi.${hidden}`,
    `a.b.eyJhbGciOi.${hidden}`,
    `postgres://app:${hidden}@db/app`,
    `Authorization: ${hidden}`,
    `proxy-authorization=${hidden}`,
    `Set-Cookie: ${hidden}`,
    ...[
      "plain_text",
      "access_token",
      "passwd",
      "PASSWORD",
      "passphrase",
      "pwd",
      "clientSecret",
      "ticket",
      "credential",
      "credentials",
      "signature",
      "api_key",
      "apikey",
      "accountKey",
      "private_key",
      "shared_key",
      "signing_key",
      "subscriptionKey",
      "X-Functions-Key",
    ].flatMap((name) => [`a=1&${name}=${hidden}&b=2`, `{"${name}": "${hidden}"}`]),
  ];
  const told = texts.filter((text) => {
    const kept = keptText(text, []);
    return kept.includes("h1dden-4711") || kept.includes("c2VhbGVk") || !kept.includes("********");
  });
  assertEquals(told, []);
  const plain = "GET /api/invoices took 12 ms for admin, as it should";
  assertEquals(keptText(plain, []), plain);
});

Deno.test("a secret cut off at the end of a long text is not stored in part, however much before it was masked", () => {
  const secret = "the password of a database";
  for (const masked of [0, 1_000, 5_000, 7_900]) {
    const before = `password="${"p".repeat(masked)}" `;
    const kept = keptText(before.padEnd(7_990, "y") + secret, [secret]);
    assert(!kept.includes("the pass"), `after ${masked} characters that were masked`);
  }
});

/** Returns the line that a log writes for these fields. */
function getLine(fields: Record<string, unknown>): LogLine {
  const lines: LogLine[] = [];
  const keep = (line: LogLine) => void lines.push(line);
  const now = () => new Date("2026-09-01T08:00:00Z");
  const log = jsonLinesLog({ level: "DEBUG", write: () => {}, now, keep });
  log.within("0193a1d2", () => log.info("http.request", fields as Record<string, never>));
  const [line] = lines;
  if (!line) throw new Error("Nothing was logged");
  return line;
}

Deno.test("a short plain line is stored like others, without a second pass", () => {
  const secrets = ['a "secret" of 1', "plain secret"];
  const samples = [
    ...["", "GET", "/api/invoices?page=2", "été, 株式会社", "a\u0000b", "half \ud800 a pair"],
    ...["line\nline \\ back", ...secrets, "Bearer abcdefgh.ijkl", "x".repeat(5_000)],
    ...[0, -1.5, 1e300, true, null, { deep: ["plain secret", { password: "hush" }] }],
  ];
  for (const value of samples) {
    for (const name of ["path", "accessToken", "Cookie"]) {
      const { text: plain } = keptLine(getLine({ [name]: value }), secrets);
      // The backslash forces the slow path.
      const { call, line: { odd, ...line } } = JSON.parse(
        keptLine(getLine({ [name]: value, odd: "\\" }), secrets).text,
      );
      assertEquals(odd, "\\");
      assertEquals(JSON.parse(plain), { call, line }, `${name}: ${JSON.stringify(value)}`);
      assert(!/plain secret|hush|abcdefgh|\\u0000|\\ud800/.test(plain), plain);
      if (value && name !== "path") assertEquals(line[name], "********");
    }
  }
});

Deno.test("a secret is masked whole, however it is quoted", () => {
  const texts = [
    `{"password":"hush hush hush"}`,
    JSON.stringify(JSON.stringify({ password: "hush hush" })),
    JSON.stringify(JSON.stringify(JSON.stringify({ accessToken: "hush, hush" }))),
    `{ host: 'db', password: 'hush hush' }`,
    `host=db password='hush hush' user=app`,
    "secret: \\`hush hush\\`",
    "password:\n    hush",
    `password = hush`,
    `{"password": "hush`,
  ];
  assertEquals(texts.map((it) => keptText(it, [])).filter((it) => it.includes("hush")), []);
  assertEquals(
    keptText(`{"password": "hush hush", "host": "db"}`, []),
    `{"password": "********", "host": "db"}`,
  );
});

Deno.test("a secret or a character across a text's limit is not stored in part", () => {
  for (let at = 3_980; at < 4_010; at++) {
    const kept = keptText(`${"x".repeat(at)}hush-hush-4711 and more`, ["hush-hush-4711"]);
    assert(!kept.includes("hu"), kept.slice(-20));
    assert(kept.length <= 4_000);
    const called = keptText(`${"x ".repeat(at / 2)}token=hush-hush-4711`, []);
    assert(!called.includes("hu"), called.slice(-20));
  }
  for (const length of [198, 199, 200]) {
    const { text } = keptLine(getLine({ [`${"k".repeat(length)}\u{1f600}`]: 1 }), []);
    assert(!/\\ud[89a-f]/.test(text), "what jsonb does not take, and with it no reader of the log");
  }
});

Deno.test("no field passes for the time, the level or the event of its line", () => {
  const kept = keptLine(getLine({ time: "never", level: "ERROR", event: "no" }), []);
  const { line } = JSON.parse(kept.text);
  assertEquals(line, { time: "2026-09-01T08:00:00.000Z", level: "INFO", event: "http.request" });
});

Deno.test("fields that identify the subject of a line contain no secret either", () => {
  const given = { ...getLine({}), event: "no.hush", text: '{"event":"no.hush","n":1}' };
  const kept = keptLine(given, ["hush"]);
  assertEquals(kept.event, "no.********");
  assertEquals(JSON.parse(kept.text).line, { event: "no.********", n: 1 });
});

Deno.test("values that JSON cannot express do not stop the caller, and the rest of the line is written", () => {
  const circle: Record<string, unknown> = { name: "a circle" };
  circle["own"] = circle;
  const { text } = keptLine(getLine({ circle, count: 4711n, path: "/api/x" }), []);
  const { line } = JSON.parse(text);
  assertEquals([line.event, line.path, line.count], ["http.request", "/api/x", "4711n"]);
  assert(line.circle.includes("a circle"));
});

Deno.test("nor by errors of others that say no text", () => {
  const cause = Object.assign(new Error(), { message: null });
  const error = Object.assign(new Error("", { cause }), { message: { code: 5 }, stack: [1] });
  const { line } = JSON.parse(keptLine(getLine({ error }), []).text);
  assertEquals(line.error, {
    name: "Error",
    message: "{ code: 5 }",
    stack: "[ 1 ]",
    cause: "null",
  });
});

Deno.test("the number of a call is stored like other texts: without a secret, and readable for a database", () => {
  const own = { time: "2026-11-23T12:00:00.000Z", level: "INFO", event: "x.y" } as const;
  const given = { ...own, text: JSON.stringify(own), requestId: "call-\0of-h1dden\ud800" };
  assertEquals(JSON.parse(keptLine(given, ["h1dden"]).text).call, "call-of-********\ufffd");
});
