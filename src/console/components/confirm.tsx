import { Button, type ButtonProps, Group, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { defineWords, useWords } from "../i18n/language.ts";
import { ProblemNote } from "./notes.tsx";

const WORDS = defineWords({
  en: { cancel: "Cancel", close: "Close" },
  fr: { cancel: "Annuler", close: "Fermer" },
});

interface Work {
  readonly isPending: boolean;
  readonly error: unknown;
  reset(): void;
}

/** A button whose work is done only after a second word, since it cannot be taken back. */
export function Confirm({ label, question, work, run, children, ...look }: {
  label: string;
  question: string;
  work: Work;
  /** Resolves once the work is done; what it throws is shown and the question stays. */
  run: () => Promise<unknown>;
  children?: ReactNode;
} & ButtonProps) {
  const words = useWords(WORDS);
  const [opened, dialog] = useDisclosure();
  const open = () => {
    work.reset();
    dialog.open();
  };
  return (
    <>
      <Button variant="default" {...look} onClick={open}>{label}</Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title={label}
        closeButtonProps={{ "aria-label": words.close }}
      >
        <Stack gap="md">
          <Text size="sm">{question}</Text>
          {children}
          <ProblemNote problem={work.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={dialog.close}>{words.cancel}</Button>
            <Button
              color="red.9"
              data-autofocus
              loading={work.isPending}
              onClick={() => void run().then(dialog.close, () => {})}
            >
              {label}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
