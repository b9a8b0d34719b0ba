import { Alert, Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { Icon } from "../../../components/icon.tsx";
import { ProblemNote } from "../../../components/notes.tsx";
import { useFormats, useWords } from "../../../i18n/language.ts";
import { APPS } from "../words.ts";
import type { RecordLock } from "./lock.ts";

/** Note on the other holder of the lock, with the possible actions. */
export function LockNote({ lock, mayTakeOver }: { lock: RecordLock; mayTakeOver: boolean }) {
  const words = useWords(APPS);
  const { moment } = useFormats();
  const { state, holder, until, isRefused, take } = lock;
  if (state === "failed") {
    return (
      <>
        <Text size="sm" fw={600}>{words.lockFailed}</Text>
        <ProblemNote problem={lock.problem} retry={() => take()} />
      </>
    );
  }
  if (state !== "taken" && state !== "lost") return null;
  const who = holder?.display_name ?? "";
  const sentence = state === "taken"
    ? words.lockedUntil(who, moment(until))
    : who && isRefused
    ? words.stillHeld(who, moment(until))
    : who
    ? words.lostTo(who)
    : words.lostHint;
  return (
    <Alert
      color="yellow"
      variant="light"
      role="alert"
      icon={<Icon name="lock" />}
      title={state === "taken" ? words.lockedTitle : words.lost}
    >
      <Text size="sm" className="ps-wrap">{sentence}</Text>
      <Group gap="xs" mt="xs">
        {state === "lost" && (
          <Button size="compact-sm" variant="default" onClick={() => take()}>
            {words.takeAgain}
          </Button>
        )}
        {mayTakeOver && who && <TakeOver who={who} take={() => take(true)} />}
      </Group>
    </Alert>
  );
}

/** Button with a confirmation, since the holder loses their input. */
function TakeOver({ who, take }: { who: string; take: () => void }) {
  const words = useWords(APPS);
  const [isAsked, setAsked] = useState(false);
  if (!isAsked) {
    return (
      <Button size="compact-sm" variant="default" onClick={() => setAsked(true)}>
        {words.takeOver}
      </Button>
    );
  }
  return (
    <>
      <Text size="sm">{words.takeOverSure(who)}</Text>
      <Button size="compact-sm" color="red.9" onClick={take}>{words.takeOver}</Button>
      <Button size="compact-sm" variant="default" onClick={() => setAsked(false)}>
        {words.cancel}
      </Button>
    </>
  );
}
