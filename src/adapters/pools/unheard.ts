import type { Socket } from "node:net";

/** Time within which a server answers a cancelled or rolled back statement. */
const UNHEARD_MS = 5_000;

/**
 * Closes a connection that stays silent too long between `expect` and `end`. A network may drop packets silently;
 * the answer and the connection would then be awaited for hours.
 */
export function cutWhenUnheard(stream: Socket) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const cut = () => {
    stream.destroy(
      new Error("Connection terminated: the server was asked to end, and says nothing"),
    );
  };
  return {
    expect() {
      if (!isOver) timer ??= setTimeout(cut, UNHEARD_MS);
    },
    end() {
      isOver = true;
      clearTimeout(timer);
    },
  };
}
