// A child that answers the first request as it should, and then sends what is no answer.
import { Buffer } from "node:buffer";
import { Socket } from "node:net";
import { encode, frameReader, writeFrame } from "../../../src/adapters/children/frames.ts";

const channel = new Socket({ fd: 3 });
const read = frameReader(1e6, { isChecked: false });
let first = true;
channel.on("data", (chunk) => {
  for (const { id, nonce, body } of read(chunk)) {
    const reply = (value, change = {}) =>
      writeFrame({ id, nonce: Buffer.from(nonce), body: encode(value), ...change });
    if (first) {
      first = false;
      channel.write(reply({}));
      continue;
    }
    const { job } = JSON.parse(body.subarray(4).toString());
    const good = reply({ value: "good" });
    const kinds = {
      garbage: Buffer.from("WARNING evaluate is slow\n"),
      "another id": reply({ value: 1 }, { id: id + 1 }),
      "another nonce": reply({ value: 1 }, { nonce: Buffer.alloc(16) }),
      "a huge length": Buffer.concat([Buffer.from("PSR1"), Buffer.alloc(40, 255)]),
      "a changed body": Buffer.from(good).fill(0x31, good.length - 3),
      "no shape": reply(null),
      "another shape": reply({ value: { not: "a text" } }),
      "an odd refusal": reply({ refusal: { code: "forbidden", message: "no", details: {} } }),
      "no JSON": reply({}, { body: Buffer.from([0, 0, 0, 1, 0x7b]) }),
      "half a frame": good.subarray(0, good.length - 1),
      silence: Buffer.alloc(0),
    };
    channel.write(kinds[job]);
    if (job === "half a frame") channel.end();
  }
});
