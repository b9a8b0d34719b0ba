import { Button, Group, SegmentedControl, Stack } from "@mantine/core";
import { Link, useSearchParams } from "wouter";
import { api } from "../../api/client.ts";
import { useChange, useRead } from "../../api/queries.ts";
import { Confirm } from "../../components/confirm.tsx";
import { Empty } from "../../components/notes.tsx";
import { Pager } from "../../components/pager.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { toast } from "../../components/toasts.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { type Run, useRunColumns } from "./shared.tsx";
import { JOBS } from "./words.ts";
import { readPage } from "../../components/read_page.ts";

const SIZE = 50;
const STATES = ["running", "succeeded", "failed", "aborted"] as const;

/** Runs of all jobs by state, with bulk actions. */
export function Runs() {
  const words = useWords(JOBS);
  const columns = useRunColumns();
  const [params, setParams] = useSearchParams();
  const status = STATES.find((it) => it === params.get("status"));
  const page = readPage(params);
  const runs = useRead("/admin/jobs/runs", {
    query: { ...status && { status }, limit: SIZE, offset: (page - 1) * SIZE },
  }, { keep: true });
  const show = (next: Record<string, string>) => setParams(next, { replace: true });
  const filter = status ? { status } : undefined;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <SegmentedControl
          size="xs"
          aria-label={words.state}
          value={status ?? ""}
          onChange={(it) => show(it ? { status: it } : {})}
          data={[
            { value: "", label: words.all },
            ...STATES.map((it) => ({ value: it, label: words.states[it] })),
          ]}
        />
        {status === "running" && <Many action="abort" status={status} />}
        {status === "failed" && <Many action="replay" status={status} />}
      </Group>
      <Loaded of={runs}>
        {({ runs, total }) => (
          <>
            <Records
              label={words.runs}
              columns={columns}
              rows={runs}
              keyOf={(it) => it.run_id}
              empty={status
                ? <Empty icon="jobs" title={words.noRuns} hint={words.noRunsHint} />
                : (
                  <Empty icon="jobs" title={words.noRunYet} hint={words.noRunYetHint}>
                    <Button component={Link} href="/jobs" variant="default">
                      {words.catalogue}
                    </Button>
                  </Empty>
                )}
            />
            <Pager
              page={page}
              size={SIZE}
              total={total}
              onPage={(it) => show({ ...filter, page: String(it) })}
            />
          </>
        )}
      </Loaded>
    </Stack>
  );
}

function Many({ action, status }: { action: "abort" | "replay"; status: Run["status"] }) {
  const words = useWords(JOBS);
  const { number } = useFormats();
  const work = useChange(
    async () =>
      (await api.POST("/admin/jobs/runs/_bulk", { body: { action, filter: { status } } })).data,
    ["/admin/jobs"],
  );
  return (
    <Confirm
      size="compact-sm"
      label={action === "abort" ? words.abortAll : words.replayAll}
      question={action === "abort" ? words.abortAllQuestion : words.replayAllQuestion}
      work={work}
      run={async () => {
        const { done = [], refused = [] } = await work.mutateAsync(undefined) ?? {};
        toast(words.bulkDone(number(done.length), number(refused.length)));
      }}
    />
  );
}
