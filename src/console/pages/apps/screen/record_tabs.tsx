import { Tabs } from "@mantine/core";
import { type ReactNode, useRef, useState } from "react";
import { Icon } from "../../../components/icon.tsx";
import { useWords } from "../../../i18n/language.ts";
import { APPS } from "../words.ts";
import { fieldText, isWritable, mistakeIn, type Mode, type RecordDraft } from "./dialog_fields.tsx";
import type { useRecordDraft } from "./record_draft.ts";
import type { Screen, ScreenRow } from "./view.ts";

type Definition = NonNullable<Screen["dialog"]>;

export const getFields = ({ tabs }: Definition) => tabs.flatMap(({ fields }) => fields ?? []);

/** Holds the open tab of a record, and the mistakes in its fields. */
export function useRecordTabs({ dialog, mode, operation, base, typed }: {
  dialog: Definition;
  mode: Mode;
  operation: Definition["update"];
  base: ScreenRow;
  typed: ReturnType<typeof useRecordDraft>;
}) {
  const words = useWords(APPS);
  const form = useRef<HTMLFormElement>(null);
  const [open, setOpen] = useState(dialog.tabs[0]?.id ?? null);
  const [mistakes, setMistakes] = useState<Readonly<Record<string, string>>>({});
  const values: RecordDraft = {
    ...Object.fromEntries(Object.entries(base).map(([name, it]) => [name, fieldText(it)])),
    ...typed.draft,
  };
  return {
    form,
    open,
    setOpen,
    mistakes,
    values,
    /** Returns true without mistakes; otherwise opens the tab of the first one and focuses its field. */
    check(): boolean {
      const found = Object.fromEntries(
        getFields(dialog).filter((it) => isWritable(it, mode, operation)).flatMap((it) => {
          const mistake = mistakeIn(it, values[it.field] ?? "", operation, words);
          return mistake === undefined ? [] : [[it.field, mistake]];
        }),
      );
      setMistakes(found);
      const [wrong] = Object.keys(found);
      if (wrong === undefined) return true;
      const place = dialog.tabs.find((it) => it.fields?.some(({ field }) => field === wrong));
      if (place) setOpen(place.id);
      // The tab of the field must be drawn first.
      setTimeout(() => focusField(form.current, wrong));
      return false;
    },
    change(field: string, value: string) {
      typed.change(field, value);
      const { [field]: _, ...others } = mistakes;
      setMistakes(others);
    },
  };
}

/** Tabs of a record; those with mistakes are marked. */
export function RecordTabs({ tabs: { open, setOpen, mistakes }, dialog, children }: {
  tabs: ReturnType<typeof useRecordTabs>;
  dialog: Definition;
  children: (tab: Definition["tabs"][number]) => ReactNode;
}) {
  return (
    <Tabs value={open} onChange={setOpen} keepMounted={false}>
      {dialog.tabs.length > 1 && (
        <Tabs.List>
          {dialog.tabs.map(({ id, label, fields }) => (
            <Tabs.Tab
              key={id}
              value={id}
              {...fields?.some(({ field }) => mistakes[field]) && {
                leftSection: <Icon name="warning" size={14} />,
              }}
            >
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      )}
      {dialog.tabs.map((it) => <Tabs.Panel key={it.id} value={it.id}>{children(it)}</Tabs.Panel>)}
    </Tabs>
  );
}

function focusField(form: HTMLFormElement | null, field: string): void {
  const place = [...form?.querySelectorAll<HTMLElement>("[data-field]") ?? []]
    .find((it) => it.dataset["field"] === field);
  place?.querySelector<HTMLElement>("input, textarea")?.focus();
}
