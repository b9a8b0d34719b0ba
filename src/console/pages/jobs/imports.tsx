import { Anchor, Group, Stack, Text } from "@mantine/core";
import { Link } from "wouter";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import { useWords } from "../../i18n/language.ts";
import { RunMark } from "../process/run_mark.tsx";
import { JOBS } from "./words.ts";

/** Most imports that a step shows; each is one call. */
const MAX = 20;
/** Polling interval of an import in progress. */
const LOOK_MS = 2_000;

/**
 * Imports that a step of the kind `process` started, with their outcomes. The step ends when they have begun, so its own
 * state does not tell whether invoices failed or have other content.
 */
export function Imports({ preview }: { preview: Readonly<Record<string, unknown>> | null }) {
  const words = useWords(JOBS);
  const may = useMay();
  const { rows } = preview ?? {};
  const started = Array.isArray(rows) ? rows.flatMap(readImport).slice(0, MAX) : [];
  if (started.length === 0 || !may("invoices:run")) return null;
  return (
    <Stack gap="xs" component="ul" aria-label={words.imports} className="ps-bars">
      {started.map((it) => <Import key={it.runId} {...it} />)}
    </Stack>
  );
}

interface Started {
  readonly file: string;
  readonly runId: string;
}

function readImport(row: unknown): Started[] {
  const { file, runId } = (row ?? {}) as Partial<Record<keyof Started, unknown>>;
  return typeof file === "string" && typeof runId === "string" ? [{ file, runId }] : [];
}

function Import({ file, runId }: Started) {
  const { data } = useRead("/api/runs/{runId}", { path: { runId }, query: { pageSize: 1 } }, {
    everyMs: (it) => it?.finishedAt ? 0 : LOOK_MS,
  });
  return (
    <Group component="li" gap="xs" mih={28}>
      <Anchor component={Link} href={`/process/${runId}`} size="sm">
        {file.slice(file.lastIndexOf("/") + 1)}
      </Anchor>
      {data && <RunMark run={data} />}
      {data?.error && <Text size="xs" c="dimmed" className="ps-wrap">{data.error}</Text>}
    </Group>
  );
}
