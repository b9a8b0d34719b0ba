import { Box, Button, Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "../../components/icon.tsx";
import { useWords } from "../../i18n/language.ts";
import { FINANCE } from "./words.ts";

/** Part of the page with a title, a sentence and an export. */
export function Section({ id, title, hint, onExport, children }: {
  id?: string;
  title: string;
  hint?: string;
  onExport?: () => void;
  children: ReactNode;
}) {
  const words = useWords(FINANCE);
  return (
    <Box component="section" id={id} aria-label={title}>
      <Group
        className="ps-section-head"
        justify="space-between"
        align="flex-start"
        mb="sm"
        gap="xs"
        wrap="nowrap"
      >
        <Box miw={0}>
          <Title order={2} size="h4">{title}</Title>
          {hint && <Text size="sm" c="dimmed">{hint}</Text>}
        </Box>
        {onExport && (
          <Button
            size="xs"
            flex="none"
            variant="default"
            className="ps-no-print"
            leftSection={<Icon name="download" size={14} />}
            aria-label={words.csvOf(title)}
            onClick={onExport}
          >
            {words.csv}
          </Button>
        )}
      </Group>
      {children}
    </Box>
  );
}
