import { Button, Group, Stack, Title } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchFile } from "../../api/client.ts";
import type { ApiProblem } from "../../api/problem.ts";
import { useAsk, useChange } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Diff } from "../../components/diff.tsx";
import { Empty, ProblemNote } from "../../components/notes.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { toast } from "../../components/toasts.tsx";
import { who } from "../../components/who.ts";
import { formatNamed, useFormats, useWords } from "../../i18n/language.ts";
import { Review } from "./review.tsx";
import { buildSectionPath, type SettingsOutcome, TOUCHES } from "./section_store.ts";
import { SECTION } from "./section_words.ts";

type Listed = components["schemas"]["SettingsRevisions"];
type Revision = components["schemas"]["SettingsRevision"];
type Detail = components["schemas"]["SettingsRevisionDetail"];
const PAGE = 50;
const MAX = 200;

/** Returns the note of a revision in the reader's language. */
function getNote(note: string, words: typeof SECTION.en): string {
  const [, revision] = /^back to (\d+)$/.exec(note) ?? [];
  if (revision !== undefined) return words.noteBack(revision);
  const [, from, to] = /^renamed \S+ (\S+) to (\S+)$/.exec(note) ?? [];
  if (from !== undefined && to !== undefined) return words.noteRenamed(from, to);
  return Object.entries(words.notes).find(([it]) => it === note)?.[1] ?? note;
}

/** Revisions of a section with author, date and text, and a button to restore each. */
export function Revisions({ id }: { id: string }) {
  const words = useWords(SECTION);
  const { moment, number } = useFormats();
  const { base } = buildSectionPath(id);
  const [limit, setLimit] = useState(PAGE);
  const [shown, setShown] = useState<number>();
  const [back, setBack] = useState<{ revision: number; outcome: SettingsOutcome }>();
  const list = useQuery<Listed, ApiProblem>({
    queryKey: [base, "revisions", limit],
    queryFn: async ({ signal }) =>
      await (await fetchFile(`${base}/revisions?limit=${limit}`, { signal })).json(),
    placeholderData: keepPreviousData,
  });
  const restore = async (revision: number, query: Readonly<Record<string, string>>) => {
    const path = `${base}/revisions/${revision}/restore?${new URLSearchParams(query)}`;
    return await (await fetchFile(path, { method: "POST" })).json() as SettingsOutcome;
  };
  const look = useAsk(async (revision: number) =>
    setBack({ revision, outcome: await restore(revision, { dry_run: "true" }) })
  );
  const work = useChange(async (isForced: boolean) => {
    if (!back) return;
    const { warning } = await restore(back.revision, isForced ? { force: "true" } : {});
    setBack(undefined);
    toast(warning ?? words.restored);
  }, TOUCHES);
  return (
    <Stack gap="sm">
      <ProblemNote problem={look.error} />
      <Loaded of={list}>
        {({ revisions, has_more: hasMore }) => (
          <>
            <Records<Revision>
              label={words.revisions}
              rows={revisions}
              keyOf={(it) => it.revision}
              empty={<Empty icon="clock" title={words.empty} />}
              columns={[
                { key: "revision", label: words.revision, cell: (it) => number(it.revision) },
                {
                  key: "changed",
                  label: words.changed,
                  cell: (it) => words.by(who(it.by), moment(it.at)),
                },
                {
                  key: "note",
                  label: words.note,
                  isWide: true,
                  cell: (it) => getNote(it.note, words),
                },
                {
                  key: "do",
                  label: words.show,
                  cell: (it) => (
                    <Group gap={4}>
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={formatNamed(words.diff, number(it.revision))}
                        aria-expanded={shown === it.revision}
                        onClick={() => setShown(shown === it.revision ? undefined : it.revision)}
                      >
                        {words.diff}
                      </Button>
                      {it !== revisions[0] && (
                        <Button
                          size="compact-sm"
                          variant="default"
                          aria-label={formatNamed(words.restore, number(it.revision))}
                          onClick={() => look.mutate(it.revision)}
                        >
                          {words.restore}
                        </Button>
                      )}
                    </Group>
                  ),
                },
              ]}
            />
            {hasMore && limit < MAX && (
              <Group>
                <Button variant="default" onClick={() => setLimit(MAX)}>{words.older}</Button>
              </Group>
            )}
          </>
        )}
      </Loaded>
      {shown !== undefined && <Changed base={base} revision={shown} />}
      {back && (
        <Review
          outcome={back.outcome}
          work={work}
          action={words.restore}
          close={() => setBack(undefined)}
          save={(isForced) => work.mutate(isForced)}
        />
      )}
    </Stack>
  );
}

function Changed({ base, revision }: { base: string; revision: number }) {
  const words = useWords(SECTION);
  const { number } = useFormats();
  const label = words.showOf(number(revision));
  const detail = useQuery<Detail, ApiProblem>({
    queryKey: [base, "revision", revision],
    queryFn: async ({ signal }) =>
      await (await fetchFile(`${base}/revisions/${revision}`, { signal })).json(),
    staleTime: Infinity,
  });
  return (
    <Loaded of={detail}>
      {({ diff }) => (
        <Stack gap="xs">
          <Title order={2} size="h4">{label}</Title>
          <Diff label={label} text={diff} />
        </Stack>
      )}
    </Loaded>
  );
}
