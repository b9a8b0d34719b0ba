import {
  ActionIcon,
  Alert,
  Button,
  Group,
  List,
  Paper,
  Select,
  Stack,
  Switch,
  Text,
} from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { api } from "../../api/client.ts";
import { startRun, upload } from "../../api/import_file.ts";
import { useMay, useMe } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import { useUnsaved } from "../../api/unsaved.ts";
import { readRemembered, remember } from "../../api/remembered.ts";
import type { components } from "../../api/schema.d.ts";
import { Confirm } from "../../components/confirm.tsx";
import { DropZone } from "../../components/drop_zone.tsx";
import { readHandedFiles, takeHandedFiles } from "../../components/handed_files.ts";
import { Icon } from "../../components/icon.tsx";
import { ProblemNote } from "../../components/notes.tsx";
import { useOneByOne } from "../../components/one_by_one.ts";
import { toast } from "../../components/toasts.tsx";
import { isXml } from "../../components/xml_file.ts";
import { formatNamed, useFormats, useWords } from "../../i18n/language.ts";
import { type Preview, PreviewDialog } from "./preview.tsx";
import { PROCESS } from "./words.ts";

type Mode = NonNullable<components["schemas"]["RunRequest"]["mode"]>;
const MODES = ["BURST", "SINGLE", "BOTH", "UBL", "UBL_VALIDATE"] as const satisfies Mode[];
const TOUCHES = ["/api/runs", "/api/invoices"];

/** Form that uploads ERP files and starts a run for each. */
export function Begin() {
  const words = useWords(PROCESS);
  const may = useMay();
  const templates = useRead("/api/process");
  const names = templates.data?.templates ?? [];
  const [template, choose] = useTemplate(names);
  if (templates.error) {
    return <ProblemNote problem={templates.error} retry={() => void templates.refetch()} />;
  }
  if (templates.data && names.length === 0) {
    return <Alert color="yellow" variant="light">{words.noTemplate}</Alert>;
  }
  return (
    <Paper withBorder p="md">
      <Stack gap="md">
        {names.length > 1 && (
          <Select
            label={words.template}
            data={names}
            placeholder={words.which}
            value={template ?? null}
            allowDeselect={false}
            searchable
            maw={320}
            onChange={(it) => it && choose(it)}
          />
        )}
        {may("files:write") && <Files template={template} />}
        {template !== undefined && <Folder template={template} />}
      </Stack>
    </Paper>
  );
}

/**
 * Returns the template for the files: the only one, or the reader's last choice. With several templates there
 * is no default, which would be taken for the right one.
 */
function useTemplate(
  names: readonly string[],
): [template: string | undefined, choose: (name: string) => void] {
  const { username } = useMe();
  const place = `passerelle-template ${username}`;
  const [chosen, setChosen] = useState(() => readRemembered("localStorage", place));
  const choose = (name: string) => {
    remember("localStorage", place, name);
    setChosen(name);
  };
  return [names.length === 1 ? names[0] : names.find((it) => it === chosen), choose];
}

