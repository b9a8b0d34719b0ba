import { Alert, Anchor, Button, Group, List, Stack, Text } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { fetchFile } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { ApiProblem } from "../../api/problem.ts";
import { readAgain, useAsk, useChange } from "../../api/queries.ts";
import { Icon } from "../../components/icon.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { Loaded } from "../../components/records.tsx";
import { useShowMore } from "../../components/show_more.tsx";
import { TextEditor } from "../../components/text_editor.tsx";
import { toast } from "../../components/toasts.tsx";
import { useWords } from "../../i18n/language.ts";
import { findEntry } from "./find_entry.ts";
import { Review } from "./review.tsx";
import {
  buildSectionPath,
  type Mistake,
  readMistakes,
  type SettingsOutcome,
  TOUCHES,
  useSectionText,
  write,
} from "./section_store.ts";
import { SECTION } from "./section_words.ts";
import { Stale } from "./stale.tsx";
import { SETTINGS } from "./words.ts";

const NONE: readonly Mistake[] = [];
/** Most mistakes shown: one unclosed bracket can cause many, and the text must stay in view. */
const SHOWN = 10;

/** Editor of a section with mistakes marked by line. It shows the effects of a change before saving. */
export function SectionText({ id }: { id: string }) {
  const words = useWords(SECTION);
  const may = useMay();
  const { base, name, code } = buildSectionPath(id);
  const it = useSectionText(id);
  const [place, setPlace] = useState<{ line: number; column: number }>();
  const [search] = useSearchParams();
  const named = search.get("find");
  const start = useMemo(() => findEntry(it.before, named), [it.before, named]);
  const { data: schema } = useQuery<Record<string, unknown>, ApiProblem>({
    queryKey: [`${base}/schema`],
    queryFn: async ({ signal }) => await (await fetchFile(`${base}/schema`, { signal })).json(),
    enabled: may(code),
    staleTime: Infinity,
  });
  const { dry, save, check, review, apply, reviewed, isReviewing, closeReview } = useSectionWork(
    base,
    it,
  );
  useHotkeys([["mod+S", () => void review()]], [], true);
  const known = readMistakes(dry.error);
  const isSame = dry.variables === it.text;
  const { refused, unchecked, found } = readFindings(isSame ? dry.data : undefined);
  const mistakes = known.length ? known : found;
  const isStale = it.isStale && !save.isPending;
  const failed = isStale || mistakes.length || !isSame ? undefined : dry.error;
  return (
    <Loaded of={it.stored}>
      {() => (
        <Stack gap="sm">
          {it.form === "parsed" && <Text size="sm" c="dimmed">{words.asJson}</Text>}
          {it.text === "" && (
            <Group gap="sm">
              <Text size="sm" c="dimmed">{words.empty}</Text>
              {id === "jobs" && (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => it.type(words.firstJob)}
                >
                  {words.start}
                </Button>
              )}
            </Group>
          )}
          {isStale && (
            <Stale
              base={base}
              before={it.before}
              now={it.now}
              keepMine={it.keepMine}
              takeTheirs={it.drop}
            />
          )}
          <Group gap="xs">
            <Button
              disabled={!it.isDirty || isStale}
              loading={isReviewing}
              leftSection={<Icon name="check" />}
              onClick={() => void review()}
            >
              {words.review}
            </Button>
            <Button
              variant="default"
              disabled={isStale}
              loading={dry.isPending && !isReviewing}
              leftSection={<Icon name="validate" />}
              onClick={() => void check()}
            >
              {words.check}
            </Button>
            {it.isDirty && !isStale && (
              <Button variant="default" onClick={it.drop}>{words.drop}</Button>
            )}
            <Text size="sm" c="dimmed" role="status">
              {isSame && dry.data && !found.length
                ? (unchecked.length ? words.unsure : words.sound)
                : it.isDirty
                ? words.dirty
                : words.unchanged}
            </Text>
          </Group>
          <ProblemNote problem={failed} />
          {mistakes.length > 0 && (
            <Mistakes
              title={known.length || refused.length
                ? words.mistakes(mistakes.length)
                : words.broken}
              of={mistakes}
              name={name}
              isText={it.form === "raw"}
              show={setPlace}
            />
          )}
          {unchecked.length > 0 && <Unchecked of={unchecked} />}
          <TextEditor
            label={words.editor(name)}
            language={it.form === "raw" ? "yaml" : "json"}
            value={it.text}
            onChange={it.type}
            schema={schema}
            problems={it.form === "raw" ? mistakes : NONE}
            place={place ?? start}
          />
          {reviewed && (
            <Review
              outcome={reviewed}
              work={save}
              close={closeReview}
              save={apply}
            />
          )}
        </Stack>
      )}
    </Loaded>
  );
}

