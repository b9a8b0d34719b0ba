import { Button, type ButtonProps, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, useEffect, useRef } from "react";
import { Dialog } from "./dialog.tsx";
import { defineWords, useWords } from "../i18n/language.ts";
import { ProblemNote, problemText } from "./notes.tsx";
import { toast } from "./toasts.tsx";

const WORDS = defineWords({
  en: { cancel: "Cancel" },
  fr: { cancel: "Annuler" },
});

interface Work {
  readonly isPending: boolean;
  readonly error: unknown;
  reset(): void;
}

/**
 * Button that asks for confirmation before irreversible work. The work runs once, even if the dialog is
 * closed and reopened while it is running.
 */
export function Confirm({ label, question, back, work, run, isHeld = false, children, ...look }: {
  label: string;
  question: string;
  /** Label of the button that changes nothing, where “Cancel” could mean the work itself. */
  back?: string;
  work: Work;
  /** Resolves when the work is done. An error is shown and the dialog stays open. */
  run: () => Promise<unknown>;
  /** The work cannot be confirmed, for a reason that `children` shows. */
  isHeld?: boolean;
  children?: ReactNode;
} & ButtonProps) {
  const words = useWords(WORDS);
  const [opened, dialog] = useDisclosure();
  const said = useRef<"now" | "done" | undefined>(undefined);
  const isSeen = useRef(false);
  useEffect(() => {
    isSeen.current = opened;
    return () => void (isSeen.current = false);
  }, [opened]);
  const open = () => {
    if (said.current !== "now") {
      said.current = undefined;
      work.reset();
    }
    dialog.open();
  };
  const confirm = () => {
    if (said.current) return;
    said.current = "now";
    void run().then(() => {
      said.current = "done";
      dialog.close();
    }, (problem) => {
      said.current = undefined;
      if (!isSeen.current) toast(problemText(problem), "failed");
    });
  };
  return (
    <>
      <Button variant="default" {...look} onClick={open}>{label}</Button>
      <Dialog
        opened={opened}
        onClose={dialog.close}
        title={label}
      >
        <Stack gap="md">
          <Text size="sm">{question}</Text>
          {children}
          <ProblemNote problem={work.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={dialog.close}>{back ?? words.cancel}</Button>
            <Button
              color="red.9"
              {...!isHeld && { "data-autofocus": true }}
              disabled={isHeld}
              loading={work.isPending}
              onClick={confirm}
            >
              {label}
            </Button>
          </Group>
        </Stack>
      </Dialog>
    </>
  );
}
