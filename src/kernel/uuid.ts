/** Returns a UUID of version 7 (RFC 9562, 5.7): ids made later sort later. */
export function uuidV7(now: Date): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const ms = BigInt(now.getTime());
  for (let at = 0; at < 6; at++) bytes[at] = Number((ms >> BigInt(8 * (5 - at))) & 0xffn);
  bytes[6] = 0x70 | (bytes[6] ?? 0) & 0x0f;
  bytes[8] = 0x80 | (bytes[8] ?? 0) & 0x3f;
  const hex = [...bytes].map((it) => it.toString(16).padStart(2, "0")).join("");
  return [[0, 8], [8, 12], [12, 16], [16, 20], [20, 32]]
    .map(([from, to]) => hex.slice(from, to)).join("-");
}
