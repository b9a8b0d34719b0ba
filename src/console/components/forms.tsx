import { Button, Group, Stack } from "@mantine/core";
import { type FormEvent, type ReactNode, useRef } from "react";
import { useUnsaved } from "../api/unsaved.ts";
import { Dialog } from "./dialog.tsx";
import { defineWords, useWords } from "../i18n/language.ts";
import { ProblemNote, problemText } from "./notes.tsx";
import { toast } from "./toasts.tsx";

const WORDS = defineWords({
  en: { save: "Save" },
  fr: { save: "Enregistrer" },
});

interface Work<Made> {
  readonly isPending: boolean;
  readonly error: unknown;
  mutateAsync(given: undefined): Promise<Made>;
}

interface FormProps<Made> {
  readonly work: Work<Made>;
  readonly children: ReactNode;
}

/**
 * Dialog that creates a record and closes on success. An error is shown inside and the input stays; reopening
 * clears the error. `onDone` receives the created record as the API returned it.
 */
export function NewDialog<Made>(
  { opened, onClose, title, action = title, isTyped, work, onDone, children }: FormProps<Made> & {
    readonly work: Work<Made> & { reset(): void };
    readonly opened: boolean;
    readonly onClose: () => void;
    readonly title: string;
    /** Label of the button that creates the record; else the title. */
    readonly action?: string;
    /** True if closing the page would lose input. */
    readonly isTyped: boolean;
    readonly onDone: (made: Made) => void;
  },
) {
  const isSeen = useRef(opened);
  isSeen.current = opened;
  const settle = useUnsaved(opened && isTyped);
  const submit = submitting(work, (made) => {
    settle();
    onClose();
    onDone(made);
  }, (problem) => {
    if (!isSeen.current) toast(problemText(problem), "failed");
  });
  const close = () => {
    if (work.error) work.reset();
    onClose();
  };
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={title}
    >
      <form onSubmit={submit}>
        <Stack gap="sm">
          <fieldset disabled={work.isPending}>{children}</fieldset>
          <ProblemNote problem={work.error} />
          <Group justify="flex-end">
            <Button type="submit" loading={work.isPending}>{action}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/**
 * Form of an existing record; `more` is shown next to the save button. Both are hidden from readers without
 * permission. `stale` replaces the error, and saving waits for the reader's choice.
 */
export function SaveForm(
  { work, isFixed, stale, more, width = 640, children }: FormProps<unknown> & {
    /** Greatest width in pixels. */
    readonly width?: number;
    readonly isFixed: boolean;
    readonly stale?: ReactNode;
    readonly more?: ReactNode;
  },
) {
  const words = useWords(WORDS);
  return (
    <form onSubmit={submitting(work)} {...isFixed && { className: "ps-fixed" }}>
      <Stack gap="sm" maw={width}>
        <fieldset disabled={work.isPending}>{children}</fieldset>
        {stale || <ProblemNote problem={work.error} />}
        {!isFixed && (
          <Group>
            <Button type="submit" loading={work.isPending} disabled={Boolean(stale)}>
              {words.save}
            </Button>
            {more}
          </Group>
        )}
      </Stack>
    </form>
  );
}

/** Submits the form; errors are in `work.error`. */
function submitting<Made>(
  work: Work<Made>,
  onDone?: (made: Made) => void,
  onFailed: (problem: unknown) => void = () => {},
) {
  return (event: FormEvent) => {
    event.preventDefault();
    void work.mutateAsync(undefined).then(onDone, onFailed);
  };
}
