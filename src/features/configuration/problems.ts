import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { Problem } from "#src/ports/configuration.ts";

const MOST = 100;

/** On the wire. The sentences are said in the caller's language where the error is answered. */
export function wireProblems(problems: readonly Problem[]) {
  return problems.slice(0, MOST).map(({ section, path, line, column, sentence }) => ({
    section,
    path: path.join("."),
    line,
    column,
    message: sentence,
  }));
}

/** `422` with every mistake and its place. */
export function refusedFor(problems: readonly Problem[]): AppError {
  const [first] = problems;
  const more = problems.length - 1;
  const place = first ? placeOf(first) : "";
  const sentence = first?.sentence ?? say`The configuration cannot be used`;
  return new AppError(
    "refused",
    more > 0 ? say`${place}: ${sentence} (and ${more} more)` : say`${place}: ${sentence}`,
    { details: { errors: wireProblems(problems) } },
  );
}

/** For people at a terminal and for the log. */
export function lineOf(problem: Problem): Sentence {
  return say`${placeOf(problem)}: ${problem.sentence}`;
}

export function placeOf({ section, line, column }: Problem): string {
  return `${section}.yaml:${line}:${column}`;
}
