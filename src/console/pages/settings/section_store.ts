import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchFile } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { Problem } from "../../api/problem.ts";
import type { components } from "../../api/schema.d.ts";
import { onLeft } from "../../api/session.ts";
import { markUnsaved } from "../../api/unsaved.ts";

export type Outcome = components["schemas"]["SettingsOutcome"];
export type Impact = components["schemas"]["SettingsImpact"];
export type Mistake = components["schemas"]["SettingsProblem"];

/** What is read again when a section was changed. */
export const TOUCHES = ["/admin/config", "/admin/i18n", "/api/i18n"];

/** Where the API keeps it, and the code that reads it. */
export function sectionOf(id: string) {
  const pack = /^i18n\.(.+)$/.exec(id)?.[1];
  return pack === undefined
    ? { base: `/admin/config/${encodeURIComponent(id)}`, name: id, code: `settings:${id}` }
    : {
      base: `/admin/i18n/${encodeURIComponent(pack)}`,
      name: id.replaceAll(".", "/"),
      code: "settings:dictionary",
    };
}

/** As text by whoever may read that; else as JSON, which is written into the text that is there. */
export type Form = "raw" | "parsed";

interface Stored {
  readonly text: string;
  readonly etag: string;
}

async function readStored(base: string, form: Form, signal: AbortSignal): Promise<Stored> {
  const response = await fetchFile(`${base}/${form}`, { signal });
  const etag = response.headers.get("etag") ?? "";
  const text = form === "raw"
    ? await response.text()
    : `${JSON.stringify(await response.json(), null, 2)}\n`;
  return { text, etag };
}

export interface Write {
  readonly text: string;
  /** What it was made of; undefined: whatever is stored. */
  readonly etag?: string | undefined;
  readonly isDry: boolean;
  readonly isForced?: boolean;
}

/** Throws `Problem`; with status 422 its `errors` name the places. */
export async function write(
  base: string,
  form: Form,
  { text, etag, isDry, isForced = false }: Write,
): Promise<Outcome> {
  const query = new URLSearchParams({
    ...isDry && { dry_run: "true" },
    ...isForced && { force: "true" },
  });
  const response = await fetchFile(`${base}/${form}?${query}`, {
    method: form === "raw" ? "POST" : "PUT",
    headers: {
      "content-type": form === "raw" ? "text/yaml" : "application/json",
      ...etag && { "if-match": etag },
    },
    body: text,
  });
  return await response.json();
}

/** The places an answer of 422 or 409 names. */
export function mistakesOf(problem: unknown): readonly Mistake[] {
  if (!(problem instanceof Problem)) return [];
  const { errors } = problem.details;
  return Array.isArray(errors) ? errors as Mistake[] : [];
}

interface Draft {
  readonly text: string;
  /** What it was begun from. */
  readonly base: Stored;
}

/** What was typed and not saved stays while other pages are looked at. */
const drafts = new Map<string, Draft>();
onLeft(() => {
  for (const it of drafts.keys()) markUnsaved(it, false);
  drafts.clear();
});

/** The text of a section as it is stored. */
export function useStored(id: string) {
  const { base } = sectionOf(id);
  const form: Form = useMay()("settings:raw") ? "raw" : "parsed";
  const stored = useQuery<Stored, Problem>({
    queryKey: [base, form],
    queryFn: ({ signal }) => readStored(base, form, signal),
  });
  return { form, stored };
}

/** The text of a section as it is stored, and as it is written here. */
export function useSectionText(id: string) {
  const { base } = sectionOf(id);
  const { form, stored } = useStored(id);
  const [draft, keep] = useState(() => drafts.get(base));
  const setDraft = (next: Draft | undefined) => {
    if (next) drafts.set(base, next);
    else drafts.delete(base);
    markUnsaved(base, next !== undefined);
    keep(next);
  };
  const now = stored.data;
  return {
    form,
    stored,
    text: draft?.text ?? now?.text ?? "",
    etag: (draft?.base ?? now)?.etag,
    /** What the text was begun from. */
    before: draft?.base.text ?? now?.text ?? "",
    now: now?.text ?? "",
    isDirty: draft !== undefined && draft.text !== now?.text,
    /** Somebody else saved since this was begun. */
    isStale: draft !== undefined && now !== undefined && draft.text !== now.text &&
      draft.base.etag !== now.etag,
    type: (text: string) => {
      if (now) setDraft(text === now.text ? undefined : { text, base: draft?.base ?? now });
    },
    drop: () => setDraft(undefined),
    /** What was typed goes on from what is stored now. */
    keepMine: () => now && draft && setDraft({ text: draft.text, base: now }),
  };
}
