/**
 * `private`: this machine or a private network. `never`: addresses that no call of ours needs, such as metadata
 * services, link-local, multicast, reserved (IANA special-purpose registries, RFC 6890).
 */
type AddressKind = "public" | "private" | "never";

/** Classifies an IP address in its usual spelling; any other text is `never`. */
export function addressKind(address: string): AddressKind {
  const four = parseIpv4(address);
  if (four !== undefined) return kindOfIpv4(four);
  const six = parseIpv6(address);
  return six === undefined ? "never" : kindOfIpv6(six);
}

/** Checks whether an IP address leads back to the calling machine. */
export function isLoopbackAddress(address: string): boolean {
  const four = parseIpv4(address);
  if (four !== undefined) return isLoopbackIpv4(four);
  const six = parseIpv6(address) ?? [];
  const last = (six[6] ?? 0) * 65536 + (six[7] ?? 0);
  const prefix = six.slice(0, 6).join();
  return prefix === "0,0,0,0,0,0" && last === 1 ||
    prefix === "0,0,0,0,0,65535" && isLoopbackIpv4(last);
}

function isLoopbackIpv4(address: number): boolean {
  return address >>> 24 === 127;
}

const V4: readonly (readonly [base: string, bits: number, kind: AddressKind])[] = [
  ["0.0.0.0", 8, "never"],
  ["10.0.0.0", 8, "private"],
  ["100.64.0.0", 10, "private"],
  ["127.0.0.0", 8, "private"],
  ["169.254.0.0", 16, "never"],
  ["172.16.0.0", 12, "private"],
  ["192.0.0.0", 24, "never"],
  ["192.0.2.0", 24, "never"],
  ["192.88.99.0", 24, "never"],
  ["192.168.0.0", 16, "private"],
  ["198.18.0.0", 15, "never"],
  ["198.51.100.0", 24, "never"],
  ["203.0.113.0", 24, "never"],
  ["224.0.0.0", 3, "never"],
];

function kindOfIpv4(address: number): AddressKind {
  const found = V4.find(([base, bits]) => {
    const shift = 32 - bits;
    return Math.floor(address / 2 ** shift) === Math.floor((parseIpv4(base) ?? 0) / 2 ** shift);
  });
  return found?.[2] ?? "public";
}

/** Classifies addresses that carry an IPv4 address (mapped, NAT64, 6to4) by that address. */
function kindOfIpv6(groups: readonly number[]): AddressKind {
  const [a = 0, b = 0, c = 0] = groups;
  const last = (groups[6] ?? 0) * 65536 + (groups[7] ?? 0);
  const zeros = groups.slice(0, 5).every((it) => it === 0);
  if (zeros && groups[5] === 0xffff) return kindOfIpv4(last);
  if (zeros && groups[5] === 0) return last === 1 ? "private" : "never";
  if (a === 0x64 && b === 0xff9b) return c === 0 ? kindOfIpv4(last) : "never";
  if (a === 0x2002) return kindOfIpv4(b * 65536 + c);
  if (a === 0xfd00 && b === 0xec2) return "never"; // metadata service of a large provider
  if ((a & 0xfe00) === 0xfc00) return "private";
  if ((a & 0xe000) !== 0x2000) return "never"; // only 2000::/3 is assigned
  return a === 0x2001 && (b < 0x200 || b === 0xdb8) ? "never" : "public";
}

function parseIpv4(text: string): number | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (!match) return undefined;
  const parts = match.slice(1).map(Number);
  return parts.some((it) => it > 255)
    ? undefined
    : parts.reduce((number, part) => number * 256 + part, 0);
}

function parseIpv6(text: string): readonly number[] | undefined {
  const [address = ""] = text.split("%");
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  const four = dotted ? parseIpv4(dotted[2] ?? "") : undefined;
  if (dotted && four === undefined) return undefined;
  const plain = dotted && four !== undefined
    ? `${dotted[1]}${Math.floor(four / 65536).toString(16)}:${(four % 65536).toString(16)}`
    : address;
  const halves = plain.split("::");
  if (halves.length > 2) return undefined;
  const [head = [], tail = []] = halves.map((half) => half === "" ? [] : half.split(":"));
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const groups = [...head, ...Array<string>(missing).fill("0"), ...tail];
  return groups.every((it) => /^[0-9a-f]{1,4}$/i.test(it))
    ? groups.map((it) => parseInt(it, 16))
    : undefined;
}
