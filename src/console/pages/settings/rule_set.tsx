import { Button, Group, Stack, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../../components/dialog.tsx";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { useUnsaved } from "../../api/unsaved.ts";
import { Fields } from "../../components/fields.tsx";
import { Mark } from "../../components/mark.tsx";
import { DateField } from "../../components/dates/date_field.tsx";
import { Page, ProblemNote } from "../../components/notes.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { toast } from "../../components/toasts.tsx";
import { who } from "../../components/who.ts";
import { formatNamed, useFormats, useLanguage, useWords } from "../../i18n/language.ts";
import { Overrides } from "./rule_overrides.tsx";
import { RuleList } from "./rule_list.tsx";
import { RULES } from "./rule_words.ts";
import { SETTINGS } from "./words.ts";

type Detail = components["schemas"]["RuleSetDetail"];
type Version = Detail["versions"][number];

/** One rule set: versions, overrides and rules. */
export default function RuleSet({ id }: { id: string }) {
  const words = useWords(RULES);
  const { back } = useWords(SETTINGS);
  const language = useLanguage();
  const { number } = useFormats();
  const set = useRead("/api/rules/{id}", { path: { id } });
  return (
    <Page
      title={id}
      hint={set.data?.title[language]}
      back={{ href: "/settings/rules", label: back }}
    >
      <Loaded of={set}>
        {(it) => (
          <Stack gap="lg">
            <Fields
              of={[
                [words.judging, it.judging ?? words.none],
                [words.rules, number(it.rules.length)],
                [
                  words.appliesTo,
                  [...it.appliesTo.roots, ...it.appliesTo.customizationId ?? []]
                    .map((root) => root.replace(/^\{.*\}/, "")).join(", "),
                ],
              ]}
            />
            <Versions set={it} />
            <Overrides set={it} />
            <RuleList rules={it.rules} version={it.version} />
          </Stack>
        )}
      </Loaded>
    </Page>
  );
}

function Versions({ set }: { set: Detail }) {
  const words = useWords(RULES);
  const { day, moment, number } = useFormats();
  const may = useMay();
  const [chosen, setChosen] = useState<string>();
  const getState = (it: Version) =>
    it.version === set.judging
      ? <Mark tone="good">{words.states.judging}</Mark>
      : it.active
      ? <Mark tone="busy">{words.states.active}</Mark>
      : <Mark tone="calm">{words.states.idle}</Mark>;
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">{words.versions}</Title>
      <Records
        label={words.versions}
        rows={set.versions}
        keyOf={(it) => it.version}
        empty={null}
        columns={[
          { key: "version", label: words.version, cell: (it) => it.version },
          { key: "state", label: words.state, cell: getState },
          { key: "from", label: words.from, cell: (it) => day(it.effectiveFrom) },
          { key: "rules", label: words.rules, isRight: true, cell: (it) => number(it.rules) },
          {
            key: "origin",
            label: words.origin,
            isWide: true,
            cell: (it) =>
              it.from === "shipped"
                ? `${it.origin} (${words.shipped})`
                : [it.origin, words.installed(who(it.installedBy), moment(it.installedAt))]
                  .filter(Boolean).join(" · "),
          },
          ...may("rules:write")
            ? [{
              key: "activate",
              label: words.activate,
              cell: (it: Version) =>
                it.version !== set.judging && (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={formatNamed(words.activate, it.version)}
                    onClick={() => setChosen(it.version)}
                  >
                    {words.activate}
                  </Button>
                ),
            }]
            : [],
        ]}
      />
      {chosen !== undefined && (
        <Activate
          id={set.id}
          version={chosen}
          close={() => setChosen(undefined)}
        />
      )}
    </Stack>
  );
}

function Activate({ id, version, close }: { id: string; version: string; close: () => void }) {
  const words = useWords(RULES);
  const common = useWords(SETTINGS);
  const { day } = useFormats();
  const [from, setFrom] = useState("");
  useUnsaved(from !== "");
  const work = useChange(async () => {
    const { data } = await api.POST("/api/rules/{id}/activate", {
      params: { path: { id } },
      body: { version, ...from && { from } },
    });
    toast(words.activated(day(data?.effectiveFrom)));
    close();
  }, ["/api/rules"]);
  return (
    <Dialog
      opened
      onClose={close}
      title={words.activate}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          work.mutate(undefined);
        }}
      >
        <Stack>
          <Text size="sm">{words.activateHint(version)}</Text>
          <DateField label={words.from} value={from} onChange={setFrom} />
          <ProblemNote problem={work.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>{common.cancel}</Button>
            <Button type="submit" loading={work.isPending}>{words.activate}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
