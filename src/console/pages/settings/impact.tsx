import { List, Stack, Text } from "@mantine/core";
import { Records } from "../../components/records.tsx";
import { useWords } from "../../i18n/language.ts";
import type { SettingsImpact as ImpactOf } from "./section_store.ts";
import { SECTION } from "./section_words.ts";

/** Side effects of a change: broken references, vanished codes, and users who lose permissions. */
export function Impact({ of }: { of: ImpactOf }) {
  const words = useWords(SECTION);
  const { broken, codes_gone: gone, codes_new: fresh, losses } = of;
  const isHarmless = !broken.length && !gone.length && !losses.length;
  return (
    <Stack gap="sm">
      {isHarmless && <Text size="sm" role="status">{words.harmless}</Text>}
      {broken.length > 0 && (
        <Named title={words.broken}>
          {broken.map((it) => `${it.section}.yaml:${it.line}:${it.column} ${it.message}`)}
        </Named>
      )}
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
