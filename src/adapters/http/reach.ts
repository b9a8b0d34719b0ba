import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { addressKind } from "#src/domain/connector/addresses.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Reach } from "#src/ports/egress.ts";

/** Every address of a name; rejects when there is none. */
export type Resolve = (name: string) => Promise<readonly string[]>;

/** Every address of a name, as the operating system resolves it. */
export const systemResolve: Resolve = async (name) =>
  (await lookup(name, { all: true, verbatim: true })).map((it) => it.address);

/**
 * The addresses a call to this URL may go to. All addresses of a name must be allowed, and the call goes to one of those
 * looked at, so a name that answers differently a moment later changes nothing. Throws AppError `refused`.
 */
export async function reachable(
  url: URL,
  { reach, resolve }: { reach: Reach; resolve: Resolve },
): Promise<readonly string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  if (!isListed(reach.hosts, { host, port })) {
    throw new AppError(
      "refused",
      say`The host ${host}:${port} is not among the hosts of this connector`,
    );
  }
  const addresses = isIP(host) ? [host] : await resolve(host).catch((cause) => {
    throw new AppError("upstream", say`The host ${host} has no address`, { cause });
  });
  if (!addresses.length) throw new AppError("upstream", say`The host ${host} has no address`);
  const mayBePrivate = isListed(reach.privateHosts, { host, port });
  for (const address of addresses) {
    const kind = addressKind(address);
    if (kind === "public" || kind === "private" && mayBePrivate) continue;
    throw new AppError(
      "refused",
      kind === "private"
        ? say`The host ${host} lies in a private network, which its connector has to allow: privateHosts in a template, network.allow_private in the settings`
        : say`The host ${host} has an address that may not be called`,
    );
  }
  return addresses;
}

function isListed(
  list: readonly string[],
  { host, port }: { host: string; port: string },
): boolean {
  return list.some((entry) => {
    const [, name = "", only] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(entry) ?? [];
    if (only !== undefined && only !== port) return false;
    const listed = name.replace(/^\[|\]$/g, "");
    return listed.startsWith("*.")
      ? host.endsWith(listed.slice(1))
      : listed !== "" && host === listed;
  });
}
