import type { Socket } from "node:net";

/** A server answers a statement that was cancelled, and one that takes everything back, in less than this. */
const UNHEARD_MS = 5_000;

/**
 * Cuts a connection of which nothing was heard from `expect` to `end` for too long: a network drops packets without a word, and
 * the answer would be waited for, and the connection held, for hours.
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
