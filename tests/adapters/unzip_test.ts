import { assertEquals, assertThrows } from "@std/assert";
import { strToU8, zipSync } from "fflate";
import { Buffer } from "node:buffer";
import { unzipWithin } from "#src/adapters/zip/unzip.ts";
import { AppError } from "#src/kernel/errors.ts";

const LIMITS = { files: 10, bytes: 100_000 };
const small = zipSync({
  "a.txt": strToU8("a"),
  "b/c.txt": [strToU8("é".repeat(9000)), { level: 0 }],
});

function texts(entries: readonly [string, Uint8Array][]): [string, string][] {
  return entries.map(([name, content]) => [name, new TextDecoder().decode(content)]);
}

Deno.test("wanted entries of a zip are extracted, compressed or stored", () => {
  assertEquals(texts(unzipWithin(small, LIMITS)), [["a.txt", "a"], ["b/c.txt", "é".repeat(9000)]]);
  const want = (name: string) => name === "a.txt";
  assertEquals(texts(unzipWithin(small, { ...LIMITS, wanted: want })), [["a.txt", "a"]]);
  assertEquals(unzipWithin(zipSync({}), LIMITS), []);
});

Deno.test("a zip that understates its size is stopped by its actual size", () => {
  const bomb = Buffer.from(zipSync({ "a.txt": new Uint8Array(50_000_000) }));
  for (const claimed of [0, 10]) {
    const lying = Buffer.from(bomb);
    lying.writeUInt32LE(claimed, 22); // uncompressed size in the entry's own header
    lying.writeUInt32LE(claimed, lying.indexOf("PK\x01\x02") + 24); // and in the directory
    const error = assertThrows(() => unzipWithin(lying, LIMITS), AppError);
    assertEquals(error.code, "too_large");
  }
});

Deno.test("sizes that claim too much, too many entries, and directories that lie are refused", () => {
  const claiming = Buffer.from(small);
  claiming.writeUInt32LE(0xfffffff0, claiming.indexOf("PK\x01\x02") + 24);
  assertEquals(texts(unzipWithin(claiming, LIMITS))[0], ["a.txt", "a"]); // a size in the directory has no effect
  const many = zipSync(
    Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`${n}`, strToU8("x")])),
  );
  assertEquals(assertThrows(() => unzipWithin(many, LIMITS), AppError).code, "too_large");
  const renamed = Buffer.from(small);
  renamed.write("z", renamed.lastIndexOf("a.txt"));
  const cut = small.subarray(0, small.length - 30);
  for (const zip of [renamed, cut, strToU8("no zip"), new Uint8Array()]) {
    assertEquals(assertThrows(() => unzipWithin(zip, LIMITS), AppError).code, "refused");
  }
});

Deno.test("two entries of one name are refused, since programs choose differently between them", () => {
  const two = Buffer.from(zipSync({ "a.txt": strToU8("shown"), "b.txt": strToU8("other") }));
  for (let at = two.indexOf("b.txt"); at >= 0; at = two.indexOf("b.txt")) two.write("a", at);
  const error = assertThrows(() => unzipWithin(two, LIMITS), AppError);
  assertEquals([error.code, error.message], ["refused", "The zip holds a.txt twice"]);
  assertEquals(unzipWithin(two, { ...LIMITS, wanted: () => false }), []);
});
