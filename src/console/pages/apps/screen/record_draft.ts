import { useState } from "react";
import { type Draft, fieldText } from "./dialog_fields.tsx";
import type { Row } from "./view.ts";

/** What is typed into the fields of a record, held against what others store of it meanwhile. */
export function useRecordDraft(stored: Row, onChanged: (isChanged: boolean) => void) {
  const [draft, setDraft] = useState<Draft>({});
  /** What each of them held when the reader began to type there. */
  const [begun, setBegun] = useState<Draft>({});
  const now = (field: string) => fieldText(stored[field]);
  const theirs = Object.keys(draft)
    .filter((it) => now(it) !== begun[it] && now(it) !== draft[it]);
  const keep = (next: Draft) => {
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
    /** Fields that the reader and somebody else changed: nothing is saved before the reader chose. */
    theirs,
    before: Object.fromEntries(theirs.map((it) => [it, begun[it]])),
    after: Object.fromEntries(theirs.map((it) => [it, now(it)])),
    keepMine: () =>
      setBegun({ ...begun, ...Object.fromEntries(theirs.map((it) => [it, now(it)])) }),
    takeTheirs: () =>
      keep(Object.fromEntries(Object.entries(draft).filter(([it]) => !theirs.includes(it)))),
  };
}
