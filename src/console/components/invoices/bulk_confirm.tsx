import { Button, Group, Stack, Text } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import type { components } from "../../api/schema.d.ts";
import { useFormats, useWords } from "../../i18n/language.ts";
import { DateField } from "../dates/date_field.tsx";
import { today } from "../dates/day_text.ts";
import { Dialog } from "../dialog.tsx";
import { BULK } from "./bulk_words.ts";
import { INVOICE } from "./words.ts";

type Action = components["schemas"]["BulkPreview"]["actions"][number]["action"];

/** Dialog that states how many invoices an action changes, and their sum. Payments also have a date. */
export function BulkConfirm({ action, count, sums, title, isOpen, onClose, onConfirm, children }: {
  action: Action;
  count: number;
  /** Sum of the invoices, formatted. */
  sums: string;
  /** Title instead of the usual one. */
  title?: string;
  isOpen: boolean;
  onClose: () => void;
  /** Receives the day of payment, if it is not today. */
  onConfirm: (day: string | undefined) => void;
  children: ReactNode;
}) {
  const words = useWords(BULK);
  const { cancel } = useWords(INVOICE);
  const { number } = useFormats();
  const [day, setDay] = useState(today);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onConfirm(action === "collect" && day !== today() ? day : undefined);
  };
  return (
    <Dialog
      opened={isOpen}
      onClose={onClose}
      title={title ?? words.titles[action](number(count), sums)}
    >
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{words.texts[action](sums, number(count))}</Text>
          {action === "collect" && (
            <DateField
              label={words.collectedOn}
              required
              max={today()}
              value={day}
              onChange={setDay}
            />
          )}
          {children}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>{cancel}</Button>
            <Button type="submit" data-autofocus>{words.names[action]}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
