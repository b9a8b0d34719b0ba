import { List, Stack, Text } from "@mantine/core";
import { Records } from "../../components/records.tsx";
import { useWords } from "../../i18n/language.ts";
import type { Mistake, SettingsOutcome } from "./section_store.ts";
import { SECTION } from "./section_words.ts";

/** Effects of a change: refused queries, broken references, vanished codes, and users who lose permissions. */
export function Impact({ of }: { of: Pick<SettingsOutcome, "impact" | "queries"> }) {
  const words = useWords(SECTION);
  const { broken, codes_gone: gone, codes_new: fresh, losses } = of.impact;
  const { refused = [], unchecked = [] } = of.queries ?? {};
  const isHarmless = !broken.length && !gone.length && !losses.length;
  const place = (it: Mistake) => `${it.section}.yaml:${it.line}:${it.column} ${it.message}`;
  return (
    <Stack gap="sm">
      {refused.length > 0 && <Named title={words.refused}>{refused.map(place)}</Named>}
      {unchecked.length > 0 && <Named title={words.unchecked}>{unchecked}</Named>}
      {isHarmless && <Text size="sm" role="status">{words.harmless}</Text>}
      {broken.length > 0 && <Named title={words.broken}>{broken.map(place)}</Named>}
      {gone.length > 0 && <Named title={words.gone}>{gone}</Named>}
      {losses.length > 0 && (
        <Stack gap={4}>
          <Text fw={600} size="sm">{words.losses}</Text>
          <Records
            label={words.losses}
            rows={losses}
            keyOf={(it) => it.code}
            empty={null}
            columns={[
              { key: "code", label: words.code, cell: (it) => it.code },
              { key: "roles", label: words.roles, cell: (it) => it.roles.join(", ") },
              { key: "users", label: words.users, cell: (it) => it.users.join(", ") },
            ]}
          />
        </Stack>
      )}
      {fresh.length > 0 && <Named title={words.fresh}>{fresh}</Named>}
    </Stack>
  );
}

function Named({ title, children }: { title: string; children: readonly string[] }) {
  return (
    <Stack gap={4}>
      <Text fw={600} size="sm">{title}</Text>
      <List size="sm">
        {children.map((it) => <List.Item key={it} className="ps-wrap">{it}</List.Item>)}
      </List>
    </Stack>
  );
}
