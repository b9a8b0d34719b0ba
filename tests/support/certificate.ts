import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

const YEAR_MS = 366 * 86_400_000;

/** A self-signed certificate (RFC 5280) for 127.0.0.1 and localhost, made for one test. */
export function selfSigned(): { readonly key: string; readonly cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = sequence(oid("1.2.840.10045.4.3.2")); // ecdsa-with-SHA256
  const name = sequence(der(0x31, sequence(oid("2.5.4.3"), der(0x0c, Buffer.from("localhost")))));
  const now = Date.now();
  const names = sequence(
    der(0x82, Buffer.from("localhost")),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const extensions = sequence(sequence(oid("2.5.29.17"), der(0x04, names)));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    algorithm,
    name,
    sequence(time(now - YEAR_MS), time(now + YEAR_MS)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, extensions),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", body, privateKey)]));
  const base64 = sequence(body, algorithm, signature).toString("base64").replace(/.{64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size = length < 128
    ? [length]
    : length < 256
    ? [0x81, length]
    : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  const bytes = rest.flatMap((arc) => {
    const digits = [arc & 127];
    for (let left = arc >> 7; left > 0; left >>= 7) digits.unshift(left & 127 | 128);
    return digits;
  });
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]));
}

function time(ms: number): Buffer {
  return der(0x18, Buffer.from(new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, "")));
}