function Files({ template }: { template: string | undefined }) {
  const words = useWords(PROCESS);
  const { number } = useFormats();
  const [, go] = useLocation();
  const [handed] = useState(readHandedFiles);
  const [files, setFiles] = useState<readonly File[]>(handed.files);
  const [refused, setRefused] = useState<ReadonlyMap<File, unknown>>(new Map());
  /** Notes on differences from the request, such as a changed file name. */
  const [notes, setNotes] = useState<readonly string[]>([]);
  const [options, setOptions] = useState<Options>({ mode: "BURST", replaceMode: false });
  const { run } = useOneByOne<File>();
  const [previews, setPreviews] = useState<readonly Preview[]>([]);
  /** Paths of files that a preview uploaded, so that no file is uploaded twice. */
  const uploads = useRef(new Map<File, string>());
  const listed = useRef(files);
  listed.current = files;
  useEffect(() => takeHandedFiles((more) => setFiles((before) => [...before, ...more])), []);
  const isReplacing = options.replaceMode && options.mode !== "UBL_VALIDATE";
  const look = useChange(async (chosen: Options) => {
    if (template === undefined) return;
    const begun: Preview[] = [];
    setRefused(new Map());
    const { failed, isAbandoned } = await run(files, async (file) => {
      const stored = uploads.current.get(file) ?? await upload(file, template, "preview");
      uploads.current.set(file, stored);
      const runId = await startRun({ template, file: stored, ...chosen }, true);
      begun.push({ file, stored, runId });
    });
    if (isAbandoned) return;
    setRefused(new Map(failed.map(({ record, problem }) => [record, problem])));
    setPreviews(begun);
  }, TOUCHES);
  useOnce(handed.isPreviewed && template !== undefined, () => look.mutate(options));
  const work = useChange(async (chosen: readonly File[]) => {
    if (template === undefined) return;
    setPreviews([]);
    const begun: string[] = [];
    const renamed: string[] = [];
    setRefused(new Map());
    setNotes([]);
    // Rejected files stay in the list with their error and do not stop the others. A file removed meanwhile
    // is not started.
    const { failed, left, isAbandoned } = await run(chosen, async (file) => {
      if (!listed.current.includes(file)) return;
      const stored = uploads.current.get(file) ?? await upload(file, template);
      const runId = await startRun({ template, file: stored, ...options });
      const name = stored.split(/[\\/]/).at(-1) ?? "";
      begun.push(runId);
      if (name !== file.name.normalize("NFC")) renamed.push(words.renamed(file.name, name));
      setFiles((rest) => rest.filter((it) => it !== file));
    });
    if (isAbandoned) {
      const others = failed.length + left.length;
      if (others) toast(words.abandoned(number(begun.length), number(others)), "failed");
      return;
    }
    setRefused(new Map(failed.map(({ record, problem }) => [record, problem])));
    if (failed.length === 0 && begun.length === 1) renamed.forEach((it) => toast(it));
    else setNotes(renamed);
    const [only] = begun;
    const isLast = listed.current.every((it) => chosen.includes(it));
    if (begun.length === 1 && failed.length === 0 && isLast) {
      settle();
      go(`/process/${only}`);
    }
  }, TOUCHES);
  // While files are imported, a message reports the others after the reader left.
  const settle = useUnsaved(files.length > 0 && !work.isPending);
  return (
    <Stack gap="md">
      <DropZone
        title={words.drop}
        hint={words.dropHint}
        choose={words.choose}
        chooseFolder={words.chooseFolder}
        accept=".xml,text/xml,application/xml"
        onFiles={(added) => {
          const others = added.filter((it) => !isXml(it));
          setNotes(others.length > 0 ? [leftOut(others, words, number)] : []);
          // Appends to the current list, since reading a folder takes a while.
          setFiles((before) => [...before, ...added.filter(isXml)]);
        }}
      />
      <Notes texts={notes} />
      {files.length > 0 && (
        <>
          <Text size="sm" fw={600} role="status">{words.chosen(number(files.length))}</Text>
          <FileList
            files={files}
            refused={refused}
            onRemove={(it) => setFiles((before) => before.filter((other) => other !== it))}
          />
          <RunOptions options={options} onChange={setOptions} />
          <Buttons
            hasTemplate={template !== undefined}
            isOnlyChecking={options.mode === "UBL_VALIDATE"}
            isReplacing={isReplacing}
            work={work.isPending ? "start" : look.isPending ? "preview" : undefined}
            onStart={() => isReplacing ? look.mutate(options) : work.mutate(files)}
            onPreview={() => look.mutate(options)}
          />
        </>
      )}
      <PreviewDialog
        previews={previews}
        waiting={files.filter((it) => !previews.some(({ file }) => file === it))}
        isReplacing={isReplacing}
        isBusy={look.isPending}
        onReplace={() => {
          const replacing = { ...options, replaceMode: true };
          setOptions(replacing);
          look.mutate(replacing);
        }}
        // A file that was added later is in no preview, and stays in the list.
        onBegin={() => work.mutate(previews.map((it) => it.file))}
        onBack={() => setPreviews([])}
      />
    </Stack>
  );
}

/** Differences from the request; empty without one. */
function Notes({ texts }: { texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <Alert color="yellow" variant="light" role="status" icon={<Icon name="warning" />}>
      {texts.map((it) => <Text key={it} size="sm" className="ps-wrap">{it}</Text>)}
    </Alert>
  );
}