/** Returns the findings in a valid text: queries that a database refuses, and references that break. */
function readFindings(of: SettingsOutcome | undefined) {
  if (!of) return { refused: NONE, unchecked: [], found: NONE };
  const all = of.queries ? [of.queries, of.queries.unchanged] : [];
  const refused = all.flatMap((it) => it.refused);
  const unchecked = all.flatMap((it) => it.unchecked);
  return { refused, unchecked, found: [...refused, ...of.impact.broken] };
}

function Unchecked({ of }: { of: readonly string[] }) {
  const words = useWords(SECTION);
  return (
    <Alert color="yellow" title={words.unchecked} icon={<Icon name="warning" />}>
      <List size="sm">
        {of.map((it) => <List.Item key={it} className="ps-wrap">{it}</List.Item>)}
      </List>
    </Alert>
  );
}

/** Returns the check of a section, its review before saving, and the saving. */
function useSectionWork(base: string, it: ReturnType<typeof useSectionText>) {
  const { jsonWrong } = useWords(SECTION);
  const { saved } = useWords(SETTINGS);
  const client = useQueryClient();
  const [reviewed, setReviewed] = useState<SettingsOutcome>();
  const [isReviewing, setReviewing] = useState(false);
  const dry = useAsk((text: string) => {
    if (it.form === "parsed" && !isObject(it.text)) {
      throw new ApiProblem(jsonWrong, { status: 422 });
    }
    return write(base, it.form, { text, etag: it.etag, isDry: true });
  });
  const save = useChange(async (isForced: boolean) => {
    const { text, etag } = it;
    const { warning } = await write(base, it.form, { text, etag, isDry: false, isForced });
    setReviewed(undefined);
    await it.stored.refetch();
    it.drop();
    dry.reset();
    toast(warning ?? saved);
  }, TOUCHES);
  const written = useRef(it.text);
  written.current = it.text;
  const staleAgain = (problem: unknown) => {
    if (problem instanceof ApiProblem && problem.status === 412) void readAgain(client, [base]);
    return undefined;
  };
  const check = () => dry.mutateAsync(written.current).catch(staleAgain);
  const review = async () => {
    save.reset();
    if (!it.isDirty) return;
    setReviewing(true);
    // Text typed during the check would be saved without having been reviewed.
    let text: string;
    let outcome: SettingsOutcome | undefined;
    do {
      text = written.current;
      outcome = await check();
    } while (outcome && text !== written.current);
    setReviewed(outcome);
    setReviewing(false);
  };
  return {
    dry,
    save,
    check,
    review,
    apply: (isForced: boolean) => void save.mutateAsync(isForced).catch(staleAgain),
    reviewed,
    isReviewing,
    closeReview: () => setReviewed(undefined),
  };
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

function Mistakes({ title, of, name, isText, show }: {
  title: string;
  of: readonly Mistake[];
  name: string;
  /** The lines of the mistakes refer to the text shown. */
  isText: boolean;
  show: (place: { line: number; column: number }) => void;
}) {
  const words = useWords(SECTION);
  const { count, more } = useShowMore(of.length, { first: SHOWN, next: SHOWN * 4, words });
  return (
    <Alert
      color="red"
      title={title}
      icon={<Icon name="warning" />}
      role="alert"
    >
      <List size="sm">
        {of.slice(0, count).map((it, at) => (
          <List.Item key={at} className="ps-wrap">
            {isText && it.section === name
              ? (
                <Anchor
                  component="button"
                  type="button"
                  size="sm"
                  ta="left"
                  onClick={() => show({ line: it.line, column: it.column })}
                >
                  {words.place(it.line, it.column)}
                </Anchor>
              )
              : <Text span size="sm" fw={600}>{`${it.section}: ${it.path}`}</Text>}
            {` ${it.message}`}
          </List.Item>
        ))}
      </List>
      {more}
    </Alert>
  );
}
