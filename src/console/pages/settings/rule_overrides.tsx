import { Button, Group, Select, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { useUnsaved } from "../../api/unsaved.ts";
import { Confirm } from "../../components/confirm.tsx";
import { Mark } from "../../components/mark.tsx";
import { formatDay, useMidnight } from "../../components/dates/use_midnight.ts";
import { DateField } from "../../components/dates/date_field.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { Records } from "../../components/records.tsx";
import { toast } from "../../components/toasts.tsx";
import { who } from "../../components/who.ts";
import { useFormats, useWords } from "../../i18n/language.ts";
import { RULES } from "./rule_words.ts";

type Detail = components["schemas"]["RuleSetDetail"];
type Override = Detail["overrides"][number];
const LEVELS = ["FATAL", "ERROR", "WARNING", "INFO", "OFF"] as const;

/** Overrides of a set's rules, each with a reason and an end date. */
export function Overrides({ set }: { set: Detail }) {
  const words = useWords(RULES);
  const { moment } = useFormats();
  const mayWrite = useMay()("rules:write");
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">{words.overrides}</Title>
      <Records
        label={words.overrides}
        rows={set.overrides}
        keyOf={(it) => it.rule}
        empty={<Text size="sm" c="dimmed">{words.noOverrides}</Text>}
        columns={[
          { key: "rule", label: words.rule, cell: (it) => it.rule },
          { key: "level", label: words.level, cell: (it) => words.levels[it.level] },
          { key: "reason", label: words.reason, cell: (it) => it.reason },
          { key: "expires", label: words.expires, cell: (it) => moment(it.expires) },
          { key: "author", label: words.author, isWide: true, cell: (it) => who(it.author) },
          {
            key: "force",
            label: words.state,
            cell: (it) =>
              it.inForce
                ? <Mark tone="warning">{words.inForce}</Mark>
                : <Mark tone="calm">{words.over}</Mark>,
          },
          ...mayWrite
            ? [{
              key: "withdraw",
              label: words.withdraw,
              cell: (it: Override) => <Withdraw id={set.id} rule={it.rule} />,
            }]
            : [],
        ]}
      />
      {mayWrite && <NewOverride set={set} />}
    </Stack>
  );
}

function Withdraw({ id, rule }: { id: string; rule: string }) {
  const words = useWords(RULES);
  const work = useChange(
    () => api.DELETE("/api/rules/{id}/overrides", { params: { path: { id }, query: { rule } } }),
    ["/api/rules"],
  );
  return (
    <Confirm
      size="compact-sm"
      label={words.withdraw}
      question={words.withdrawQuestion(rule)}
      work={work}
      run={() => work.mutateAsync(undefined)}
    />
  );
}

/** Returns the end of a day, since the last day is included. */
function getEnd(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString();
}

/** Most days after today: the last day then ends within the 366 days that an override may last. */
const MAX_DAYS = 365;

function NewOverride({ set }: { set: Detail }) {
  const words = useWords(RULES);
  const [given, setGiven] = useState({ rule: "", reason: "", expires: "" });
  useUnsaved(Object.values(given).some(Boolean));
  const midnight = useMidnight();
  const last = new Date(midnight);
  last.setDate(last.getDate() + MAX_DAYS);
  const [level, setLevel] = useState<(typeof LEVELS)[number]>("WARNING");
  const work = useChange(async () => {
    await api.POST("/api/rules/{id}/overrides", {
      params: { path: { id: set.id } },
      body: { ...given, level, expires: getEnd(given.expires) },
    });
    setGiven({ rule: "", reason: "", expires: "" });
    toast(words.overridden);
  }, ["/api/rules"]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        work.mutate(undefined);
      }}
    >
      <Stack gap="xs">
        <Text size="sm" c="dimmed">{words.overrideHint}</Text>
        <Group align="flex-end" gap="sm">
          <fieldset disabled={work.isPending}>
            <TextInput
              label={words.rule}
              required
              value={given.rule}
              onChange={(it) => setGiven({ ...given, rule: it.currentTarget.value.trim() })}
            />
            <Select
              label={words.level}
              allowDeselect={false}
              data={LEVELS.map((value) => ({ value, label: words.levels[value] }))}
              value={level}
              onChange={(it) => setLevel(LEVELS.find((one) => one === it) ?? level)}
            />
            <TextInput
              label={words.reason}
              required
              value={given.reason}
              onChange={(it) => setGiven({ ...given, reason: it.currentTarget.value })}
            />
            <DateField
              label={words.expires}
              required
              min={formatDay(midnight)}
              max={formatDay(last)}
              value={given.expires}
              onChange={(expires) => setGiven({ ...given, expires })}
            />
          </fieldset>
          <Button type="submit" variant="default" loading={work.isPending}>{words.override}</Button>
        </Group>
        <ProblemNote problem={work.error} />
      </Stack>
    </form>
  );
}
