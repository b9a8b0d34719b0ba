import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fetchFile } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { ApiProblem } from "../../api/problem.ts";
import type { components } from "../../api/schema.d.ts";
import { onLeft } from "../../api/session.ts";
import { markUnsaved } from "../../api/unsaved.ts";

export type SettingsOutcome = components["schemas"]["SettingsOutcome"];
export type Mistake = components["schemas"]["SettingsProblem"];

/** Paths to read again after a section changed. */
export const TOUCHES = ["/admin/config", "/admin/i18n", "/api/i18n"];

/** Returns the API path of a section and the permission to read it. */
export function buildSectionPath(id: string) {
  const pack = /^i18n\.(.+)$/.exec(id)?.[1];
  return pack === undefined
    ? { base: `/admin/config/${encodeURIComponent(id)}`, name: id, code: `settings:${id}` }
    : {
      base: `/admin/i18n/${encodeURIComponent(pack)}`,
      name: id.replaceAll(".", "/"),
      code: "settings:dictionary",
    };
}

/**
 * Format: raw text for readers with that permission, else JSON, which the API merges into the stored text.
 */
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
  /** Version that the text was based on; undefined overwrites any version. */
  readonly etag?: string | undefined;
  readonly isDry: boolean;
  readonly isForced?: boolean;
}

/** Saves a section or checks it. Throws `ApiProblem`; with status 422 its `errors` name the positions. */
export async function write(
  base: string,
  form: Form,
  { text, etag, isDry, isForced = false }: Write,
): Promise<SettingsOutcome> {
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

/** Returns the positions in an answer with status 422 or 409. */
export function readMistakes(problem: unknown): readonly Mistake[] {
  if (!(problem instanceof ApiProblem)) return [];
  const { errors } = problem.details;
  return Array.isArray(errors) ? errors as Mistake[] : [];
}

interface Draft {
  readonly text: string;
  /** Version that the draft is based on. */
  readonly base: Stored;
}

/** Drafts stay while other pages are open. */
const drafts = new Map<string, Draft>();
onLeft(() => {
  for (const it of drafts.keys()) markUnsaved(it, false);
  drafts.clear();
});

/** Reads the stored text of a section. */
export function useStored(id: string) {
  const { base } = buildSectionPath(id);
  const form: Form = useMay()("settings:raw") ? "raw" : "parsed";
  const stored = useQuery<Stored, ApiProblem>({
    queryKey: [base, form],
    queryFn: ({ signal }) => readStored(base, form, signal),
  });
  return { form, stored };
}

/** Reads the stored text of a section and holds the reader's draft. */
export function useSectionText(id: string) {
  const { base } = buildSectionPath(id);
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
    /** Text that the draft is based on. */
    before: draft?.base.text ?? now?.text ?? "",
    now: now?.text ?? "",
    isDirty: draft !== undefined && draft.text !== now?.text,
    /** True if somebody else saved since the draft began. */
    isStale: draft !== undefined && now !== undefined && draft.text !== now.text &&
      draft.base.etag !== now.etag,
    type: (text: string) => {
      if (now) setDraft(text === now.text ? undefined : { text, base: draft?.base ?? now });
    },
    drop: () => setDraft(undefined),
    /** Keeps the draft, now based on the stored version. */
    keepMine: () => now && draft && setDraft({ text: draft.text, base: now }),
  };
}
