import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server as HttpServer } from "node:http";
import { Server, type Socket } from "socket.io";
import { Adapter, type PrivateSessionId, type Session } from "socket.io-adapter";
import { translate } from "#src/kernel/sentences/sentence.ts";
import { messageOf } from "#src/kernel/errors.ts";
import type { Handshake, LiveSocket, SocketDoor } from "#src/ports/live_socket.ts";
import type { Log } from "#src/ports/log.ts";

/** Clients send what they prove themselves by, and nothing else. */
const MOST_BYTES = 50_000;
/** Who connects and never proves who they are is let go. */
const PROOF_MS = 10_000;
/** Events stand in line for a client that reads slowly, so many and for so long. */
const MOST_WAITING = 256;
const PATIENCE_MS = 30_000;
/** As long as the live channel keeps events. */
const RESUME_MS = 24 * 3_600_000;

/** Socket.IO for the calls `calls` emits, as a server would: each client is a stream of the live channel. */
export function openSockets(
  calls: HttpServer,
  { path, door, log }: { path: string; door: SocketDoor; log: Log },
): { close(): void } {
  const io = new Server({
    path,
    serveClient: false,
    connectTimeout: PROOF_MS,
    maxHttpBufferSize: MOST_BYTES,
    connectionStateRecovery: { maxDisconnectionDuration: RESUME_MS, skipMiddlewares: false },
    adapter: ResumingAdapter,
    allowRequest: (request, answer) => {
      const why = door.unheard(headerOf(request));
      answer(why && translate(why), why === undefined);
    },
  });
  io.attach(calls);
  const heard = new WeakSet<Socket["conn"]>();
  io.use((socket, next) => {
    // One proof for each connection: who has another connects again, at the pace of connections.
    if (heard.has(socket.conn)) return void socket.conn.close();
    heard.add(socket.conn);
    door.enter(handshakeOf(socket)).then((entered) => {
      if (typeof entered === "function") {
        socket.data = entered;
        return next();
      }
      next(Object.assign(new Error(entered.detail), { data: entered }));
    }).catch((error) => {
      log.error("socket.handshake.failed", { error: messageOf(error) });
      next(new Error("503"));
    });
  });
  io.on("connection", (socket) => {
    const serve = socket.data as (socket: LiveSocket) => Promise<void>;
    serve(liveSocket(socket))
      .catch((error) => log.warn("socket.failed", { error: messageOf(error) }))
      .finally(() => socket.disconnect(true));
  });
  return {
    close() {
      io.disconnectSockets(true);
      io.engine.close();
    },
  };
}

/**
 * A client that comes back says which event it had last, to whatever process; what it missed is in the live channel, which says
 * so where it is kept no more. Nothing is kept of it here, and nothing asked: it has not proved yet who it is.
 */
class ResumingAdapter extends Adapter {
  override restoreSession(pid: PrivateSessionId, offset: string): Promise<Session> {
    const isOne = /^[\w-]{1,64}$/.test(pid) && /^\d{1,15}-\d{1,15}$/.test(offset);
    const session = { sid: randomUUID(), pid, rooms: [], data: undefined, missedPackets: [] };
    return Promise.resolve(isOne ? session : null as unknown as Session); // as the adapters of the package say it
  }
}

function liveSocket(socket: Socket): LiveSocket {
  const gone = new AbortController();
  let waiting = 0;
  socket.once("disconnect", () => gone.abort());
  socket.conn.on("drain", () => waiting = 0);
  return {
    signal: gone.signal,
    async emit(type, data, id) {
      if (gone.signal.aborted) return;
      if (id === undefined) socket.emit(type, data);
      else socket.emit(type, data, id); // what the client's program resumes with
      if (++waiting < MOST_WAITING) return;
      if (!await drained(socket, gone.signal)) socket.disconnect(true);
    },
  };
}

function drained(socket: Socket, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isDrained: boolean) => {
      clearTimeout(timer);
      socket.conn.off("drain", done);
      signal.removeEventListener("abort", done);
      resolve(isDrained);
    };
    const done = () => end(true);
    const timer = setTimeout(() => end(false), PATIENCE_MS);
    socket.conn.once("drain", done);
    signal.addEventListener("abort", done, { once: true });
  });
}

function handshakeOf(socket: Socket): Handshake {
  return {
    auth: socket.handshake.auth,
    address: socket.handshake.address,
    header: headerOf(socket.request),
  };
}

function headerOf(request: IncomingMessage): Handshake["header"] {
  return (name) => {
    const value = request.headers[name];
    return Array.isArray(value) ? value.join(",") : value;
  };
}
