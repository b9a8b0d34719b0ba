import { Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import { Dialog } from "../../components/dialog.tsx";
import { Diff } from "../../components/diff.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { useWords } from "../../i18n/language.ts";
import { Impact } from "./impact.tsx";
import type { SettingsOutcome } from "./section_store.ts";
import { SECTION } from "./section_words.ts";
import { SETTINGS } from "./words.ts";

/** Preview of a change: the difference and its impact. */
export function Review({ outcome, work, save, close, action }: {
  outcome: SettingsOutcome;
  work: { readonly isPending: boolean; readonly error: unknown };
  save: (isForced: boolean) => void;
  close: () => void;
  /** Label of the button that applies it. */
  action?: string;
}) {
  const words = useWords(SECTION);
  const common = useWords(SETTINGS);
  const isNarrow = useMediaQuery("(max-width: 48em)");
  const [isForced, setForced] = useState(false);
  const breaks = outcome.impact.broken.length > 0;
  const refuses = (outcome.queries?.refused ?? []).length > 0;
  const isRisky = breaks || refuses;
  const isBarred = isRisky && !isForced || !outcome.diff;
  return (
    <Dialog
      opened
      onClose={close}
      size="xl"
      fullScreen={isNarrow}
      title={words.reviewTitle}
    >
      <Stack gap="md">
        {outcome.diff
          ? <Diff label={words.diff} text={outcome.diff} />
          : <Text size="sm">{words.noDiff}</Text>}
        <Impact of={outcome} />
        {outcome.warning && <Text size="sm" fw={600}>{outcome.warning}</Text>}
        {isRisky && (
          <Checkbox
            label={refuses ? words.forceRefused : words.force}
            checked={isForced}
            onChange={(it) => setForced(it.currentTarget.checked)}
          />
        )}
        <ProblemNote problem={work.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>{common.cancel}</Button>
          <Button
            {...isBarred ? { disabled: true } : { "data-autofocus": true }}
            loading={work.isPending}
            onClick={() => save(breaks && isForced)}
          >
            {action ?? common.save}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
