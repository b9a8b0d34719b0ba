import { Button, Group, Stack, Text } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { Dialog } from "../components/dialog.tsx";
import { useWords } from "../i18n/language.ts";
import { getWantedPosition, onWantedPosition, stay } from "./shown_place.ts";
import { SHELL } from "./words.ts";

/** Stacking level above dialogs and their lists. */
const ABOVE = 350;

/** Dialog that asks before navigation loses input. */
export function Leaving() {
  const words = useWords(SHELL);
  const leave = useSyncExternalStore(onWantedPosition, getWantedPosition);
  return (
    <Dialog
      opened={leave !== undefined}
      onClose={stay}
      title={words.leaveTitle}
      zIndex={ABOVE}
    >
      <Stack gap="md">
        <Text size="sm">{words.leaveHint}</Text>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" data-autofocus onClick={stay}>{words.stay}</Button>
          <Button
            color="red.9"
            onClick={() => {
              stay();
              leave?.();
            }}
          >
            {words.leave}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
