import { Alert, Button, Group, Text } from "@mantine/core";
import { useRef, useState } from "react";
import { useUnsaved } from "../../../api/unsaved.ts";
import { Dialog } from "../../../components/dialog.tsx";
import { Icon } from "../../../components/icon.tsx";
import { useWords } from "../../../i18n/language.ts";
import { APPS } from "../words.ts";
import { RecordForm, type RecordProps } from "./record_form.tsx";

const SIZES = { sm: "sm", md: "lg", lg: "xl", full: "100%" } as const;

/** Record in its tabs; `record` undefined creates one. Closing asks before losing input. */
export function RecordDialog(props: RecordProps) {
  const { screen, record, onClose } = props;
  const words = useWords(APPS);
  const [isChanged, setChanged] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const settle = useUnsaved(isChanged, ["record"]);
  const written = useRef<Element>(null);
  const leave = () => {
    settle();
    onClose();
  };
  const close = () => {
    if (!isChanged) return leave();
    if (!isLeaving) written.current = document.activeElement;
    setLeaving(true);
  };
  const stay = () => {
    setLeaving(false);
    if (written.current instanceof HTMLElement) written.current.focus();
  };
  const name = record ? Object.values(record).join(" · ") : words.newRecord;
  return (
    <Dialog
      opened
      onClose={close}
      size={SIZES[screen.dialog.width]}
      title={<Text span fw={600} className="ps-wrap">{screen.label} – {name}</Text>}
      centered={false}
    >
      {isLeaving && (
        <Alert color="yellow" variant="light" role="alert" mb="sm" icon={<Icon name="warning" />}>
          <Group justify="space-between" gap="xs">
            <Text size="sm">{words.leaveSure}</Text>
            <Group gap="xs">
              <Button autoFocus size="compact-sm" variant="default" onClick={stay}>
                {words.cancel}
              </Button>
              <Button size="compact-sm" color="red.9" onClick={leave}>{words.close}</Button>
            </Group>
          </Group>
        </Alert>
      )}
      <RecordForm {...props} onClose={leave} onChanged={setChanged} />
    </Dialog>
  );
}
