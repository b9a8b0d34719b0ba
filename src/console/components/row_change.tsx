import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useReducer, useRef } from "react";
import { readAgain } from "../api/queries.ts";
import { ProblemNote, problemText } from "./notes.tsx";
import { toast } from "./toasts.tsx";

/** Change of single rows of a list. Several rows can be changed at once, each only once. */
export interface RowChange {
  /** Does nothing while the row is being changed. */
  run(row: string): void;
  isAtWork(row: string): boolean;
  /** Errors by row, until the row is tried again. */
  readonly problems: ReadonlyMap<string, unknown>;
}

/**
 * Creates a mutation like `useChange` for the rows of a list. A row stays busy until the list has been read
 * again, since it still shows the old action. A failure after the page was left is reported elsewhere.
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

/** Errors of rows, shown above the list. The same error of several rows is shown once. */
export function RowProblems({ of: { problems } }: { of: RowChange }) {
  const said = new Map([...problems.values()].map((it) => [problemText(it), it]));
  return <>{[...said].map(([text, it]) => <ProblemNote key={text} problem={it} />)}</>;
}
