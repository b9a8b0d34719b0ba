import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { ConfigurationProblem } from "#src/ports/configuration.ts";
import { MAX_PROBLEMS } from "#src/ports/yaml.ts";

/**
 * Lists the first problems for an answer and counts the others. The answer translates the sentences to the caller's
 * language.
 */
export function wireProblems(problems: readonly ConfigurationProblem[]) {
  const [first] = problems.slice(MAX_PROBLEMS);
  const others = countProblems(problems.slice(MAX_PROBLEMS));
  const last = first &&
    { ...first, path: [], sentence: say`At least ${others} other problems are not listed` };
  const listed = [...problems.slice(0, MAX_PROBLEMS), ...last ? [last] : []];
  return listed.map(({ section, path, line, column, sentence }) => ({
    section,
    path: path.join("."),
    line,
    column,
    message: sentence,
  }));
}

/** All problems, with those that an entry only counts. */
function countProblems(problems: readonly ConfigurationProblem[]): number {
  return problems.reduce((sum, it) => sum + (it.others ?? 1), 0);
}

/** Returns an error `422` with every mistake and its position. */
export function refusedFor(problems: readonly ConfigurationProblem[]): AppError {
  const [first] = problems;
  const more = countProblems(problems) - 1;
  const place = first ? formatPosition(first) : "";
  const sentence = first?.sentence ?? say`The configuration cannot be used`;
  return new AppError(
    "refused",
    more > 0 ? say`${place}: ${sentence} (and ${more} more)` : say`${place}: ${sentence}`,
    { details: { errors: wireProblems(problems) } },
  );
}

/** Formats a problem for the terminal and the log. */
export function formatProblem(problem: ConfigurationProblem): Sentence {
  return say`${formatPosition(problem)}: ${problem.sentence}`;
}

export function formatPosition({ section, line, column }: ConfigurationProblem): string {
  return `${section}.yaml:${line}:${column}`;
}
