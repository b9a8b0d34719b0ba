import { isIP } from "node:net";
import { addressKind } from "#src/domain/connector/addresses.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { OutboundTarget } from "#src/ports/egress.ts";
import { isOwnPort, type OwnPorts } from "./own_ports.ts";
import type { Resolve } from "./resolve.ts";

/** Outgoing calls that the operator allows. */
interface Allowance {
  readonly reach: OutboundTarget;
  /** Hosts that may have addresses of this machine or of a private network. */
  readonly privateHosts: readonly string[];
  /** Ports that no call may reach, whatever is listed. */
  readonly own?: OwnPorts | undefined;
  readonly resolve: Resolve;
}

/**
 * Returns the addresses that a call to this URL may use. All addresses of a name must be allowed. The call uses
 * one of the checked addresses, so a later change of the name has no effect. Throws AppError `refused` for a host
 * that the connector does not list, and `unreachable` for every other reason.
 */
export async function reachable(
  url: URL,
  { reach, privateHosts, own, resolve }: Allowance,
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
    throw unreachable(host, cause);
  });
  const mayBePrivate = isListed(privateHosts, { host, port });
  const isAllowed = (address: string) => {
    const kind = addressKind(address);
    return kind === "public" || kind === "private" && mayBePrivate;
  };
  if (!addresses.length || !addresses.every(isAllowed)) throw unreachable(host);
  if (own && await isOwnPort({ addresses, port: Number(port) }, { own, resolve })) {
    throw unreachable(host);
  }
  return addresses;
}

/**
 * Returns the same error for an unknown name, a private host, a port of the product and a closed port. The author
 * of a connector thus learns nothing about the network.
 */
export function unreachable(host: string, cause?: unknown): AppError {
  return new AppError(
    "upstream",
    say`${host} cannot be reached; a host in a private network must be listed in PRIVATE_HOSTS`,
    { cause },
  );
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
