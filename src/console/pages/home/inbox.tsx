import { ActionIcon, Box, Group, Stack, Text, Title, Tooltip } from "@mantine/core";
import { Link } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import { Icon } from "../../components/icon.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { formatNamed, useFormats, useWords } from "../../i18n/language.ts";
import { HOME } from "./words.ts";

/** Latest notifications of the reader. */
export function Inbox() {
  const words = useWords(HOME);
  const may = useMay();
  const { ago, number } = useFormats();
  const { data, error } = useRead("/api/inbox", { query: { pageSize: 6 } });
  const read = useChange(
    (id: string) => api.POST("/api/inbox/{id}/read", { params: { path: { id } } }),
    ["/api/inbox"],
  );
  return (
    <section>
      <Title order={2} size="h4" mb="sm">{words.inbox(number(data?.unread ?? 0))}</Title>
      <ProblemNote problem={error ?? read.error} />
      {data?.messages.length === 0 && <Text size="sm" c="dimmed">{words.inboxEmpty}</Text>}
      <Stack gap="sm">
        {data?.messages.map((it) => (
          <Group key={it.id} wrap="nowrap" align="flex-start" className="ps-message">
            <Box flex={1} miw={0}>
              <Text size="sm" fw={it.readAt ? 400 : 650} className="ps-wrap">{it.subject}</Text>
              <Text size="sm" c="dimmed" lineClamp={2}>{it.message}</Text>
              <Text size="xs" c="dimmed">
                {ago(it.createdAt)}
                {it.invoice && may("invoices:read") && (
                  <>
                    {" · "}
                    <Link href={`/invoices/${encodeURIComponent(it.invoice)}`}>{it.invoice}</Link>
                  </>
                )}
              </Text>
            </Box>
            {!it.readAt && (
              <Tooltip label={words.read}>
                <ActionIcon
                  variant="default"
                  aria-label={formatNamed(words.read, it.subject)}
                  onClick={() => read.mutate(it.id)}
                >
                  <Icon name="check" size={16} />
                </ActionIcon>
              </Tooltip>
            )}
          </Group>
        ))}
      </Stack>
    </section>
  );
}
