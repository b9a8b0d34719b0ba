import { Alert, Text } from "@mantine/core";
import type { components } from "../../api/schema.d.ts";
import { Icon } from "../../components/icon.tsx";
import { useWords } from "../../i18n/language.ts";
import { PROCESS } from "./words.ts";

/** Note on a run that failed as a whole, usually for its file, or that a person stopped. */
export function RunProblem({ run, name = run.file.slice(run.file.lastIndexOf("/") + 1) }: {
  run: components["schemas"]["Run"];
  /** Name of the file as the reader knows it, without its folder. */
  name?: string;
}) {
  const words = useWords(PROCESS);
  if (!run.error) return null;
  const isStopped = run.state === "aborted";
  const isLate = isStopped && run.total > 0 && !run.counts.aborted;
  const [color, title] = isStopped
    ? ["yellow", words.stopped] as const
    : run.state === "failed" || run.total === 0
    ? ["red", run.preview ? words.notReadable : words.notRead] as const
    : ["yellow", words.cutShort] as const;
  return (
    <Alert color={color} variant="light" title={title} icon={<Icon name="warning" />} role="alert">
      <Text size="sm" className="ps-wrap">
        {isLate ? words.stoppedLate : nameFile(run.error, run.file, name)}
      </Text>
      {isStopped && run.counts.aborted && run.template !== null && !run.preview && (
        <Text size="sm" mt={4}>{words.stoppedTodo}</Text>
      )}
      {run.incomplete && run.total > 0 && <Text size="sm" mt={4}>{words.cutShortTodo}</Text>}
    </Alert>
  );
}

/** Replaces the path of the file, absolute or below any of its folders, by its name. */
function nameFile(text: string, file: string, name: string): string {
  const parts = file.split("/");
  const paths = parts.map((_, at) => parts.slice(at).join("/"));
  const path = paths.find((it) => text.includes(it));
  return path ? text.replaceAll(path, () => name) : text;
}
