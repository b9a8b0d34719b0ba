import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useReducer, useRef } from "react";
import { readAgain } from "../api/queries.ts";
import { ProblemNote, problemText } from "./notes.tsx";
import { toast } from "./toasts.tsx";

/** What is done to single rows of a list: to several at once, but to each once. */
export interface RowChange {
  /** Nothing happens where the row is at work. */
  run(row: string): void;
  isAtWork(row: string): boolean;
  /** What was refused of rows that were not tried again since, by row. */
  readonly problems: ReadonlyMap<string, unknown>;
}

/**
 * As `useChange`, for the rows of a list. A row is at work until the list was read again, for
 * until then it shows what can be pressed once more. What fails after the page was left is told elsewhere.
 */
export function useRowChange(
  work: (row: string) => Promise<unknown>,
  touches: readonly string[],
): RowChange {
  const client = useQueryClient();
  const atWork = useRef(new Set<string>()).current;
  const problems = useRef(new Map<string, unknown>()).current;
  const isSeen = useRef(false);
  const [, draw] = useReducer((it: number) => it + 1, 0);
  useEffect(() => {
    isSeen.current = true;
    return () => void (isSeen.current = false);
  }, []);
  const one = async (row: string) => {
    await work(row).catch((problem) => {
      if (isSeen.current) problems.set(row, problem);
      else toast(problemText(problem), "failed");
    });
    await readAgain(client, touches);
    atWork.delete(row);
    draw();
  };
  return {
    run(row) {
      if (atWork.has(row)) return;
      atWork.add(row);
      problems.delete(row);
      draw();
      void one(row);
    },
    isAtWork: (row) => atWork.has(row),
    problems,
  };
}

/** What was refused of the rows, above their list. What is the same of several (nothing was reached) is said once. */
export function RowProblems({ of: { problems } }: { of: RowChange }) {
  const said = new Map([...problems.values()].map((it) => [problemText(it), it]));
  return <>{[...said].map(([text, it]) => <ProblemNote key={text} problem={it} />)}</>;
}
