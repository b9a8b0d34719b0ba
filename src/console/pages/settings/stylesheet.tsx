import { Alert, Anchor, Box, Button, FileButton, Group, Stack, Text } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useMemo } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead, useTagged } from "../../api/queries.ts";
import { Confirm } from "../../components/confirm.tsx";
import type { TextProblem } from "../../components/editor/text_editor.tsx";
import { Icon } from "../../components/icon.tsx";
import { Page, ProblemNote, problemText } from "../../components/notes.tsx";
import { Loaded } from "../../components/records.tsx";
import type { Stored } from "../../components/stored_draft.tsx";
import { TextEditor } from "../../components/text_editor.tsx";
import { toast } from "../../components/toasts.tsx";
import { decodeXmlFile } from "../../components/xml_file.ts";
import { useFormats, useWords } from "../../i18n/language.ts";
import { Stale } from "./stale.tsx";
import { DraftButtons, ElsewhereLink, FaultNote, SaveAnyway } from "./stylesheet_fault.tsx";
import { StylesheetRevisions } from "./stylesheet_revisions.tsx";
import { nameUsers, useOwnStylesheets } from "./stylesheet_users.ts";
import { StylesheetTrial } from "./stylesheet_trial.tsx";
import {
  findErrorLine,
  readXmlErrors,
  useStylesheetDraft,
  useStylesheetText,
} from "./stylesheet_work.ts";
import { STYLESHEET } from "./stylesheet_words.ts";
import { SETTINGS } from "./words.ts";

/**
 * Source of a stylesheet: built in (`?name=`), or from the data folder (`?path=`), where it can be edited.
 */
export default function Stylesheet() {
  const words = useWords(STYLESHEET);
  const { back, stylesheets } = useWords(SETTINGS);
  const [search] = useSearchParams();
  const name = search.get("name");
  const path = search.get("path") ?? "";
  const bundled = useRead("/api/xsl/source", { query: { name } }, { when: name !== null });
  const own = useTagged("/api/fs/read", { query: { path } }, { when: name === null });
  const listed = useOwnStylesheets(name === null);
  const users = listed && (listed.get(path)?.usedBy ?? []);
  const use = users && (users.length > 0 ? words.inForce(nameUsers(users, words.imported)) : (
    <>
      {words.unused}{" "}
      <Anchor component={Link} href="/settings/templates" underline="always" size="sm">
        {words.toTemplates}
      </Anchor>
    </>
  ));
  const copy = (
    <>
      {words.fixed}{" "}
      <Anchor component={Link} href="/settings/stylesheets" underline="always" size="sm">
        {words.toCopy}
      </Anchor>
    </>
  );
  return (
    <Page
      title={name || path || stylesheets}
      hint={name === null ? own.data && use : bundled.data && copy}
      back={{ href: listAt(path), label: back }}
    >
      {name === null
        ? (
          <Loaded of={own}>
            {({ body: { content }, etag }) => (
              <Source
                key={path}
                path={path}
                stored={{ value: { content }, etag }}
                isInForce={users !== undefined && users.length > 0}
              />
            )}
          </Loaded>
        )
        : (
          <Loaded of={bundled}>
            {({ content }) => (
              <TextEditor label={words.source(name)} language="xml" value={content} />
            )}
          </Loaded>
        )}
    </Page>
  );
}

/** Returns the address of the list of its folder. */
function listAt(path: string): string {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  return `/settings/stylesheets${folder && `?${new URLSearchParams({ folder })}`}`;
}

/** Button that puts the text of a file into the editor. */
function LoadText({ onLoad }: { onLoad: (content: string) => void }) {
  const words = useWords(STYLESHEET);
  const take = async (file: File | null) => {
    if (!file) return;
    try {
      onLoad(await decodeXmlFile(file, words.undecoded));
      toast(words.loaded(file.name));
    } catch (problem) {
      toast(problemText(problem), "failed");
    }
  };
  return (
    <FileButton
      accept=".xsl,.xslt"
      onChange={(it) => void take(it)}
      inputProps={{ "aria-label": words.load, onClick: (it) => it.currentTarget.value = "" }}
    >
      {(props) => (
        <Button {...props} variant="default" leftSection={<Icon name="upload" />}>
          {words.load}
        </Button>
      )}
    </FileButton>
  );
}

/** The message stays in view next to the line it is about. */
const PINNED = {
  position: "sticky",
  top: "calc(var(--app-shell-header-height) + 4px)",
  zIndex: 2,
  maxHeight: "45dvh",
  overflowY: "auto",
  background: "var(--mantine-color-body)",
} as const;

