import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server as HttpServer } from "node:http";
import { Server, type Socket } from "socket.io";
import { Adapter, type PrivateSessionId, type Session } from "socket.io-adapter";
import { translate } from "#src/kernel/i18n/sentence.ts";
import { toMessage } from "#src/kernel/errors.ts";
import type { Handshake, LiveSocket, SocketDoor } from "#src/ports/live_socket.ts";
import type { Log } from "#src/ports/log.ts";

/** Maximum message size: clients send only their credentials. */
const MAX_BYTES = 50_000;
/** Time for a client to authenticate before it is disconnected. */
const PROOF_MS = 10_000;
/** Maximum number of waiting events for a slow client, and the maximum time they wait. */
const MAX_WAITING = 256;
const PATIENCE_MS = 30_000;
/** Retention time of the live channel. */
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
    maxHttpBufferSize: MAX_BYTES,
    connectionStateRecovery: { maxDisconnectionDuration: RESUME_MS, skipMiddlewares: false },
    adapter: ResumingAdapter,
    allowRequest: (request, answer) => {
      const why = door.unheard(getHeader(request));
      answer(why && translate(why), why === undefined);
    },
  });
  io.attach(calls);
  const heard = new WeakSet<Socket["conn"]>();
  io.use((socket, next) => {
    // Each connection may authenticate once; another attempt needs a new connection, which limits their rate.
    if (heard.has(socket.conn)) return void socket.conn.close();
    heard.add(socket.conn);
    door.enter(getHandshake(socket)).then((entered) => {
      if (typeof entered === "function") {
        socket.data = entered;
        return next();
      }
      next(Object.assign(new Error(entered.detail), { data: entered }));
    }).catch((error) => {
      log.error("socket.handshake.failed", { error: toMessage(error) });
      next(new Error("503"));
    });
  });
  io.on("connection", (socket) => {
    const serve = socket.data as (socket: LiveSocket) => Promise<void>;
    serve(liveSocket(socket))
      .catch((error) => log.warn("socket.failed", { error: toMessage(error) }))
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
 * Resumes the sessions of returning clients, on any process. The client reports its last event, and the live
 * channel returns the missed ones, or reports that they are no longer stored. Nothing is looked up here, since
 * the client is not authenticated yet.
 */
class ResumingAdapter extends Adapter {
  override restoreSession(pid: PrivateSessionId, offset: string): Promise<Session> {
    const isOne = /^[\w-]{1,64}$/.test(pid) && /^\d{1,15}-\d{1,15}$/.test(offset);
    const session = { sid: randomUUID(), pid, rooms: [], data: undefined, missedPackets: [] };
    return Promise.resolve(isOne ? session : null as unknown as Session); // as the package's adapters do
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
      else socket.emit(type, data, id); // the client resumes with this id
      if (++waiting < MAX_WAITING) return;
      if (!await drain(socket, gone.signal)) socket.disconnect(true);
    },
  };
}

function drain(socket: Socket, signal: AbortSignal): Promise<boolean> {
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

function getHandshake(socket: Socket): Handshake {
  return {
    auth: socket.handshake.auth,
    address: socket.handshake.address,
    header: getHeader(socket.request),
  };
}

function getHeader(request: IncomingMessage): Handshake["header"] {
  return (name) => {
    const value = request.headers[name];
    return Array.isArray(value) ? value.join(",") : value;
  };
}
