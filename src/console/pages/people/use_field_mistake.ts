import { useEffect, useRef } from "react";
import { ApiProblem } from "../../api/problem.ts";
import { sentence } from "../../i18n/language.ts";

/**
 * Returns the error of the API about one field, as properties of its input, and focuses this input. There is no error if
 * the API refuses another field too.
 */
export function useFieldMistake(problem: unknown, field: string) {
  const ref = useRef<HTMLInputElement>(null);
  const error = findMistake(problem, field);
  useEffect(() => {
    if (error !== undefined) ref.current?.focus();
  }, [problem, error]);
  return { ref, error };
}

/** Name of a field in an error of the API, before its sentence. */
const NAMED = /(\w+)\s?: /g;

function findMistake(problem: unknown, field: string): string | undefined {
  if (!(problem instanceof ApiProblem) || problem.status !== 400) return undefined;
  const [first, ...more] = problem.message.matchAll(NAMED);
  if (first?.index !== 0 || first[1] !== field || more.length > 0) return undefined;
  const text = problem.message.slice(first[0].length);
  return sentence(`${text.slice(0, 1).toUpperCase()}${text.slice(1)}`);
}
