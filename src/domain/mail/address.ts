/** Enough for a distribution, too few for a campaign. */
export const MAX_RECIPIENTS = 50;

const MAX_ADDRESS = 254; // RFC 5321, 4.5.3.1.3, without the angle brackets
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const NAME_LIKE = /^[\p{L}\p{M}\p{N}.-]+$/u;

/**
 * Parses a bare `local@domain` for an SMTP envelope. It accepts a dot-atom and at least two labels; international
 * domains are in ASCII form. It rejects quotes, comments, groups, routes and address literals. Undefined for
 * anything else.
 */
export function parseAddress(text: string): string | undefined {
  const at = text.indexOf("@");
  if (at < 1 || text.length > MAX_ADDRESS) return undefined;
  const local = text.slice(0, at);
  const domain = asciiDomain(text.slice(at + 1));
  if (local.length > 64 || !LOCAL.test(local) || domain === undefined) return undefined;
  const address = `${local}@${domain}`;
  return address.length > MAX_ADDRESS ? undefined : address;
}

/** Splits a text at `,` or `;`. Returns each address once, and separately the invalid parts. */
export function parseAddressList(
  text: string,
): { addresses: readonly string[]; wrong: readonly string[] } {
  const pieces = text.split(/[,;]/).map((it) => it.replace(/^[ \t]+|[ \t]+$/g, "")).filter(Boolean);
  const parsed = pieces.map((piece) => ({ piece, address: parseAddress(piece) }));
  const addresses = parsed.flatMap(({ address }) => address === undefined ? [] : [address]);
  return {
    addresses: [...new Set(addresses)],
    wrong: parsed.filter(({ address }) => address === undefined).map(({ piece }) => piece),
  };
}

function asciiDomain(text: string): string | undefined {
  if (!NAME_LIKE.test(text) || text.includes("..")) return undefined;
  const host = findHost(text.toLowerCase());
  const labels = host?.split(".") ?? [];
  const top = labels.at(-1) ?? "";
  if (host === undefined || labels.length < 2 || host.length > 253 || /^\d+$/.test(top)) {
    return undefined;
  }
  return labels.every((label) => LABEL.test(label)) ? host : undefined;
}

/** Normalises a host by UTS 46, as the runtime's URL parser applies it. */
function findHost(name: string): string | undefined {
  if (/^[a-z0-9.-]+$/.test(name)) return name;
  return URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : undefined;
}
