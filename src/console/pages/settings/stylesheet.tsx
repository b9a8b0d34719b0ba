import { Alert, Anchor, Button, FileButton, Group, Stack, Text } from "@mantine/core";
import { useHotkeys } from "@mantine/hooks";
import { useMemo, useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { ApiProblem } from "../../api/problem.ts";
import { readEtag, useAsk, useChange, useRead, useTagged } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Confirm } from "../../components/confirm.tsx";
import type { TextProblem } from "../../components/editor/text_editor.tsx";
import { Icon } from "../../components/icon.tsx";
import { Page, ProblemNote, problemText } from "../../components/notes.tsx";
import { Loaded } from "../../components/records.tsx";
import { type Stored, useStoredDraft } from "../../components/stored_draft.tsx";
import { TextEditor } from "../../components/text_editor.tsx";
import { toast } from "../../components/toasts.tsx";
import { decodeXmlFile } from "../../components/xml_file.ts";
import { sentence, useWords } from "../../i18n/language.ts";
import { Stale } from "./stale.tsx";
import { StylesheetRevisions } from "./stylesheet_revisions.tsx";
import { useStylesheetUsers } from "./stylesheet_users.ts";
import { StylesheetTrial } from "./stylesheet_trial.tsx";
import { STYLESHEET } from "./stylesheet_words.ts";
import { SETTINGS } from "./words.ts";

type Uncompiled = NonNullable<components["schemas"]["FileWritten"]["doesNotCompile"]>;

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
  const users = useStylesheetUsers()?.(path);
  const use = users && (users.length > 0 ? words.inForce : (
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

/** Returns the positions of XML errors from the API's answer. */
function getMistakes(error: unknown): TextProblem[] {
  if (!(error instanceof ApiProblem)) return [];
  const { line, column } = error.details;
  return typeof line === "number" && typeof column === "number"
    ? [{ line, column, message: error.message }]
    : [];
}

/** Returns the line of a compile error if it is in this stylesheet, not in an imported one. */
function findErrorLine(uncompiled: Uncompiled | undefined, path: string): TextProblem[] {
  if (!uncompiled || uncompiled.line === 0 || uncompiled.file !== path) return [];
  return [{ line: uncompiled.line, column: 1, message: uncompiled.message }];
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

/** Compile error of the text; `saveAnyway` saves the text all the same, after this question. */
function FaultNote({ title, message, saveAnyway }: {
  title: string;
  message: string;
  saveAnyway?: () => void;
}) {
  const words = useWords(STYLESHEET);
  return (
    <Alert color="yellow" variant="light" role="alert" title={title}>
      <Text size="sm" className="ps-wrap">{sentence(message)}</Text>
      {saveAnyway && (
        <>
          <Text size="sm">{words.saveAnywayHint}</Text>
          <Button size="compact-sm" variant="default" mt="xs" onClick={saveAnyway}>
            {words.saveAnyway}
          </Button>
        </>
      )}
    </Alert>
  );
}

function Source({ path, stored, isInForce }: {
  path: string;
  /** A template uses it: the API keeps a text that does not compile next to the one in use. */
  isInForce: boolean;
  stored: Stored<{ readonly content: string }>;
}) {
  const words = useWords(STYLESHEET);
  const common = useWords(SETTINGS);
  const may = useMay();
  const mayWrite = may("files:write");
  const [, go] = useLocation();
  const form = useStoredDraft(stored, { params: ["name", "path"] });
  const { content } = form.draft;
  const [uncompiled, setUncompiled] = useState<Uncompiled>();
  const compile = useAsk(async (text: string) => {
    const { data } = await api.POST("/api/xsl/compile", { body: { path, content: text } });
    return data;
  });
  // A result is about the text that was compiled, not about later changes.
  const compiled = compile.variables === content ? compile.data : undefined;
  const fault = compiled?.fault ?? uncompiled;
  const save = useChange(async () => {
    compile.reset();
    const { data, response } = await api.PUT("/api/fs/write", {
      params: { header: { "if-match": form.etag } },
      body: { path, content },
    });
    setUncompiled(data?.doesNotCompile);
    if (data?.doesNotCompile) return; // the file is unchanged, and the draft stays in the editor
    form.saved({ content }, readEtag(response));
    toast(common.saved);
  }, ["/api/fs", "/api/xsl"]);
  const [asked, setAsked] = useState<string>();
  const trySave = async () => {
    save.reset();
    setAsked(undefined);
    const found = isInForce ? undefined : await compile.mutateAsync(content).catch(() => undefined);
    if (found?.fault) setAsked(content);
    else save.mutate(undefined);
  };
  const isBusy = save.isPending || compile.isPending;
  const isBarred = !form.isDirty || form.isStale;
  useHotkeys([["mod+S", () => isBarred || isBusy || void trySave()]], [], true);
  const remove = useChange(async () => {
    await api.DELETE("/api/xsl", { params: { query: { path } } });
    toast(common.removed);
    form.drop();
    go(listAt(path), { replace: true });
  }, ["/api/fs"]);
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
            onClick={() => compile.mutate(content)}
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
      <ProblemNote problem={form.isStale ? null : save.error} />
      <ProblemNote problem={compile.error} />
      {fault && !save.error && (
        <FaultNote
          title={compiled ? words.notCompiled : words.uncompiled}
          message={fault.message}
          {...compiled && asked === content && { saveAnyway: () => save.mutate(undefined) }}
        />
      )}
      {compiled?.compiles && <Text size="sm" role="status">{words.compiled}</Text>}
      <TextEditor
        label={words.source(path)}
        language="xml"
        value={content}
        isHeld={isBusy}
        problems={useMemo(
          () => save.error ? getMistakes(save.error) : findErrorLine(fault, path),
          [save.error, fault, path],
        )}
        {...mayWrite && { onChange: (content) => form.set({ content }) }}
      />
      {mayWrite && may("invoices:read") && <StylesheetTrial path={path} content={content} />}
      <StylesheetRevisions path={path} isDirty={form.isDirty} />
    </Stack>
  );
}
