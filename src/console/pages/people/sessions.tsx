import { Stack, Text, Title } from "@mantine/core";
import { useRead } from "../../api/queries.ts";
import { Loaded, Records } from "../../components/records.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { PEOPLE } from "./words.ts";

/** Open sessions of a user. */
export function Sessions({ of: username }: { of: string }) {
  const words = useWords(PEOPLE);
  const { moment, number } = useFormats();
  const listed = useRead("/admin/users/{username}/sessions", { path: { username } });
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">{words.sessions}</Title>
      <Loaded of={listed}>
        {({ sessions, total }) => (
          <>
            <Records
              label={words.sessions}
              rows={sessions}
              keyOf={(it) => `${it.began_at} ${it.address} ${sessions.indexOf(it)}`}
              empty={<Text size="sm" c="dimmed">{words.noSessions}</Text>}
              columns={[
                { key: "began", label: words.began, cell: (it) => moment(it.began_at) },
                { key: "method", label: words.method, cell: (it) => words.methods[it.method] },
                { key: "address", label: words.address, cell: (it) => it.address },
                { key: "ends", label: words.ends, cell: (it) => moment(it.ends_at) },
              ]}
            />
            {total > sessions.length && (
              <Text size="sm" c="dimmed">
                {words.moreSessions(number(total - sessions.length))}
              </Text>
            )}
          </>
        )}
      </Loaded>
    </Stack>
  );
}
