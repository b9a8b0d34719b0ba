import { useState } from "react";
import { fieldText, type RecordDraft } from "./dialog_fields.tsx";
import type { ScreenRow } from "./view.ts";

/** Holds the input for a record and compares it with changes that others store meanwhile. */
export function useRecordDraft(stored: ScreenRow, onChanged: (isChanged: boolean) => void) {
  const [draft, setDraft] = useState<RecordDraft>({});
  /** Stored values at the moment when the reader began to edit each field. */
  const [begun, setBegun] = useState<RecordDraft>({});
  const now = (field: string) => fieldText(stored[field]);
  const theirs = Object.keys(draft)
    .filter((it) => now(it) !== begun[it] && now(it) !== draft[it]);
  const keep = (next: RecordDraft) => {
    setDraft(next);
    onChanged(Object.keys(next).length > 0);
  };
  return {
    draft,
    change(field: string, value: string) {
      const { [field]: _, ...others } = draft;
      if (!Object.hasOwn(draft, field)) setBegun({ ...begun, [field]: now(field) });
      keep(value === now(field) ? others : { ...others, [field]: value });
    },
    /** Fields changed by the reader and by somebody else: saving waits for the reader's choice. */
    theirs,
    before: Object.fromEntries(theirs.map((it) => [it, begun[it]])),
    after: Object.fromEntries(theirs.map((it) => [it, now(it)])),
    keepMine: () =>
      setBegun({ ...begun, ...Object.fromEntries(theirs.map((it) => [it, now(it)])) }),
    takeTheirs: () =>
      keep(Object.fromEntries(Object.entries(draft).filter(([it]) => !theirs.includes(it)))),
  };
}
