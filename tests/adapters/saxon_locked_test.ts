import { assert, assertEquals } from "@std/assert";
import { homedir } from "node:os";
import { openChildren } from "#src/adapters/children/mod.ts";
import { silentLog } from "#tests/support/log.ts";

const ATTEMPTS = [
  "ixsl:window()",
  "js:reach()",
  "ixsl:call(ixsl:window(), 'reach', [])",
  "ixsl:get(., 'constructor')",
  "Q{http://saxonica.com/ns/interactiveXSLT}eval('1')",
  "function-lookup(QName(concat('http://saxonica.com/ns/global', 'JS'), 'reach'), 0)()",
  "function-lookup(QName(concat('http://saxonica.com/ns/interactive', 'XSLT'), 'window'), 0)()",
  "function-lookup(QName(concat('http://saxonica.com/ns/interactive', 'XSLT'), 'call'), 3)('a', 'constructor', [])",
];

Deno.test("SaxonJS reaches no JavaScript in its child, even with an unchecked stylesheet", async () => {
  const children = openChildren({
    program: {
      name: "tests",
      entry: new URL("./saxon_locked.js", import.meta.url),
      memory: 128,
      environment: { HOME: homedir() },
    },
    log: silentLog,
    busy: 1,
  });
  const ask = (xpath: string) =>
    children.run({
      job: { xpath },
      deadlineMs: 20_000,
      read: (value) => value as { said: string; reached: boolean },
    });
  assertEquals(await ask("1 + 1"), { said: "2", reached: false });
  for (const xpath of ATTEMPTS) {
    const { said, reached } = await ask(xpath);
    assert(
      !reached && (said.startsWith("refused") || said === "null" || said === "[]"),
      `${xpath}: ${said}`,
    );
  }
  await children.close();
});
