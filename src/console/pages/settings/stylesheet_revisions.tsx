import { Badge, Button, Group, Stack, Text, Title } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Diff } from "../../components/diff.tsx";
import { Empty, ProblemNote } from "../../components/notes.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { toast } from "../../components/toasts.tsx";
import { who } from "../../components/who.ts";
import { formatNamed, sentence, useFormats, useWords } from "../../i18n/language.ts";
import { STYLESHEET } from "./stylesheet_words.ts";

type Revision = components["schemas"]["StylesheetRevision"];

/** Saved versions of a stylesheet, with a button to restore each. */
export function StylesheetRevisions({ path, isDirty }: { path: string; isDirty: boolean }) {
  const words = useWords(STYLESHEET);
  const { moment, number, bytes } = useFormats();
  const mayWrite = useMay()("files:write");
  const [shown, setShown] = useState<number>();
  const list = useRead("/api/xsl/revisions", { query: { path } });
  const restore = useChange(async (revision: number) => {
    const { data } = await api.POST("/api/xsl/restore", { body: { path, revision } });
    const { message } = data?.doesNotCompile ?? {};
    if (message === undefined) toast(words.restored(number(revision)));
    else toast(`${words.uncompiled}. ${sentence(message)}`, "failed");
  }, ["/api/fs", "/api/xsl"]);
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">{words.revisions}</Title>
      <ProblemNote problem={restore.error} />
      <Loaded of={list}>
        {({ revisions }) => (
          <Records<Revision>
            label={words.revisions}
            rows={revisions}
            keyOf={(it) => it.revision}
            empty={<Empty icon="clock" title={words.noRevisions} />}
            columns={[
              { key: "revision", label: words.revision, cell: (it) => number(it.revision) },
              {
                key: "changed",
                label: words.changed,
                cell: (it) => it.by === "" ? moment(it.at) : `${who(it.by)}, ${moment(it.at)}`,
              },
              { key: "size", label: words.size, isRight: true, cell: (it) => bytes(it.size) },
              {
                key: "state",
                label: words.state,
                isWide: true,
                cell: (it) =>
                  it.isInUse
                    ? <Badge variant="light">{words.inUse}</Badge>
                    : it.doesNotCompile !== null && (
                      <Text size="sm" className="ps-wrap">{sentence(it.doesNotCompile)}</Text>
                    ),
              },
              {
                key: "do",
                label: words.actions,
                cell: (it) => (
                  <Group gap={4}>
                    <Button
                      size="compact-sm"
                      variant="default"
                      aria-label={formatNamed(words.show, number(it.revision))}
                      aria-expanded={shown === it.revision}
                      onClick={() => setShown(shown === it.revision ? undefined : it.revision)}
                    >
                      {words.show}
                    </Button>
                    {mayWrite && !it.isInUse && it.doesNotCompile === null && (
                      <Button
                        size="compact-sm"
                        variant="default"
                        disabled={isDirty}
                        loading={restore.isPending && restore.variables === it.revision}
                        aria-label={formatNamed(words.restore, number(it.revision))}
                        onClick={() => restore.mutate(it.revision)}
                      >
                        {words.restore}
                      </Button>
                    )}
                  </Group>
                ),
              },
            ]}
          />
        )}
      </Loaded>
      {shown !== undefined && <Changed path={path} revision={shown} />}
    </Stack>
  );
}

function Changed({ path, revision }: { path: string; revision: number }) {
  const words = useWords(STYLESHEET);
  const { number } = useFormats();
  const label = words.changesOf(number(revision));
  const found = useRead("/api/xsl/revision", { query: { path, revision } });
  const section = useRef<HTMLElement>(null);
  // The list may be longer than the screen, and the changes stand below it.
  useEffect(() => {
    section.current?.scrollIntoView({ block: "start" });
  }, [revision, found.data]);
  return (
    <section ref={section} style={{ scrollMarginTop: 80 }}>
      <Title order={3} size="h5" mb="xs">{label}</Title>
      <Loaded of={found}>
        {({ diff }) =>
          diff === ""
            ? <Text size="sm" c="dimmed">{words.sameText}</Text>
            : <Diff label={label} text={diff} />}
      </Loaded>
    </section>
  );
}
