import { Code, Stack, Text } from "@mantine/core";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Fields } from "../../components/fields.tsx";
import { InvoiceLink } from "../../components/invoices/invoice_link.tsx";
import { PageLink } from "../../components/page_link.tsx";
import { Records } from "../../components/records.tsx";
import { who } from "../../components/who.ts";
import { useFormats, useLanguage, useWords } from "../../i18n/language.ts";
import { CONNECTIONS } from "../connections/words.ts";
import { useSectionTitle } from "../settings/section_title.ts";
import { type AuditChange, listChanges, nameEvent, readText, showTarget } from "./audit_events.ts";
import { AUDIT_VALUES } from "./audit_values.ts";
import { PEOPLE } from "./words.ts";

type Entry = components["schemas"]["AuditList"]["entries"][number];

/** Target of the event in words, with a link to its page. */
export function Target({ of }: { of: Entry }) {
  const { systems, database } = useWords(PEOPLE);
  const { kinds } = useWords(CONNECTIONS);
  const titleOf = useSectionTitle();
  const { text, href, kind } = showTarget(of);
  if (kind === "invoice") return <InvoiceLink id={text} />;
  const shown = kind === "section"
    ? text.split(", ").map(titleOf).join(", ")
    : kind === "system"
    ? systems[text] ?? text
    : kind === "connection"
    ? kinds[text] ?? text.replace(/^pool /, database)
    : text;
  return href ? <PageLink href={href}>{shown}</PageLink> : shown;
}

export function EventName({ of }: { of: Entry }) {
  return nameEvent(of, useLanguage());
}

/** Shows when and by whom an action was taken, and its changes. */
export function EntryDetail({ entry }: { entry: Entry }) {
  const words = useWords(PEOPLE);
  const values = useWords(AUDIT_VALUES);
  const { second } = useFormats();
  const language = useLanguage();
  const propertyOf = useProperties(entry);
  const changes = listChanges(entry);
  const say = (name: string, value: string) => {
    if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return second(value);
    if (name === "handledBy") return who(value);
    const choice = propertyOf(name)?.choiceLabels?.[value]?.[language];
    if (choice !== undefined) return choice;
    const said = (it: string) => {
      const point = name === "points" ? values[`attention.${it}`] : undefined;
      return point ? `${values["handled"]}${point}` : values[`${name}.${it}`] ?? words.yesNo[it];
    };
    return said(value) ?? value.split(", ").map((it) => said(it) ?? it).join(", ");
  };
  const nameOf = (name: string) =>
    values[name] ?? propertyOf(name)?.label[language] ?? name.replace(/^properties\./, "");
  const isSection = entry.event === "configuration.changed";
  const { href } = showTarget(entry);
  return (
    <Stack gap="md">
      <Fields
        of={[
          [words.when, second(entry.at)],
          [words.who, who(entry.actor)],
          [words.target, entry.target && <Target key="target" of={entry} />],
          [words.address, entry.address],
        ]}
      />
      {isSection && href && <PageLink href={href}>{words.difference}</PageLink>}
      {!isSection && changes.length > 0 && (
        <Records
          label={words.changes}
          rows={changes}
          keyOf={(it) => it.name}
          empty={null}
          columns={[
            { key: "name", label: words.value, cell: (it) => nameOf(it.name) },
            ...entry.before === null ? [] : [{
              key: "before",
              label: words.before,
              cell: (it: AuditChange) => (
                <Text size="sm" className="ps-wrap">{say(it.name, it.before)}</Text>
              ),
            }],
            {
              key: "after",
              label: words.after,
              cell: (it) => <Text size="sm" className="ps-wrap">{say(it.name, it.after)}</Text>,
            },
          ]}
        />
      )}
      <details>
        <summary>{words.technical}</summary>
        <Code block tabIndex={0}>{JSON.stringify(entry, null, 2)}</Code>
      </details>
    </Stack>
  );
}

/** Returns a function that finds the property of a template by the name of a changed value. */
function useProperties({ event, target, before, after }: Entry) {
  const when = useMay()("templates:read") && event.startsWith("template.");
  const { data } = useRead("/api/config/template-properties", undefined, { when });
  const type = readText(after, "type") ?? readText(before, "type");
  const known = data?.catalogues.find((it) =>
    it.type === type && (it.name === undefined || it.name === target)
  );
  return (name: string) => known?.properties.find((it) => name === `properties.${it.name}`);
}
