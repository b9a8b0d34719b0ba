import { Alert, Button, Group, Paper, Stack, Text, Textarea } from "@mantine/core";
import { useCallback, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import { fetchFile } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { ApiProblem } from "../../api/problem.ts";
import { useAsk } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { usePageDrop } from "../../components/drop_zone.tsx";
import { lineInGiven } from "../../components/finding_place.ts";
import { FindingList, type FindingView } from "../../components/findings.tsx";
import { handFiles } from "../../components/handed_files.ts";
import { Icon } from "../../components/icon.tsx";
import { Empty, Page, ProblemNote } from "../../components/notes.tsx";
import { shownXml } from "../../components/layout_xml.ts";
import { usePagePaste } from "../../components/page_paste.ts";
import { Source } from "../../components/source.tsx";
import { toast } from "../../components/toasts.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { VALIDATE } from "./words.ts";

type Verdict = components["schemas"]["DocumentVerdict"];

interface Judged {
  readonly name: string;
  readonly verdict: Verdict;
}

const UNKNOWN_ROOT = "XSD-UNKNOWN-ROOT";
const PROCESS_NEEDS = ["invoices:run", "files:write"];
const MAX_BYTES = 16 * 1024 * 1024;

export default function Validate() {
  const words = useWords(VALIDATE);
  const [text, setText] = useState("");
  const judge = useAsk(async ({ name, content }: { name: string; content: Blob }) => {
    if (content.size > MAX_BYTES) throw new ApiProblem(words.tooLarge, { status: 413 });
    const answer = await fetchFile("/api/validate/document", {
      method: "POST",
      headers: { "content-type": "application/octet-stream" },
      body: await content.arrayBuffer(),
    });
    return { name, verdict: await answer.json() } as Judged;
  });
  const take = (file: File | undefined) => file && judge.mutate({ name: file.name, content: file });
  const judged = judge.data;
  const report = findReport(judge);
  const [dropped, setDropped] = useState(0);
  const takeAll = (files: readonly File[]) => {
    setDropped(files.length);
    take(files[0]);
  };
  const takeText = (pasted: string) => {
    setDropped(1);
    // Pasted text is sent as UTF-8, so its declared encoding is removed.
    const content = new Blob([pasted.trim().replace(/^<\?xml[^>]*\?>/, "")]);
    judge.mutate({ name: words.pasted, content });
  };
  const isOver = usePageDrop(takeAll);
  usePagePaste({
    onFiles: takeAll,
    onText: (pasted) =>
      pasted.trim().startsWith("<") ? takeText(pasted) : toast(words.pastedOther, "failed"),
  });
  return (
    <Page
      title={words.title}
      hint={judged ? words.hintAgain : words.hint}
      actions={judged && (
        <Button variant="default" onClick={() => judge.reset()}>{words.another}</Button>
      )}
    >
      {judge.error && <Text size="sm" fw={600} className="ps-wrap">{judge.variables?.name}</Text>}
      <ProblemNote problem={judge.error} />
      {report && <ToProcess file={report} />}
      {dropped > 1 && judged && <Text size="sm" role="status">{words.onlyOne}</Text>}
      {isOver && judged && (
        <Paper className="ps-drop" data-over>
          <Text ta="center">{words.drop}</Text>
        </Paper>
      )}
      {judged ? <Result key={judge.submittedAt} {...judged} /> : (
        <Stack gap="md" maw={860}>
          <DropZone
            isBusy={judge.isPending}
            isOver={isOver}
            onFile={(file) => {
              setDropped(1);
              take(file);
            }}
          />
          <Textarea
            label={words.paste}
            aria-label={words.pasteLabel}
            autosize
            minRows={6}
            maxRows={16}
            spellCheck={false}
            classNames={{ input: "ps-code-input" }}
            value={text}
            onChange={(it) => setText(it.currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button
              disabled={!text.trim()}
              loading={judge.isPending}
              onClick={() => takeText(text)}
            >
              {words.judge}
            </Button>
          </Group>
        </Stack>
      )}
    </Page>
  );
}

/**
 * Returns the file if it is no invoice but may be an ERP report: it has another root element, or is larger
 * than an invoice may be.
 */
function findReport({ data, error, variables }: {
  data: Judged | undefined;
  error: ApiProblem | null;
  variables: { readonly content: Blob } | undefined;
}): File | undefined {
  const { content } = variables ?? {};
  // Another UBL document, such as an order, is no report of an ERP.
  const isOther = data?.verdict.findings.some(isOfOtherKind) &&
    !data.verdict.xml?.includes("urn:oasis:names:specification:ubl:schema:xsd:");
  return content instanceof File && (isOther || error?.status === 413) ? content : undefined;
}

/** Button that opens the file on the page that processes reports. */
function ToProcess({ file }: { file: File }) {
  const words = useWords(VALIDATE);
  const may = useMay();
  const [, go] = useLocation();
  if (!PROCESS_NEEDS.every((it) => may(it))) return null;
  return (
    <Alert color="blue" variant="light" icon={<Icon name="process" />} title={words.isReport}>
      <Text size="sm">{words.isReportText}</Text>
      <Button
        mt="xs"
        size="xs"
        variant="default"
        onClick={() => {
          handFiles([file], { isPreviewed: true });
          go("/process");
        }}
      >
        {words.processIt}
      </Button>
    </Alert>
  );
}

function DropZone({ isBusy, isOver, onFile }: {
  isBusy: boolean;
  isOver: boolean;
  onFile: (file: File | undefined) => void;
}) {
  const words = useWords(VALIDATE);
  const field = useRef<HTMLInputElement>(null);
  return (
    <Paper className="ps-drop" data-over={isOver}>
      <Stack align="center" gap="xs">
        <Icon name="upload" size={32} />
        <Text fw={600} ta="center" aria-live="polite">{isBusy ? words.judging : words.drop}</Text>
        <Button variant="default" loading={isBusy} onClick={() => field.current?.click()}>
          {words.choose}
        </Button>
        <input
          ref={field}
          type="file"
          hidden
          aria-label={words.choose}
          accept=".xml,.pdf,application/xml,text/xml,application/pdf"
          onChange={(it) => {
            onFile(it.currentTarget.files?.[0]);
            it.currentTarget.value = "";
          }}
        />
      </Stack>
    </Paper>
  );
}

function Result({ name, verdict }: Judged) {
  const words = useWords(VALIDATE);
  const { amount } = useFormats();
  const { valid, findings, xml, invoice } = verdict;
  const [place, setPlace] = useState<{ line: number }>();
  const [chosen, setChosen] = useState<FindingView>();
  const shown = useMemo(() => xml === null ? undefined : shownXml(xml), [xml]);
  const lineOf = useCallback(
    (finding: FindingView) => shown ? lineInGiven(finding, shown) : finding.line,
    [shown],
  );
  const marks = useMemo(
    () => findings.map((it) => ({ line: lineOf(it), level: it.level })).filter((it) => it.line > 0),
    [findings, lineOf],
  );
  const choose = (finding: FindingView) => {
    setChosen(finding);
    if (finding.line > 0) setPlace({ line: lineOf(finding) });
  };
  const kind = toKind(verdict);
  const list = (
    <FindingList
      findings={findings}
      chosen={chosen}
      onChoose={choose}
      lineOf={lineOf}
    />
  );
  return (
    <Stack gap="md">
      <Alert
        color={valid ? "green" : "red"}
        role="status"
        title={`${words[kind]} — ${name}`}
        icon={<Icon name={valid ? "check" : "error"} />}
      >
        {invoice && <Text size="sm" fw={600}>{nameInvoice(invoice, amount)}</Text>}
        <Text size="sm">{words[`${kind}Text`]}</Text>
      </Alert>
      <div className="ps-checks">
        <div>
          {findings.length === 0 && <Empty icon="check" title={words.none} hint={words.noneHint} />}
          {kind !== "notInvoice" && kind !== "otherType" ? list : (
            <details>
              <Text component="summary" size="sm">{words.technical}</Text>
              {list}
            </details>
          )}
          <Extent verdict={verdict} />
        </div>
        {kind !== "otherType" && (
          <div className="ps-document">
            {shown === undefined
              ? <Text size="sm" c="dimmed">{words.tooLong}</Text>
              : <Source text={shown.text} label={words.document} marks={marks} place={place} />}
          </div>
        )}
      </div>
    </Stack>
  );
}

/** Returns the result in one word: a file of another kind is neither a valid invoice nor one to correct. */
function toKind(
  { valid, findings, rules, xsd, xml }: Verdict,
): "valid" | "invalid" | "notInvoice" | "otherType" | "unreadable" {
  if (valid) return "valid";
  if (findings.some(isOfOtherKind)) return "notInvoice";
  if (rules.of > 0 || xsd.valid) return "invalid";
  return xml === null || xml.trimStart().startsWith("<") ? "unreadable" : "otherType";
}

/** True for the finding of a file that is no invoice by its first element. */
const isOfOtherKind = ({ rule }: FindingView) => rule === UNKNOWN_ROOT;

/** Returns the number, the customer and the total of the checked invoice, as far as it states them. */
function nameInvoice(
  { number, customer, total, currency }: NonNullable<Verdict["invoice"]>,
  amount: (value: number, currency?: string) => string,
): string {
  const sum = total === null ? null : amount(Number(total), currency ?? undefined);
  return [number, customer, sum].filter(Boolean).join(" · ");
}

/** Extent of the check: structure, number of rules and their sets. */
function Extent({ verdict: { rules, sets, xsd } }: { verdict: Verdict }) {
  const words = useWords(VALIDATE);
  const { number } = useFormats();
  const structure = xsd.valid ? words.structureOk : words.structure(xsd.errors, number(xsd.errors));
  return (
    <Stack gap={2} mt="md">
      <Text size="xs" c="dimmed">
        {rules.of === 0 && !xsd.valid
          ? words.unread
          : [structure, words.rules(number(rules.ran), number(rules.of))].join(" · ")}
      </Text>
      <Text size="xs" c="dimmed">
        {sets.map((it) => `${it.title} ${it.version}`).join(" · ")}
      </Text>
    </Stack>
  );
}
