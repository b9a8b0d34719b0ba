import { assert, assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { Buffer } from "node:buffer";
import { type Conversation, newConversation } from "#src/adapters/children/conversation.ts";
import {
  decode,
  encode,
  FrameError,
  frameReader,
  HEADER,
  writeFrame,
} from "#src/adapters/children/frames.ts";

const MAX = 10_000;

/** Returns the id and nonce of a question, which a child would receive. */
function query(conversation: Conversation, job: unknown): { id: number; nonce: Uint8Array } {
  const [frame] = frameReader(MAX, { isChecked: false })(Buffer.concat(conversation.ask({ job })));
  if (frame === undefined) throw new Error("a question is a frame");
  return frame;
}

const anything = fc.oneof(
  fc.anything({ withNullPrototype: false }).filter((it) => typeof it !== "bigint"),
  fc.json({ maxDepth: 3 }),
);
const body = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  anything.map((value) => Buffer.from(getJson(value))),
  fc.tuple(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.string()).map(([size, text]) =>
    sized(size, text)
  ),
  fc.constantFrom(
    '{"$bytes":[0,9]}',
    '{"$bytes":[-1,1]}',
    '{"$text":[0,9]}',
    '{"value":{"$map":[1]}}',
    '{"value":{"$date":"x"}}',
    '{"value":{"__proto__":{"polluted":1}}}',
    '{"refusal":{"code":"unauthenticated","message":"x","details":{}}}',
    '{"refusal":{"code":"refused","message":1}}',
    "[".repeat(9000),
  ).map((text) => sized(text.length, text)),
);

Deno.test("ten thousand hostile answers are each an error of their child, or wait for more", () => {
  const hostile = fc.record({
    body,
    idOff: fc.constantFrom(0, 0, 1, -1, 2 ** 31),
    wrongNonce: fc.boolean(),
    flip: fc.option(fc.nat(400), { nil: undefined }),
    cut: fc.option(fc.nat(400), { nil: undefined }),
    raw: fc.option(fc.uint8Array({ maxLength: 100 }), { nil: undefined }),
    twice: fc.boolean(),
    step: fc.integer({ min: 1, max: 500 }),
  });
  let ended = 0;
  fc.assert(
    fc.property(hostile, ({ body, idOff, wrongNonce, flip, cut, raw, twice, step }) => {
      const conversation = newConversation({ maxAnswer: MAX });
      const { id, nonce } = query(conversation, {});
      const frame = writeFrame({
        id: (id + idOff + 2 ** 32) % 2 ** 32,
        nonce: wrongNonce ? Buffer.alloc(16) : nonce,
        body,
      });
      if (flip !== undefined && flip < frame.length) frame[flip] = (frame[flip] ?? 0) ^ 0x10;
      const whole = Buffer.concat([raw ?? Buffer.alloc(0), frame, twice ? frame : Buffer.alloc(0)]);
      const sent = whole.subarray(0, cut === undefined ? whole.length : whole.length - cut);
      try {
        for (let at = 0; at < sent.length; at += step) {
          conversation.hear(sent.subarray(at, at + step));
        }
      } catch (error) {
        assert(error instanceof FrameError, `${error}`);
        ended++;
      }
      assertEquals(({} as Record<string, unknown>)["polluted"], undefined);
    }),
    { numRuns: 10_000 },
  );
  assert(ended > 5_000);
});

Deno.test("no more than one answer is buffered, whatever its header claims", () => {
  const conversation = newConversation({ maxAnswer: MAX });
  const frame = writeFrame({ ...query(conversation, {}), body: Buffer.alloc(MAX + 1) });
  assertThrows(() => conversation.hear(frame.subarray(0, HEADER)), FrameError, "10001 bytes");
});

Deno.test("an answer is accepted once, and none before its question", () => {
  const conversation = newConversation({ maxAnswer: MAX });
  const answer = writeFrame({ ...query(conversation, {}), body: encode({ value: 7 }) });
  assertEquals(conversation.hear(answer), { value: 7 });
  assertThrows(() => conversation.hear(answer), FrameError, "not asked");
  const before = newConversation({ maxAnswer: MAX });
  assertThrows(() => before.hear(Buffer.from("P")), FrameError, "without being asked");
});

Deno.test("plain data returns unchanged, whatever its names", () => {
  const leaf = fc.oneof(
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  );
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("$date", "$bytes", "$x")), tie("value"), {
        maxKeys: 4,
        noNullPrototype: true,
      }),
      fc.date({ noInvalidDate: true }),
      fc.array(fc.tuple(fc.string(), tie("value")), { maxLength: 3 }).map((pairs) =>
        new Map(pairs)
      ),
    ),
  })).value;
  fc.assert(fc.property(value, (it) => assertEquals(decode(encode(it)), it)));
  const bytes = decode(encode([new Uint8Array([1, 2]), new Uint8Array([3])])) as Uint8Array[];
  assertEquals(bytes.map((it) => [...it]), [[1, 2], [3]]);
  for (const long of ['é\u{1F600}\0"'.repeat(40_000), `${"x".repeat(70_000)}\ud800`]) {
    assertEquals(decode(encode({ a: [long, bytes[0]], b: long })), {
      a: [long, bytes[0]],
      b: long,
    });
  }
});

function getJson(value: unknown): Uint8Array {
  let text = "null";
  try {
    text = JSON.stringify(value) ?? "null";
  } catch { /* a circle, or a number JSON has none of */ }
  return sized(Buffer.byteLength(text), text);
}

function sized(size: number, text: string): Uint8Array {
  const head = Buffer.alloc(4);
  head.writeUInt32BE(size, 0);
  return Buffer.concat([head, Buffer.from(text)]);
}