/** Buttons that start the runs or preview their results. */
function Buttons({ hasTemplate, isOnlyChecking, isReplacing, work, onStart, onPreview }: {
  hasTemplate: boolean;
  /** The runs record nothing, which makes a preview needless. */
  isOnlyChecking: boolean;
  /** The runs replace recorded invoices, which both buttons preview first. */
  isReplacing: boolean;
  /** The button whose work is in progress. */
  work: "preview" | "start" | undefined;
  onStart: () => void;
  onPreview: () => void;
}) {
  const words = useWords(PROCESS);
  const isDisabled = !hasTemplate || work !== undefined;
  return (
    <Group>
      <Button
        loading={work === "start"}
        disabled={isDisabled}
        leftSection={<Icon name="play" />}
        onClick={onStart}
      >
        {isOnlyChecking ? words.check : words.begin}
      </Button>
      {!isOnlyChecking && (
        <Button
          variant="default"
          loading={work === "preview"}
          disabled={isDisabled}
          onClick={onPreview}
        >
          {words.previewOnly}
        </Button>
      )}
      {!hasTemplate
        ? <Text size="sm" c="dimmed" role="status">{words.chooseTemplate}</Text>
        : !isOnlyChecking && !isReplacing && <Text size="sm" c="dimmed">{words.buttons}</Text>}
    </Group>
  );
}

/** Does something once, as soon as the condition holds. */
function useOnce(isReady: boolean, run: () => void): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (!isReady || isDone.current) return;
    isDone.current = true;
    run();
  }, [isReady]);
}

interface Options {
  readonly mode: Mode;
  readonly replaceMode: boolean;
}

/** Choice of the work that a run does. */
function RunOptions({ options, onChange }: {
  options: Options;
  onChange: (options: Options) => void;
}) {
  const words = useWords(PROCESS);
  return (
    <Group align="flex-end">
      <Select
        label={words.mode}
        w={440}
        maw="100%"
        data={MODES.map((it) => ({ value: it, label: words.modes[it] }))}
        value={options.mode}
        allowDeselect={false}
        onChange={(it) =>
          onChange({ ...options, mode: MODES.find((known) => known === it) ?? options.mode })}
      />
      <Switch
        label={words.replace}
        checked={options.replaceMode}
        onChange={(it) => onChange({ ...options, replaceMode: it.currentTarget.checked })}
      />
    </Group>
  );
}

/** Files to process; a rejected one shows its error. */
function FileList({ files, refused, onRemove }: {
  files: readonly File[];
  refused: ReadonlyMap<File, unknown>;
  onRemove: (file: File) => void;
}) {
  const words = useWords(PROCESS);
  const { bytes } = useFormats();
  return (
    <List size="sm" listStyleType="none">
      {files.map((it, at) => (
        <List.Item key={`${it.name} ${at}`}>
          <Group gap="xs">
            <ActionIcon
              size={24}
              variant="subtle"
              aria-label={`${words.remove} ${it.name}`}
              onClick={() => onRemove(it)}
            >
              <Icon name="close" size={14} />
            </ActionIcon>
            <Text size="sm">{it.name}</Text>
            <Text size="xs" c="dimmed">{bytes(it.size)}</Text>
          </Group>
          <ProblemNote problem={refused.get(it)} />
        </List.Item>
      ))}
    </List>
  );
}

const NAMED = 5;

/** Reports how many files of a folder were skipped, and which. */
function leftOut(
  files: readonly File[],
  words: typeof PROCESS.en,
  number: (count: number) => string,
): string {
  const names = files.slice(0, NAMED).map((it) => it.name).join(", ");
  return words.leftOut(number(files.length), files.length > NAMED ? `${names}…` : names);
}

/** Button that imports, after a question, all files already in the template's input folder. */
function Folder({ template }: { template: string }) {
  const words = useWords(PROCESS);
  const { number } = useFormats();
  const work = useChange(
    async () => (await api.POST("/api/process", { body: { template } })).data,
    TOUCHES,
  );
  const run = async () => {
    const { runs = [], refused = [] } = await work.mutateAsync(undefined) ?? {};
    toast(words.folderDone(number(runs.length), number(refused.length)));
    for (const it of refused) toast(formatNamed(it.file, it.error), "failed");
  };
  return (
    <Group justify="flex-end">
      <Confirm
        label={words.folder}
        question={words.folderQuestion}
        work={work}
        run={run}
        size="compact-sm"
        variant="subtle"
      />
    </Group>
  );
}
