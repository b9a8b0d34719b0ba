import { Button, Group, Stack } from "@mantine/core";
import { Link } from "wouter";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import { Icon } from "../../components/icon.tsx";
import { Empty } from "../../components/notes.tsx";
import { givenProperty } from "../../components/properties.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { useWords } from "../../i18n/language.ts";
import { TEMPLATE } from "./template_words.ts";
import { SETTINGS } from "./words.ts";
import { PageLink } from "../../components/page_link.tsx";

/** Types shown; notification rules are templates too, but have their own page. */
const TYPES = "document,system,connector";

export default function Templates() {
  const words = useWords(TEMPLATE);
  const common = useWords(SETTINGS);
  const may = useMay();
  const templates = useRead("/api/config/templates", { query: { type: TYPES, limit: 500 } });
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
      <Loaded of={templates}>
        {({ templates }) => (
          <Records
            label={common.templates}
            rows={templates}
            keyOf={(it) => it.name}
            empty={<Empty icon="file" title={words.noTemplates} hint={words.noTemplatesHint} />}
            columns={[
              {
                key: "name",
                label: common.name,
                cell: (it) => (
                  <PageLink href={`/settings/templates/of/${encodeURIComponent(it.name)}`}>
                    {it.name}
                  </PageLink>
                ),
              },
              { key: "type", label: words.type, cell: (it) => words.types[it.type] ?? it.type },
              {
                key: "stylesheet",
                label: words.stylesheet,
                isWide: true,
                cell: (it) => givenProperty(it.properties, "transform"),
              },
              {
                key: "schedules",
                label: words.schedules,
                isWide: true,
                cell: (it) =>
                  Object.entries(it.properties ?? {})
                    .filter(([key, value]) => key.startsWith("schedule.") && value)
                    .map(([key, value]) => `${key.slice("schedule.".length)}: ${value}`)
                    .join(" · "),
              },
            ]}
          />
        )}
      </Loaded>
    </Stack>
  );
}
