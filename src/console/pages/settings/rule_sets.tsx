import { Button, Group, Stack, Text } from "@mantine/core";
import { Link } from "wouter";
import { useMay } from "../../api/me.tsx";
import { useRead } from "../../api/queries.ts";
import { Empty } from "../../components/notes.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { useFormats, useLanguage, useWords } from "../../i18n/language.ts";
import { InstallRelease } from "./rule_install.tsx";
import { RULES } from "./rule_words.ts";
import { PageLink } from "../../components/page_link.tsx";

/** Rule sets, each with its active version and its overrides. */
export default function RuleSets() {
  const words = useWords(RULES);
  const language = useLanguage();
  const { number } = useFormats();
  const may = useMay();
  const sets = useRead("/api/rules", { query: { limit: 500 } });
  return (
    <Stack gap="sm">
      <Group gap="xs">
        {may("rules:write") && <InstallRelease />}
        <Button component={Link} href="/settings/rules/compare" variant="default">
          {words.compare}
        </Button>
      </Group>
      <Loaded of={sets}>
        {({ sets, broken }) => (
          <>
            <Records
              label={words.set}
              rows={sets}
              keyOf={(it) => it.id}
              empty={<Empty icon="validate" title={words.noSets} />}
              columns={[
                {
                  key: "id",
                  label: words.set,
                  cell: (it) => (
                    <Stack gap={0} className="ps-folds">
                      <PageLink href={`/settings/rules/of/${encodeURIComponent(it.id)}`}>
                        {it.id}
                      </PageLink>
                      <Text size="xs" c="dimmed">{it.title[language]}</Text>
                    </Stack>
                  ),
                },
                { key: "judging", label: words.judging, cell: (it) => it.judging ?? words.none },
                {
                  key: "versions",
                  label: words.versions,
                  isRight: true,
                  cell: (it) => number(it.versions.length),
                },
                {
                  key: "overrides",
                  label: words.overrides,
                  isRight: true,
                  cell: (it) => number(it.overrides.length),
                },
              ]}
            />
            {broken.length > 0 && (
              <Records
                label={words.broken}
                rows={broken}
                keyOf={(it) => `${it.id} ${it.version}`}
                empty={null}
                columns={[
                  { key: "id", label: words.broken, cell: (it) => `${it.id} ${it.version}` },
                  { key: "reason", label: words.reason, cell: (it) => it.reason },
                ]}
              />
            )}
          </>
        )}
      </Loaded>
    </Stack>
  );
}
