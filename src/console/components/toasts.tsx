import { Box, CloseButton, Group, Text } from "@mantine/core";
import { useSyncExternalStore } from "react";
import { Icon } from "./icon.tsx";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: "done" | "failed";
}

let shown: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();
const SHOWN_MS = 6_000;

function show(next: readonly Toast[]): void {
  shown = next;
  for (const it of listeners) it();
}

const removeToast = (id: number) => show(shown.filter((it) => it.id !== id));

/**
 * Shows a message briefly; an error stays until it is dismissed. A repeated message is shown once.
 * `@mantine/notifications` adds 11 kB to the first load, and new messages wait until old errors are dismissed.
 */
export function toast(text: string, kind: Toast["kind"] = "done"): void {
  const id = ++last;
  const others = shown.filter((it) => it.text !== text || it.kind !== kind);
  show([...others.slice(-3), { id, text, kind }]);
  if (kind === "done") setTimeout(() => removeToast(id), SHOWN_MS);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function Toasts({ close }: { close: string }) {
  const toasts = useSyncExternalStore(subscribe, () => shown);
  return (
    <Box className="ps-toasts ps-no-print" role="status" aria-live="polite">
      {toasts.map(({ id, text, kind }) => (
        <Group key={id} className="ps-toast" wrap="nowrap" gap="sm" data-kind={kind}>
          <Icon name={kind === "done" ? "check" : "warning"} />
          <Text size="sm" flex={1} className="ps-wrap">{text}</Text>
          <CloseButton
            size="sm"
            aria-label={close}
            onClick={() =>
              removeToast(id)}
          />
        </Group>
      ))}
    </Box>
  );
}
