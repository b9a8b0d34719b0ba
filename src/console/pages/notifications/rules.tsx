import { Button, Group, Stack, Switch, Text } from "@mantine/core";
import { Link } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { readEtag, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Icon } from "../../components/icon.tsx";
import { Mark } from "../../components/mark.tsx";
import { Empty } from "../../components/notes.tsx";
import { PageLink } from "../../components/page_link.tsx";
import { givenProperty, type TemplateProperties } from "../../components/properties.tsx";
import { Loaded, type RecordColumn, Records } from "../../components/records.tsx";
import { type RowChange, RowProblems, useRowChange } from "../../components/row_change.tsx";
import { useFormats, useLanguage, useWords } from "../../i18n/language.ts";
import { useCodeNames } from "./rule_fields.tsx";
import { describeRule } from "./rule_sentence.ts";
import { RULE_WORDS } from "./rule_words.ts";
import { UsualRules } from "./usual_rules.tsx";
import { NOTIFICATIONS } from "./words.ts";

const TYPE = "notification-rule";
/** All notification rules. */
export const ALL_RULES = { query: { type: TYPE, limit: 500 } };
const TOUCHES = ["/api/config", "/api/templates"];

/** Number of rules that `UsualRules` creates. */
const USUAL = 5;

export function Rules() {
  const words = useWords(NOTIFICATIONS);
  const may = useMay();
  const rules = useRead("/api/config/templates", ALL_RULES);
  const columns = useColumns();
  const language = useLanguage();
  const mayWrite = may("templates:write");
  const toggle = useRowChange(switchRule, TOUCHES);
  return (
    <Stack gap="sm">
      {mayWrite && (
        <Group>
          <Button
            component={Link}
            href="/notifications/rules/new"
            leftSection={<Icon name="plus" />}
          >
            {words.newRule}
          </Button>
        </Group>
      )}
      <RowProblems of={toggle} />
      <Loaded of={rules}>
        {({ templates, unowned }) => (
          <Stack gap="md">
            <Records
              label={words.rules}
              rows={templates.toSorted((a, b) => a.name.localeCompare(b.name, language))}
              keyOf={(it) => it.name}
              empty={
                <Empty icon="notifications" title={words.noRules} hint={words.noRulesHint}>
                  {mayWrite && <UsualRules />}
                </Empty>
              }
              columns={columns({ toggle, mayWrite, unowned })}
            />
            {mayWrite && templates.length > 0 && templates.length < USUAL && (
              <Group>
                <UsualRules variant="default" />
              </Group>
            )}
          </Stack>
        )}
      </Loaded>
    </Stack>
  );
}

type RuleRow = components["schemas"]["Template"];

/** Returns true for a rule that is switched on. */
export function isOn({ properties }: Pick<RuleRow, "properties">): boolean {
  return givenProperty(properties, "enabled") === "Y";
}

/** Switches a rule on or off; the other properties stay. */
async function switchRule(name: string): Promise<void> {
  const query = { name };
  const { data, response } = await api.GET("/api/config/template", { params: { query } });
  const { properties = {} } = data ?? {};
  await api.PUT("/api/config/template", {
    params: { query, header: { "if-match": readEtag(response) } },
    body: {
      name,
      type: TYPE,
      properties: { ...properties, enabled: isOn({ properties }) ? "N" : "Y" },
    },
  });
}

/** Returns the columns of the list: name, sentence, switch and last message. */
function useColumns() {
  const words = useWords(NOTIFICATIONS);
  const form = useWords(RULE_WORDS);
  const may = useMay();
  const describe = useSentence();
  return (
    { toggle, mayWrite, unowned }: {
      toggle: RowChange;
      mayWrite: boolean;
      unowned: readonly string[];
    },
  ): RecordColumn<RuleRow>[] => [
    {
      key: "name",
      label: words.name,
      cell: (it) => (
        <PageLink href={`/notifications/rules/of/${encodeURIComponent(it.name)}`}>
          {it.name}
        </PageLink>
      ),
    },
    {
      key: "what",
      label: words.what,
      cell: (it) => (
        <>
          <Text size="sm" className="ps-folds">{describe(it.properties ?? {})}</Text>
          {isOn(it) && unowned.includes(it.name) && <Mark tone="warning">{words.unowned}</Mark>}
          <Text size="xs" c="dimmed" lineClamp={2} className="ps-folds">
            {givenProperty(it.properties, "description")}
          </Text>
        </>
      ),
    },
    {
      key: "on",
      label: form.on,
      cell: (it) => (
        <Switch
          aria-label={form.isOn(it.name)}
          checked={isOn(it) !== toggle.isAtWork(it.name)}
          disabled={!mayWrite}
          onChange={() => toggle.run(it.name)}
        />
      ),
    },
    ...may("notifications:test")
      ? [{
        key: "last",
        label: form.lastFired,
        cell: (it: RuleRow) => <LastFired rule={it.name} />,
      }]
      : [],
  ];
}

/** Returns a function that writes a rule as one sentence. */
function useSentence(): (properties: TemplateProperties) => string {
  const { channels: channelNames } = useWords(NOTIFICATIONS);
  const { sentence: words } = useWords(RULE_WORDS);
  const nameCode = useCodeNames();
  const others = new Map(
    Object.entries(channelNames).filter(([it]) =>
      !["portal", "email", "action", "dispatch"].includes(it)
    ),
  );
  return (properties) =>
    describeRule(properties, {
      words,
      nameCode,
      nameRole: (it) => it,
      channels: [...others].filter(([it]) => givenProperty(properties, `channel.${it}`) === "Y")
        .map(([, label]) => label),
    });
}

/** Time of the rule's last delivery. */
function LastFired({ rule }: { rule: string }) {
  const { neverFired } = useWords(RULE_WORDS);
  const { moment } = useFormats();
  const { data } = useRead("/api/notifications/deliveries", { query: { rule, pageSize: 1 } });
  if (!data) return null;
  const [last] = data.deliveries;
  if (last) return <span className="ps-number">{moment(last.createdAt)}</span>;
  return <Text size="sm" c="dimmed">{neverFired}</Text>;
}
