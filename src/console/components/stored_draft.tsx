import { Alert, Button, Group, List, Text } from "@mantine/core";
import { useState } from "react";
import { useUnsaved } from "../api/unsaved.ts";
import { defineWords, formatNamed, useWords } from "../i18n/language.ts";
import { Icon } from "./icon.tsx";

const WORDS = defineWords({
  en: {
    stale: "Another user changed this in the meantime",
    staleHint: "Your input is kept. What they changed:",
    keepMine: "Continue with mine, on top of theirs",
    takeTheirs: "Use theirs, discard mine",
    nothing: "nothing",
  },
  fr: {
    stale: "Un autre utilisateur a modifié cela entre-temps",
    staleHint: "Votre saisie est conservée. Ce qui a été modifié :",
    keepMine: "Continuer avec ma saisie, par-dessus",
    takeTheirs: "Prendre l'autre version, abandonner ma saisie",
    nothing: "rien",
  },
});

/** Editable fields of a record, and the tag of its version. */
export interface Stored<T> {
  readonly value: T;
  readonly etag: string;
}

type Fields = object;
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/**
 * Merges the reader's changes into the stored values; unchanged fields take the stored value. The stored order
 * comes first, so that a saved draft equals its record.
 */
export function mergedFields<T extends Fields>(before: T, mine: T, theirs: T): T {
  const keys = [...new Set([...Object.keys(theirs), ...Object.keys(mine)])] as (keyof T)[];
  const taken = keys.map((it) => [it, same(mine[it], before[it]) ? theirs[it] : mine[it]] as const);
  return Object.fromEntries(taken.filter(([, value]) => value !== undefined)) as T;
}

/**
 * Holds the draft of a stored record. If somebody else saves, changed fields stay and the others update;
 * their changes are never overwritten unseen.
 */
export function useStoredDraft<T extends Fields>(
  stored: Stored<T>,
  { merged = mergedFields, params = [], isKept }: {
    readonly merged?: (before: T, mine: T, theirs: T) => T;
    /** Query parameters that select the record, for `useUnsaved`. */
    readonly params?: readonly string[];
    /** Tells whether a draft is stored elsewhere, so that leaving the page loses nothing. */
    readonly isKept?: (draft: T) => boolean;
  } = {},
) {
  const [base, setBase] = useState(stored);
  const [seen, setSeen] = useState(stored);
  const [draft, setDraft] = useState(stored.value);
  const isDirty = !same(draft, base.value);
  const settle = useUnsaved(isDirty && !isKept?.(draft), params);
  const isOwn = stored.etag === base.etag; // own save, read again
  // A live event can bring the own save before its answer, so it was seen then with values as they are shown.
  const isNew = !same(stored, seen) || isOwn && !same(stored.value, base.value);
  const follow = (next: T) => {
    setBase(stored);
    setSeen(stored);
    setDraft(next);
  };
  const takeTheirs = () => follow(stored.value);
  const keepMine = () => follow(merged(base.value, draft, stored.value));
  const isStale = isNew && isDirty && !isOwn && !same(base.value, stored.value);
  if (isNew && !isStale) keepMine();
  return {
    draft,
    set: (part: Partial<T>) => setDraft({ ...draft, ...part }),
    before: base.value,
    /** Tag of the version that the draft started from. */
    etag: base.etag,
    isDirty,
    /** Somebody else saved other values: saving waits for the reader's choice. */
    isStale,
    keepMine,
    takeTheirs,
    /** Marks the draft as saved as `value`, which is now this version. */
    saved: (value: T, etag: string) => {
      settle();
      setBase({ value, etag });
    },
    /** Discards the draft, so that the page can be left without a question. */
    drop: settle,
  };
}

/** Note on another person's changes, with the two choices. */
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

/** Returns a line for each changed field: its name, old value and new value. */
export function useChanges(): (
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  nameOf?: (key: string) => string,
) => readonly string[] {
  const { nothing } = useWords(WORDS);
  const describe = (value: unknown) =>
    (Array.isArray(value) ? value.join(", ") : typeof value === "string" ? value : "") || nothing;
  return (before, after, nameOf = (it) => it) =>
    [...new Set([...Object.keys(before), ...Object.keys(after)])]
      .filter((it) => !same(before[it], after[it]))
      .map((it) => formatNamed(nameOf(it), `${describe(before[it])} → ${describe(after[it])}`));
}
