import { connect, createServer, type Socket } from "node:net";

/** Proxy in front of a server of this machine that can break connections or silently drop packets. */
export interface Network extends AsyncDisposable {
  /** Returns the same address through the proxy. */
  through(url: string): string;
  /** Silently stops all open connections: neither end is notified. New connections work. */
  fallSilent(): void;
  /** Makes the server unavailable, which breaks and refuses connections, or available again. */
  refuse(isAway: boolean): void;
  /** Returns the number of connections opened so far. */
  opened(): number;
}

export async function networkTo(url: string): Promise<Network> {
  const { hostname, port } = new URL(url);
  const ways = new Set<[Socket, Socket]>();
  const silent = new WeakSet<[Socket, Socket]>();
  let opened = 0;
  let isAway = false;
  const breakAll = () => {
    for (const way of ways) for (const socket of way) socket.destroy();
  };
  const server = createServer((client) => {
    opened++;
    if (isAway) return void client.destroy();
    const way: [Socket, Socket] = [client, connect(Number(port), hostname)];
    ways.add(way);
    for (const [at, from] of way.entries()) {
      const to = way[1 - at];
      from.on("error", () => {});
      from.on("data", (sent) => silent.has(way) || to?.write(sent));
      from.on("close", () => silent.has(way) || to?.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const own = (server.address() as { port: number }).port;
  return {
    through: (address) => Object.assign(new URL(address), { host: `127.0.0.1:${own}` }).href,
    fallSilent() {
      for (const way of ways) silent.add(way);
    },
    refuse(isNowAway) {
      isAway = isNowAway;
      if (isAway) breakAll();
    },
    opened: () => opened,
    async [Symbol.asyncDispose]() {
      breakAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
