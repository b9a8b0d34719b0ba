import { Button } from "@mantine/core";
import { useLocation } from "wouter";
import { api } from "../../api/client.ts";
import { startRun } from "../../api/import_file.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Confirm } from "../../components/confirm.tsx";
import { Icon } from "../../components/icon.tsx";
import { problemText } from "../../components/notes.tsx";
import { toast } from "../../components/toasts.tsx";
import { useWords } from "../../i18n/language.ts";
import { DIFFERING, isIdle, isReplaceable } from "./preview.tsx";
import { PROCESS } from "./words.ts";

type Run = components["schemas"]["Run"];
const TOUCHES = ["/api/runs"];

/** Button that stops the run, after a question. */
export function Abort({ id }: { id: string }) {
  const words = useWords(PROCESS);
  const work = useChange(
    () => api.POST("/api/runs/{runId}/abort", { params: { path: { runId: id } } }),
    TOUCHES,
  );
  if (!useMay()("invoices:run")) return null;
  return (
    <Confirm
      label={words.abort}
      question={words.abortQuestion}
      back={words.goOn}
      work={work}
      run={() => work.mutateAsync(undefined)}
      leftSection={<Icon name="stop" />}
    />
  );
}

/**
 * Button that runs the file again. Recorded invoices are skipped, so a stopped run only processes the rest. After a
 * preview, it starts the import with the options of the preview.
 */
export function Again({ run }: { run: Run }) {
  const { template, file, mode, counts, preview, replaceMode, total, incomplete, laterRun } = run;
  const words = useWords(PROCESS);
  const [, go] = useLocation();
  const work = useChange(
    (body: Parameters<typeof startRun>[0]) => startRun(body),
    TOUCHES,
  );
  const isUseless = preview && (laterRun !== null || (counts.unchanged ?? 0) === total);
  // A cut file would only be cut again.
  if (template === null || isUseless || incomplete && !preview && !counts.aborted) return null;
  const begin = async () => {
    const begun = await work.mutateAsync({
      template,
      file,
      mode,
      replaceMode: preview && replaceMode,
    }).catch(
      (problem) => {
        toast(problemText(problem), "failed");
      },
    );
    if (!begun) return;
    toast(words.againBegun);
    go(`/process/${begun}`);
  };
  return (
    <Button
      variant={preview && !isIdle(run) ? "filled" : "default"}
      loading={work.isPending}
      leftSection={<Icon name={preview ? "play" : "retry"} />}
      onClick={() => void begin()}
    >
      {preview
        ? isIdle(run) ? words.importIt : words.begin
        : counts.aborted && laterRun === null
        ? words.resume
        : words.again}
    </Button>
  );
}

/** Button that previews the replacement of recorded invoices, if some differ from the file and the PA has no copy of them. */
export function Replacing({ run: { runId, template, file, mode, counts, replaceMode } }: {
  run: Run;
}) {
  const words = useWords(PROCESS);
  const [, go] = useLocation();
  const work = useChange((body: Parameters<typeof startRun>[0]) => startRun(body, true), TOUCHES);
  const { data } = useRead("/api/runs/{runId}", { path: { runId }, query: DIFFERING }, {
    when: !replaceMode && counts.conflict !== undefined,
  });
  if (template === null || !data || !isReplaceable(data, words.replace)) return null;
  const begin = () =>
    work.mutateAsync({ template, file, mode, replaceMode: true }).then(
      (id) => go(`/process/${id}`),
      (problem) => toast(problemText(problem), "failed"),
    );
  return (
    <Button loading={work.isPending} onClick={() => void begin()}>{words.previewReplacing}</Button>
  );
}