function Source({ path, stored, isInForce }: {
  path: string;
  isInForce: boolean;
  stored: Stored<{ readonly content: string }>;
}) {
  const words = useWords(STYLESHEET);
  const common = useWords(SETTINGS);
  const may = useMay();
  const mayWrite = may("files:write");
  const [, go] = useLocation();
  const work = useStylesheetText({ path, stored, isInForce });
  const { form, compile, save, saveError, trySave, fault } = work;
  const { content } = form.draft;
  const problems = useMemo(
    () => saveError ? readXmlErrors(saveError) : findErrorLine(fault, path),
    [saveError, fault, path],
  );
  const isBusy = save.isPending || compile.isPending;
  const isBarred = !form.isDirty || form.isStale;
  useHotkeys([["mod+S", () => isBarred || isBusy || void trySave()]], [], true);
  const remove = useChange(async () => {
    await api.DELETE("/api/xsl", { params: { query: { path } } });
    toast(common.removed);
    form.drop();
    go(listAt(path), { replace: true });
  }, ["/api/fs", "/api/xsl"]);
  const settle = (choose: () => void) => () => {
    save.reset();
    choose();
  };
  return (
    <Stack gap="sm">
      {mayWrite && (
        <Group>
          <Button
            disabled={isBarred || compile.isPending}
            loading={save.isPending}
            onClick={() => void trySave()}
          >
            {common.save}
          </Button>
          <Button
            variant="default"
            loading={compile.isPending}
            onClick={work.tryCompile}
          >
            {words.compile}
          </Button>
          <LoadText onLoad={(content) => form.set({ content })} />
          <Confirm
            ml="auto"
            label={common.remove}
            question={words.removeText(path)}
            work={remove}
            run={() => remove.mutateAsync(undefined)}
          />
        </Group>
      )}
      {form.isStale && (
        <Stale
          before={form.before.content}
          now={stored.value.content}
          keepMine={settle(form.keepMine)}
          takeTheirs={settle(form.takeTheirs)}
        />
      )}
      <Stack gap="sm">
        <Box style={PINNED}>
          <Faults path={path} work={work} problems={problems} mayWrite={mayWrite} />
        </Box>
        <TextEditor
          label={words.source(path)}
          language="xml"
          value={content}
          isHeld={isBusy}
          problems={problems}
          place={work.place}
          {...mayWrite && { onChange: (content) => form.set({ content }) }}
        />
      </Stack>
      {mayWrite && may("invoices:read") && <StylesheetTrial path={path} content={content} />}
      <StylesheetRevisions path={path} isDirty={form.isDirty} />
    </Stack>
  );
}

/** The newest verdict on the text, and a saved version that is not in use, above the editor. */
function Faults({ path, work, problems, mayWrite }: {
  path: string;
  work: ReturnType<typeof useStylesheetText>;
  problems: readonly TextProblem[];
  mayWrite: boolean;
}) {
  const words = useWords(STYLESHEET);
  const { number } = useFormats();
  const { form, compile, compiled, save, saveError, draft, fault } = work;
  const { kept, resume, discard } = useStylesheetDraft(path, work);
  const link = { line: problems[0]?.line, show: () => work.show(problems) };
  if (saveError) {
    return problems.length > 0
      ? <FaultNote title={words.notXml} message={saveError.message} {...link} />
      : <ProblemNote problem={saveError} />;
  }
  const isDraft = draft !== undefined && draft.content === form.draft.content;
  const buttons = kept && mayWrite && (
    <DraftButtons
      {...kept}
      isOpen={draft !== undefined}
      isDirty={form.isDirty}
      resume={resume}
      discard={discard}
    />
  );
  const keptTitle = kept &&
    words.kept(
      number(kept.revision),
      kept.current === undefined ? undefined : number(kept.current),
    );
  const title = work.isRefused
    ? words.notXml
    : !compiled
    ? words.uncompiled
    : compiled.fault?.isXml
    ? words.notCompiled
    : words.noXml;
  const isSound = compiled?.compiles === true;
  const keptError = kept?.message ?? "";
  return (
    <Stack gap="xs">
      <ProblemNote problem={compile.error ?? resume.error ?? discard.error} />
      {isSound && (
        <Alert
          color="green"
          variant="light"
          role="status"
          icon={<Icon name="check" />}
          title={words.compiled}
        >
          {kept && form.isDirty && (
            <>
              <Text size="sm">{words.compiledDraft(number(kept.revision))}</Text>
              {buttons}
            </>
          )}
        </Alert>
      )}
      {fault && (
        <FaultNote
          title={isDraft && keptTitle || title}
          message={fault.message}
          {...link}
        >
          <ElsewhereLink fault={fault} path={path} />
          {work.isAsked && (
            <SaveAnyway run={() => save.mutate(form.draft.content)} isBusy={save.isPending} />
          )}
          {kept && !isDraft && <Text size="sm" mt="xs">{keptTitle}</Text>}
          {buttons}
        </FaultNote>
      )}
      {kept && keptTitle && !fault && !(isSound && form.isDirty) && (
        <FaultNote
          title={keptTitle}
          message={keptError && draft && !isDraft ? `${words.earlier} ${keptError}` : keptError}
        >
          {buttons}
        </FaultNote>
      )}
    </Stack>
  );
}
