import type { Deps } from "#src/deps.ts";
import { originProblem } from "#src/http/cross_site.ts";
import { STATUS_OF } from "#src/http/errors.ts";
import { AppError } from "#src/kernel/errors.ts";
import { type Language, LANGUAGES } from "#src/kernel/language.ts";
import { say, translate } from "#src/kernel/i18n/sentence.ts";
import type { Access, Actor } from "#src/ports/access.ts";
import type { Handshake, LiveSocket, SocketDoor } from "#src/ports/live_socket.ts";
import { followEvents, PERMISSION } from "./follow.ts";
import { checkConnectionLimit, countConnection } from "./places.ts";

/** The live channel for clients of Socket.IO: the same events, to the same callers, as `/api/live`. */
export function liveDoor(
  deps: Pick<Deps, "clock" | "live" | "settings">,
  access: Access,
): SocketDoor {
  const { publicUrl } = deps.settings.access;
  return {
    unheard: (header) => originProblem({ header, publicUrl, isOpen: access.isOpen ?? false }),
    async enter(handshake) {
      try {
        const caller = await admitActor(access, handshake);
        checkConnectionLimit(access, caller); // it is counted when the client connects, which may still fail
        const { auth } = handshake;
        const topics = new Set(readList(auth["topics"]));
        const after = formatText(auth["offset"]);
        return async (socket: LiveSocket) => {
          const leave = countConnection(access, caller);
          try {
            await followEvents(deps, {
              access,
              caller,
              topics,
              after,
              signal: socket.signal,
              begun: () => Promise.resolve(), // the protocol has told it
              async send(events) {
                for (const { id, topic, type, data } of events) {
                  await socket.emit(type, { topic, ...data as object }, id);
                }
              },
              resync: () => socket.emit("resync", {}),
              idle: () => Promise.resolve(), // the protocol has its own heartbeat
            });
          } finally {
            leave();
          }
        };
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        const detail = translate(error.sentence, getLanguage(handshake));
        return { status: STATUS_OF[error.code], detail };
      }
    },
  };
}

/** Throws AppError `unauthenticated`, or `forbidden` naming the permission. */
async function admitActor(access: Access, { auth, address }: Handshake): Promise<Actor> {
  const token = formatText(auth["token"]);
  const authorization = token && !/^Bearer /i.test(token) ? `Bearer ${token}` : token;
  const caller = await access.authenticate({ authorization, address });
  if (access.allows(caller, PERMISSION)) return caller;
  await access.denied(caller, { code: PERMISSION, method: "GET", path: "/socket.io" });
  throw new AppError("forbidden", say`The permission ${PERMISSION} is missing`);
}

/** Returns the language named by the client, else the browser's first supported language, else English (framework). */
function getLanguage({ auth, header }: Handshake): Language {
  const asked = [formatText(auth["language"]), header("x-service-lang"), header("accept-language")];
  for (const tag of asked.flatMap((it) => it?.split(",") ?? [])) {
    const found = LANGUAGES.find((it) => tag.trim().toLowerCase().startsWith(it));
    if (found) return found;
  }
  return "en";
}

const MAX = 100;

function readList(given: unknown): string[] {
  const list = Array.isArray(given) ? given : String(given ?? "").split(",");
  return list.slice(0, MAX).map((it) => String(it).trim()).filter(Boolean);
}

function formatText(given: unknown): string | undefined {
  return typeof given === "string" && given.length <= 20_000 ? given : undefined;
}
