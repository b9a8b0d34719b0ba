import { Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useDeferredValue, useState } from "react";
import type { components } from "../../api/schema.d.ts";
import { Icon } from "../../components/icon.tsx";
import { Pager } from "../../components/pager.tsx";
import { Records } from "../../components/records.tsx";
import { useFormats, useLanguage, useWords } from "../../i18n/language.ts";
import { RULES } from "./rule_words.ts";

type Rule = components["schemas"]["RuleSetDetail"]["rules"][number];
const PAGE = 50;

/** Rules of a version, searchable by name, term and message. */
export function RuleList({ rules, version }: { rules: readonly Rule[]; version: string }) {
  const words = useWords(RULES);
  const language = useLanguage();
  const { number } = useFormats();
  const [search, setSearch] = useState("");
  const [page, setPage] = useState(1);
  const sought = useDeferredValue(search.trim().toLowerCase());
  const describe = (it: Rule) => (language === "fr" ? it.messageFr : it.messageEn) || it.message;
  const found = rules.filter((it) =>
    `${it.id} ${it.businessTerm ?? ""} ${describe(it)}`.toLowerCase().includes(sought)
  );
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">{`${words.rules} ${version}`}</Title>
      <Group gap="sm">
        <TextInput
          aria-label={words.search}
          placeholder={words.search}
          leftSection={<Icon name="search" />}
          value={search}
          onChange={(it) => {
            setSearch(it.currentTarget.value);
            setPage(1);
          }}
        />
        <Text size="sm" c="dimmed" role="status">
          {words.shown(number(found.length), number(rules.length))}
        </Text>
      </Group>
      <Records
        label={words.rules}
        rows={found.slice((page - 1) * PAGE, page * PAGE)}
        keyOf={(it) => it.id}
        empty={null}
        columns={[
          { key: "id", label: words.rule, cell: (it) => it.id },
          { key: "level", label: words.level, cell: (it) => words.levels[it.level] },
          { key: "message", label: words.message, cell: describe },
        ]}
      />
      <Pager page={page} size={PAGE} total={found.length} onPage={setPage} />
    </Stack>
  );
}
