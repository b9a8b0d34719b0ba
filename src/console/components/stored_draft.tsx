import { Alert, Button, Group, List, Text } from "@mantine/core";
import { useState } from "react";
import { useUnsaved } from "../api/unsaved.ts";
import { defineWords, named, useWords } from "../i18n/language.ts";
import { Icon } from "./icon.tsx";

const WORDS = defineWords({
  en: {
    stale: "Somebody else changed this in the meantime",
    staleHint: "What you typed is kept. What they changed:",
    keepMine: "Go on with mine, on top of theirs",
    takeTheirs: "Take theirs, drop mine",
    nothing: "nothing",
  },
  fr: {
    stale: "Quelqu'un d'autre a modifié cela entre-temps",
    staleHint: "Votre saisie est conservée. Ce qui a été modifié :",
    keepMine: "Continuer avec ma saisie, par-dessus",
    takeTheirs: "Prendre l'autre version, abandonner ma saisie",
    nothing: "rien",
  },
});

/** What can be changed of something, and the tag of its version. */
export interface Stored<T> {
  readonly value: T;
  readonly etag: string;
}

type Fields = object;
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** What was changed here, on top of what is stored now: the other fields follow. */
export function mergedFields<T extends Fields>(before: T, mine: T, theirs: T): T {
  const keys = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])] as (keyof T)[];
  const taken = keys.map((it) => [it, same(mine[it], before[it]) ? theirs[it] : mine[it]] as const);
  return Object.fromEntries(taken.filter(([, value]) => value !== undefined)) as T;
}

/**
 * The fields of something that is stored. What is typed stays when somebody else saves, who is never written over
 * unseen; what was not touched follows.
 */
export function useStoredDraft<T extends Fields>(
  stored: Stored<T>,
  { merged = mergedFields, params = [] }: {
    readonly merged?: (before: T, mine: T, theirs: T) => T;
    /** Of the address that it is shown by, as `useUnsaved` takes them. */
    readonly params?: readonly string[];
  } = {},
) {
  const [base, setBase] = useState(stored);
  const [seen, setSeen] = useState(stored);
  const [draft, setDraft] = useState(stored.value);
  const isDirty = !same(draft, base.value);
  const settle = useUnsaved(isDirty, params);
  const isNew = !same(stored, seen);
  const follow = (next: T) => {
    setBase(stored);
    setSeen(stored);
    setDraft(next);
  };
  const takeTheirs = () => follow(stored.value);
  const keepMine = () => follow(merged(base.value, draft, stored.value));
  const isOwn = stored.etag === base.etag; // what was saved from here, read again
  const isStale = isNew && isDirty && !isOwn && !same(base.value, stored.value);
  if (isNew && !isStale) keepMine();
  return {
    draft,
    set: (part: Partial<T>) => setDraft({ ...draft, ...part }),
    before: base.value,
    /** Of the version that it was begun from. */
    etag: base.etag,
    isDirty,
    /** Somebody else saved other values: nothing is saved before the reader chose. */
    isStale,
    keepMine,
    takeTheirs,
    /** It was stored as `value`, which is this version now. */
    saved: (value: T, etag: string) => {
      settle();
      setBase({ value, etag });
    },
    /** What is typed is not wanted any more: its page is left without asking. */
    drop: settle,
  };
}

/** Says what somebody else changed, and the two ways on. */
export function StaleNote({ changes, keepMine, takeTheirs }: {
  changes: readonly string[];
  keepMine: () => void;
  takeTheirs: () => void;
}) {
  const words = useWords(WORDS);
  return (
    <Alert color="yellow" title={words.stale} icon={<Icon name="warning" />} role="alert">
      <Text size="sm">{words.staleHint}</Text>
      <List size="sm">
        {changes.map((it) => <List.Item key={it} className="ps-wrap">{it}</List.Item>)}
      </List>
      <Group gap="xs" mt="xs">
        <Button size="compact-sm" variant="default" onClick={keepMine}>{words.keepMine}</Button>
        <Button size="compact-sm" variant="default" onClick={takeTheirs}>{words.takeTheirs}</Button>
      </Group>
    </Alert>
  );
}

/** What became other, a line each: its name, what it was and what it is. */
export function useChanges(): (
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  nameOf?: (key: string) => string,
) => readonly string[] {
  const { nothing } = useWords(WORDS);
  const said = (value: unknown) =>
    (Array.isArray(value) ? value.join(", ") : typeof value === "string" ? value : "") || nothing;
  return (before, after, nameOf = (it) => it) =>
    [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((it) => !same(before[it], after[it]))
      .map((it) => named(nameOf(it), `${said(before[it])} → ${said(after[it])}`));
}
