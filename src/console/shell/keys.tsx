import { Kbd, Table, Text } from "@mantine/core";
import { useEffect, useSyncExternalStore } from "react";
import { Dialog } from "../components/dialog.tsx";
import { useWords } from "../i18n/language.ts";
import { getWantedPosition } from "./shown_place.ts";
import { SHELL } from "./words.ts";

/** Action for the keyboard and the palette. */
export interface KeyAction {
  /**
   * Keys such as `r`, `g i` (one after the other) or `mod+k`; without one the action is in the palette only.
   */
  readonly key?: string;
  readonly label: string;
  /** The frame offers it on every page. The palette shows the actions of a page before it. */
  readonly isEverywhere?: boolean;
  readonly run: () => void;
}

let actions: readonly KeyAction[] = [];
const listeners = new Set<() => void>();

function change(next: readonly KeyAction[]): void {
  actions = next;
  for (const it of listeners) it();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useActions(): readonly KeyAction[] {
  return useSyncExternalStore(subscribe, () => actions);
}

/** Offers actions while the calling component is shown. The array may be new on each render. */
export function useOffered(offered: readonly KeyAction[]): void {
  useEffect(() => {
    change([...actions, ...offered]);
    return () => change(actions.filter((it) => !offered.includes(it)));
  });
}

const SEQUENCE_MS = 1_500;

/** Listens for shortcuts on the whole page, except in text fields. */
export function listenForKeys(): () => void {
  let before = { key: "", at: 0 };
  const onKey = (event: KeyboardEvent) => {
    const mod = event.ctrlKey || event.metaKey;
    const key = event.key.toLowerCase();
    if (event.altKey || event.defaultPrevented || (!mod && isTyping(event.target))) return;
    const pressed = mod ? `mod+${key}` : key;
    const both = event.timeStamp - before.at < SEQUENCE_MS ? `${before.key} ${pressed}` : pressed;
    const found = actions.findLast((it) => it.key === both) ??
      actions.findLast((it) => it.key === pressed);
    before = { key: pressed, at: event.timeStamp };
    // Open nothing below the question whether to leave, where it would be hidden.
    if (!found || getWantedPosition() || (document.querySelector("[role=dialog]") && !mod)) return;
    event.preventDefault();
    found.run();
  };
  addEventListener("keydown", onKey);
  return () => removeEventListener("keydown", onKey);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

export function KeysHelp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const words = useWords(SHELL);
  const offered = useActions().filter((it) => it.key !== undefined);
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={words.keys}
    >
      <Table>
        <Table.Tbody>
          {offered.map(({ key = "", label }) => (
            <Table.Tr key={key + label}>
              <Table.Td w={130}>
                <Keys keys={key} then={words.then} />
              </Table.Td>
              <Table.Td>
                <Text size="sm">{label}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Dialog>
  );
}

function Keys({ keys, then }: { keys: string; then: string }) {
  return keys.split(" ").map((it, at) => (
    <span key={it}>
      {at > 0 && <Text span size="xs" c="dimmed">{` ${then} `}</Text>}
      <Kbd>{it.replace("mod+", "Ctrl ").toUpperCase()}</Kbd>
    </span>
  ));
}
