import { connect, createServer, type Socket } from "node:net";

/** A way to a server of this machine that can be broken, or fall silent as a network does that drops packets. */
export interface Network extends AsyncDisposable {
  /** The same address, by this way. */
  through(url: string): string;
  /** Nothing goes over the connections that are open now any more, and neither end hears of it; others can be opened. */
  fallSilent(): void;
  /** The server is away: what is open breaks, and who comes is turned away; or it is back. */
  refuse(isAway: boolean): void;
  /** Connections opened so far. */
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
