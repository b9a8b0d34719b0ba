import { networkInterfaces } from "node:os";
import { isLoopbackAddress } from "#src/domain/connector/addresses.ts";
import { parseUrl } from "#src/kernel/url.ts";
import type { Resolve } from "./resolve.ts";

/** Addresses where the installation listens: ports of this machine, and services such as its database. */
export interface OwnPorts {
  readonly ports: readonly number[];
  readonly services: readonly OwnService[];
}

interface OwnService {
  readonly host: string;
  readonly port: number;
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  "postgres:": 5432,
  "postgresql:": 5432,
  "redis:": 6379,
  "rediss:": 6379,
};

/** Ports on which this process listens at the moment. */
const listening = new Set<number>();

/** Records a port on which this process listens; the function returned removes it. */
export function recordListener(port: number): () => void {
  listening.add(port);
  return () => void listening.delete(port);
}

/** Returns the service at the address of a database or of Redis. */
export function serviceAt(address: string | undefined): OwnService[] {
  const url = address === undefined ? undefined : parseUrl(address);
  const port = Number(url?.port) || DEFAULT_PORTS[url?.protocol ?? ""];
  return url && port ? [{ host: getHost(url) || "127.0.0.1", port }] : [];
}

/** Checks whether these addresses and this port belong to the installation itself. */
export async function isOwnPort(
  { addresses, port }: { addresses: readonly string[]; port: number },
  { own, resolve }: { own: OwnPorts; resolve: Resolve },
): Promise<boolean> {
  const isHere = addresses.some(isThisMachine);
  if (isHere && (listening.has(port) || own.ports.includes(port))) return true;
  for (const service of own.services.filter((it) => it.port === port)) {
    const theirs = await resolve(service.host).catch(() => [service.host]);
    if (isHere && theirs.some(isThisMachine)) return true;
    if (theirs.some((it) => addresses.some((mine) => plain(mine) === plain(it)))) return true;
  }
  return false;
}

function isThisMachine(address: string): boolean {
  if (isLoopbackAddress(address)) return true;
  return Object.values(networkInterfaces()).some((all) =>
    all?.some((it) => it.address === plain(address))
  );
}

function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "").toLowerCase();
}

function getHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, "");
}
