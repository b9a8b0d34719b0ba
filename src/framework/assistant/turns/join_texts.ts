import { delay } from "#src/kernel/delay.ts";
import type { LlmPiece } from "#src/ports/llm.ts";

/**
 * Joins texts that arrive within `everyMs` of each other; emits the first immediately. Keeps half of a character until
 * the other half arrives.
 */
export async function* joinTexts(
  pieces: AsyncGenerator<LlmPiece>,
  everyMs: number,
): AsyncGenerator<LlmPiece> {
  let text = "";
  let due = 0;
  const whole = (isLast: boolean): LlmPiece[] => {
    const end = !isLast && HALF.test(text) ? text.length - 1 : text.length;
    const said = text.slice(0, end).replaceAll("\0", "").toWellFormed();
    text = text.slice(end);
    due = performance.now() + everyMs;
    return said ? [{ kind: "text", text: said }] : [];
  };
  try {
    let next = getNext(pieces);
    for (;;) {
      const leftMs = due - performance.now();
      if (text && leftMs <= 0) yield* whole(false);
      const came = text && leftMs > 0
        ? await Promise.race([next, delay(leftMs).then(() => undefined)])
        : await next;
      if (!came) continue;
      if (came.done) break;
      next = getNext(pieces);
      if (came.value.kind === "text") text += came.value.text;
      else {
        yield* whole(true);
        yield came.value;
      }
    }
    yield* whole(true);
  } finally {
    await pieces.return(undefined).catch(() => {});
  }
}

const HALF = /[\ud800-\udbff]$/;

function getNext(pieces: AsyncGenerator<LlmPiece>) {
  const next = pieces.next();
  next.catch(() => {}); // the error is thrown where the promise is awaited
  return next;
}
