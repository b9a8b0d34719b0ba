import { Button, Group, Stack, Text } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { Dialog } from "../components/dialog.tsx";
import { useWords } from "../i18n/language.ts";
import { onWantedPlace, stay, wantedPlace } from "./shown_place.ts";
import { SHELL } from "./words.ts";

/** The dialogs that it may be asked about, and their lists. */
const ABOVE = 350;

/** Asks before something that is typed is lost by going on. */
export function Leaving() {
  const words = useWords(SHELL);
  const leave = useSyncExternalStore(onWantedPlace, wantedPlace);
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
