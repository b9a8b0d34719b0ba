import { Button, Group, Select, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useAsk, useChange } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Diff } from "../../components/diff.tsx";
import { Page, ProblemNote } from "../../components/notes.tsx";
import { Records } from "../../components/records.tsx";
import { toast } from "../../components/toasts.tsx";
import { useWords } from "../../i18n/language.ts";
import { TOUCHES } from "./section_store.ts";
import { useSectionTitle } from "./section_title.ts";
import { SECTION } from "./section_words.ts";
import { SETTINGS } from "./words.ts";

type Rename = components["schemas"]["SettingsRename"];
type Outcome = components["schemas"]["SettingsRenameOutcome"];
const SCOPES: readonly Rename["scope"][] = [
  "pool",
  "connector",
  "query",
  "endpoint",
  "screen",
  "chart",
  "dashboard",
  "menu",
  "job",
  "lookup",
  "app",
  "column",
  "label",
];

/** Page that renames an object in all references, after showing them. */
export default function Rename() {
  const words = useWords(SECTION);
  const settings = useWords(SETTINGS);
  const titleOf = useSectionTitle();
  const [body, setBody] = useState<Rename>({ scope: "query", from: "", to: "" });
  const [seen, setSeen] = useState<{ of: Rename; outcome: Outcome }>();
  const look = useAsk(async (of: Rename) => {
    const { data } = await api.POST("/admin/config/rename", {
      params: { query: { dry_run: "true" } },
      body: of,
    });
    if (data) setSeen({ of, outcome: data });
  });
  const work = useChange(async (of: Rename) => {
    await api.POST("/admin/config/rename", { body: of });
    setSeen(undefined);
    setBody({ ...of, from: "", to: "" });
    toast(words.renamed);
  }, [...TOUCHES, "/admin/roles"]);
  const set = (part: Partial<Rename>) => {
    setBody({ ...body, ...part });
    setSeen(undefined);
    work.reset();
  };
  return (
    <Page
      title={settings.rename}
      hint={words.renameHint}
      back={{ href: "/settings/sections", label: settings.back }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          look.mutate({ ...body, from: body.from.trim(), to: body.to.trim() });
        }}
      >
        <Group align="flex-end" gap="sm">
          <Select
            label={words.scope}
            data={SCOPES.map((value) => ({ value, label: words.scopes[value] ?? value }))}
            value={body.scope}
            allowDeselect={false}
            onChange={(it) => set({ scope: SCOPES.find((known) => known === it) ?? body.scope })}
          />
          <TextInput
            label={words.from}
            placeholder={words.fromHint}
            required
            value={body.from}
            onChange={(it) => set({ from: it.currentTarget.value })}
          />
          <TextInput
            label={words.to}
            required
            value={body.to}
            onChange={(it) => set({ to: it.currentTarget.value })}
          />
          <Button type="submit" variant="default" loading={look.isPending}>{words.places}</Button>
        </Group>
      </form>
      <ProblemNote problem={look.error ?? work.error} />
      {seen && (
        <>
          <Title order={2} size="h4">{words.placesTitle(seen.outcome.places.length)}</Title>
          <Records
            label={words.path}
            rows={seen.outcome.places}
            keyOf={(it) => `${it.section}:${it.line}:${it.column}`}
            empty={null}
            columns={[
              { key: "section", label: words.section, cell: (it) => titleOf(it.section) },
              { key: "path", label: words.path, cell: (it) => it.path },
              { key: "line", label: words.line, isRight: true, cell: (it) => it.line },
            ]}
          />
          {seen.outcome.roles.length > 0 && (
            <Records
              label={words.roleCodes}
              rows={seen.outcome.roles}
              keyOf={(it) => `${it.role} ${it.from}`}
              empty={null}
              columns={[
                { key: "role", label: words.roles, cell: (it) => it.role },
                { key: "from", label: words.from, cell: (it) => it.from },
                { key: "to", label: words.to, cell: (it) => it.to },
              ]}
            />
          )}
          {seen.outcome.diff && <Diff label={words.diff} text={seen.outcome.diff} />}
          <Group>
            <Button loading={work.isPending} onClick={() => work.mutate(seen.of)}>
              {words.renameDo}
            </Button>
          </Group>
        </>
      )}
    </Page>
  );
}
