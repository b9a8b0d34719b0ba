/** Sources of one message, and their characters. */
const MAX = 8;
const MAX_CHARACTERS = 256 * 1024;

/** A source of some kind of work; sources of a kind may be worked on by one message. */
interface Piece<Task> {
  readonly kind: string;
  readonly task: Task;
  readonly source: string;
}

interface Waiting<Task, Answer> extends Piece<Task> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

interface Options<Task, Answer> {
  /** Messages that are worked on at the same time. */
  readonly lanes: number;
  /** Answers to the first of the sources, at least one. */
  readonly run: (task: Task, sources: readonly string[]) => Promise<readonly Answer[]>;
}

/**
 * Sends simultaneous tasks in one message, since a message costs both sides more than a usual source. When it
 * fails, each unanswered source is sent separately, so that none suffers from another.
 */
export function together<Task, Answer>(
  { lanes, run }: Options<Task, Answer>,
): (piece: Piece<Task>) => Promise<Answer> {
  let waiting: Waiting<Task, Answer>[] = [];

  const begin = () => {
    const all = new Map<string, Waiting<Task, Answer>[]>();
    for (const it of waiting) {
      const alike = all.get(it.kind);
      if (alike) alike.push(it);
      else all.set(it.kind, [it]);
    }
    waiting = [];
    for (const pieces of all.values()) {
      for (const message of getMessages(pieces, lanes)) void ask(message);
    }
  };

  const ask = async (pieces: readonly Waiting<Task, Answer>[]): Promise<void> => {
    let left = pieces;
    for (let [first] = left; first; [first] = left) {
      try {
        const answers = await run(first.task, left.map((it) => it.source));
        answers.forEach((answer, at) => left[at]?.resolve(answer));
        left = left.slice(answers.length);
      } catch (error) {
        if (left.length === 1) return first.reject(error);
        return void await Promise.all(left.map((it) => ask([it])));
      }
    }
  };

  return (piece) =>
    new Promise<Answer>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(begin);
      waiting.push({ ...piece, resolve, reject });
    });
}

/** Divides sources into as many messages as there are lanes, none of them too large. */
function getMessages<It extends { readonly source: string }>(
  pieces: readonly It[],
  lanes: number,
): It[][] {
  const each = Math.min(MAX, Math.ceil(pieces.length / lanes));
  const messages: { characters: number; pieces: It[] }[] = [];
  for (const piece of pieces) {
    const { length } = piece.source;
    const open = messages.at(-1);
    if (open && open.pieces.length < each && open.characters + length <= MAX_CHARACTERS) {
      open.pieces.push(piece);
      open.characters += length;
    } else messages.push({ characters: length, pieces: [piece] });
  }
  return messages.map((it) => it.pieces);
}
