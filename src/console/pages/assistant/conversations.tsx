import { Button, Group, NavLink, Stack } from "@mantine/core";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { facts } from "../../api/facts.ts";
import { useRead } from "../../api/queries.ts";
import { Icon } from "../../components/icon.tsx";
import { Empty } from "../../components/notes.tsx";
import { Loaded } from "../../components/records.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { useOffered } from "../../shell/keys.tsx";
import { ASSISTANT } from "./words.ts";

const SIZE = 20;

/** List of conversations, the last changed first. */
export function Conversations({ open }: { open: string }) {
  const words = useWords(ASSISTANT);
  const { ago } = useFormats();
  const [, go] = useLocation();
  const [offset, setOffset] = useState(0);
  useOffered(facts.model ? [{ label: words.begin, run: () => go("/assistant") }] : []);
  const list = useRead("/ai/conversations", { query: { limit: SIZE, offset } }, { keep: true });
  return (
    <Stack gap="xs" component="nav" aria-label={words.conversations}>
      {facts.model && (
        <Button
          component={Link}
          href="/assistant"
          variant="default"
          leftSection={<Icon name="plus" size={16} />}
        >
          {words.begin}
        </Button>
      )}
      <Loaded of={list}>
        {({ items, total }) => (
          <>
            {total === 0 && facts.model && (
              <Empty icon="assistant" title={words.none} hint={words.noneHint} />
            )}
            <div>
              {items.map((it) => (
                <NavLink
                  key={it.id}
                  component={Link}
                  href={`/assistant/${it.id}`}
                  label={it.title}
                  description={ago(it.updated_at)}
                  active={it.id === open}
                  aria-current={it.id === open ? "page" : undefined}
                  rightSection={it.share && <Icon name="link" size={14} />}
                />
              ))}
            </div>
            {total > SIZE && (
              <Group justify="space-between" gap="xs">
                <Button
                  size="compact-sm"
                  variant="default"
                  disabled={offset === 0}
                  onClick={() => setOffset(Math.max(0, offset - SIZE))}
                >
                  {words.newer}
                </Button>
                <Button
                  size="compact-sm"
                  variant="default"
                  disabled={offset + SIZE >= total}
                  onClick={() => setOffset(offset + SIZE)}
                >
                  {words.older}
                </Button>
              </Group>
            )}
          </>
        )}
      </Loaded>
    </Stack>
  );
}
