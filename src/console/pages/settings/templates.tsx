import { Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { Link, useSearchParams } from "wouter";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { useCronText } from "../../components/cron_text.ts";
import { Folded } from "../../components/grouped_template.tsx";
import { Icon } from "../../components/icon.tsx";
import { Empty } from "../../components/notes.tsx";
import { PageLink } from "../../components/page_link.tsx";
import { givenProperty, type Property } from "../../components/properties.tsx";
import { Loaded, type RecordColumn, Records } from "../../components/records.tsx";
import { formatNamed, useLanguage, useWords } from "../../i18n/language.ts";
import { nameOfStylesheet } from "./stylesheet_field.tsx";
import { TEMPLATE } from "./template_words.ts";
import { SETTINGS } from "./words.ts";

type Template = components["schemas"]["Template"];

/** Types of the page; notification rules are templates too, but have their own page. */
const TYPES = "document,system,connector";
const ZONE = "schedule.timezone";

/** Templates of documents; those of outside systems, which Connections sets, are folded. */
export default function Templates() {
  const words = useWords(TEMPLATE);
  const common = useWords(SETTINGS);
  const may = useMay();
  const [params] = useSearchParams();
  const templates = useRead("/api/config/templates", { query: { type: TYPES, limit: 500 } });
  const columns = useColumns();
  return (
    <Stack gap="sm">
      {may("templates:write") && (
        <Group>
          <Button
            component={Link}
            href="/settings/templates/new"
            leftSection={<Icon name="plus" />}
          >
            {words.newTemplate}
          </Button>
        </Group>
      )}
      {params.get("for") === "schedule" && <Text size="sm">{words.scheduleHint}</Text>}
      <Loaded of={templates}>
        {({ templates }) => {
          const [documents, others] = [
            templates.filter((it) => it.type === "document"),
            templates.filter((it) => it.type !== "document"),
          ];
          return (
            <Stack gap="lg">
              <Records
                label={common.templates}
                rows={documents}
                keyOf={(it) => it.name}
                empty={<Empty icon="file" title={words.noTemplates} hint={words.noTemplatesHint} />}
                columns={[columns.name, columns.stylesheet, columns.schedules]}
              />
              {others.length > 0 && (
                <Folded title={words.systems} columns={1}>
                  <Text size="sm" c="dimmed">
                    {words.systemsHint}{" "}
                    <Anchor component={Link} href="/connections" underline="always">
                      {words.toConnections}
                    </Anchor>
                  </Text>
                  <Records
                    label={words.systems}
                    rows={others}
                    keyOf={(it) => it.name}
                    empty={null}
                    columns={[columns.name, columns.type]}
                  />
                </Folded>
              )}
            </Stack>
          );
        }}
      </Loaded>
    </Stack>
  );
}

function useColumns() {
  const words = useWords(TEMPLATE);
  const { name } = useWords(SETTINGS);
  const language = useLanguage();
  const write = useCronText();
  const { data } = useRead("/api/config/template-properties");
  const known = data?.catalogues.find((it) => it.type === "document")?.properties ?? [];
  return {
    name: {
      key: "name",
      label: name,
      cell: (it) => (
        <PageLink href={`/settings/templates/of/${encodeURIComponent(it.name)}`}>
          {it.name}
        </PageLink>
      ),
    },
    type: { key: "type", label: words.type, cell: (it) => words.types[it.type] ?? it.type },
    stylesheet: {
      key: "stylesheet",
      label: words.stylesheet,
      cell: (it) => nameOfStylesheet(givenProperty(it.properties, "transform")),
    },
    schedules: {
      key: "schedules",
      label: words.schedules,
      isWide: true,
      cell: (it) => {
        const schedules = listSchedules(known, it);
        if (schedules.length === 0) return <Text size="sm" c="dimmed">{words.noSchedule}</Text>;
        return schedules.map(({ key, label, cron }) => (
          <Text key={key} size="sm">{formatNamed(label[language], write(cron))}</Text>
        ));
      },
    },
  } satisfies Record<string, RecordColumn<Template>>;
}

/** Returns the schedules of a template with their labels. */
function listSchedules(known: readonly Property[], { properties }: Template) {
  return known.filter((it) => it.name.startsWith("schedule.") && it.name !== ZONE)
    .map((it) => ({
      key: it.name,
      label: it.label,
      cron: givenProperty(properties, it.name),
    }))
    .filter((it) => it.cron !== "");
}
