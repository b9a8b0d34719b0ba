import { Anchor, Button, FileButton, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { ApiProblem } from "../../api/problem.ts";
import { useChange, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Icon } from "../../components/icon.tsx";
import { Empty, ProblemNote } from "../../components/notes.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { toast } from "../../components/toasts.tsx";
import { sentence, useFormats, useWords } from "../../i18n/language.ts";
import { decodeXmlFile } from "../../components/xml_file.ts";
import { FaultNote } from "./stylesheet_fault.tsx";
import { nameUsers, useOwnStylesheets, useStylesheetUsers } from "./stylesheet_users.ts";
import { compileText } from "./stylesheet_work.ts";
import { STYLESHEET } from "./stylesheet_words.ts";
import { SETTINGS } from "./words.ts";
import { PageLink } from "../../components/page_link.tsx";

type Item = components["schemas"]["FileListing"]["items"][number];
const isStylesheet = (name: string) => /\.xslt?$/i.test(name);
const sourceAt = (query: Record<string, string>) =>
  `/settings/stylesheets/source?${new URLSearchParams(query)}`;

/** Built-in stylesheets, and those in a folder of the data folder. */
export default function Stylesheets() {
  return (
    <Stack gap="lg">
      <Bundled />
      <Own />
    </Stack>
  );
}

function Bundled() {
  const words = useWords(STYLESHEET);
  const { name } = useWords(SETTINGS);
  const { bytes } = useFormats();
  const listed = useRead("/api/xsl");
  const listUsers = useStylesheetUsers();
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">{words.ofProduct}</Title>
      <Loaded of={listed}>
        {({ stylesheets }) => (
          <Records
            label={words.ofProduct}
            rows={stylesheets}
            keyOf={(it) => it.name}
            empty={null}
            columns={[
              {
                key: "name",
                label: name,
                cell: (it) => (
                  <PageLink href={sourceAt({ name: it.name })}>
                    {it.name}
                  </PageLink>
                ),
              },
              { key: "path", label: words.path, isWide: true, cell: (it) => it.path },
              {
                key: "size",
                label: words.size,
                isRight: true,
                cell: (it) => bytes(it.size),
              },
              { key: "used", label: words.usedBy, cell: (it) => listUsers?.(it.path).join(", ") },
            ]}
          />
        )}
      </Loaded>
    </Stack>
  );
}

function Own() {
  const words = useWords(STYLESHEET);
  const { name } = useWords(SETTINGS);
  const { bytes } = useFormats();
  const may = useMay();
  const [search, setSearch] = useSearchParams();
  const folder = search.get("folder") ?? "";
  const [typed, setTyped] = useState(folder);
  const own = useOwnStylesheets();
  const listed = useRead("/api/fs/browse", { query: folder ? { path: folder } : {} });
  const open = (path: string) => {
    setTyped(path);
    setSearch(path ? { folder: path } : {});
  };
  const at = (file: string) => inFolder(folder, file);
  return (
    <Stack gap="xs">
      <Title order={2} size="h4">{words.own}</Title>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          open(typed.trim());
        }}
      >
        <Group align="flex-end" gap="xs">
          <TextInput
            label={words.where}
            value={typed}
            onChange={(it) => setTyped(it.currentTarget.value)}
          />
          {folder && (
            <Button
              variant="default"
              leftSection={<Icon name="up" />}
              onClick={() => open(folder.replace(/\/?[^/]+\/?$/, ""))}
            >
              {words.up}
            </Button>
          )}
          {may("files:write") && <Upload folder={typed.trim()} onDone={open} />}
        </Group>
      </form>
      <Loaded of={listed}>
        {({ items }) => (
          <Records<Item>
            label={words.own}
            rows={items.filter((it) => it.type === "dir" || isStylesheet(it.name))}
            keyOf={(it) => it.path}
            empty={<Empty icon="file" title={words.none} hint={words.noneHint} />}
            columns={[
              {
                key: "name",
                label: name,
                cell: (it) =>
                  it.type === "dir"
                    ? (
                      <Anchor
                        component="button"
                        type="button"
                        size="sm"
                        onClick={() => open(at(it.name))}
                      >
                        {it.name}/
                      </Anchor>
                    )
                    : (
                      <>
                        <PageLink href={sourceAt({ path: at(it.name) })}>
                          {it.name}
                        </PageLink>
                        {own?.get(at(it.name))?.doesNotCompile && (
                          <Text size="xs" c="orange.9">{words.draft}</Text>
                        )}
                      </>
                    ),
              },
              {
                key: "size",
                label: words.size,
                isRight: true,
                cell: (it) => it.size === undefined ? "" : bytes(it.size),
              },
              {
                key: "used",
                label: words.usedBy,
                cell: (it) => nameUsers(own?.get(at(it.name))?.usedBy ?? [], words.imported),
              },
            ]}
          />
        )}
      </Loaded>
    </Stack>
  );
}

const inFolder = (folder: string, file: string) =>
  folder ? `${folder.replace(/\/$/, "")}/${file}` : file;

/** ETag of a file that does not exist. */
const NOTHING = '"none"';

/** File to upload over the version with this tag only. */
interface Present {
  readonly file: File;
  readonly over: string;
  /** True if somebody changed the file after the question. */
  readonly isAnother?: boolean;
  /** Why it does not compile; the reader decides whether it is uploaded all the same. */
  readonly fault?: string;
}

/** Form that uploads into the typed folder, whether or not it is open. */
function Upload({ folder, onDone }: { folder: string; onDone: (folder: string) => void }) {
  const words = useWords(STYLESHEET);
  const { cancel } = useWords(SETTINGS);
  const [present, setPresent] = useState<Present>();
  const own = useOwnStylesheets();
  const listUsers = (path: string) => own?.get(path)?.usedBy ?? [];
  const upload = useChange(async (sent: Present) => {
    const { file, over } = sent;
    const path = inFolder(folder, file.name);
    const content = await decodeXmlFile(file, words.undecoded);
    // The API itself keeps a text that does not compile out of use where a template needs it.
    if (sent.fault === undefined && !listUsers(path).length) {
      const { fault } = await compileText(path, content) ?? {};
      if (fault?.isXml) return setPresent({ ...sent, fault: fault.message });
    }
    const { data } = await api.PUT("/api/fs/write", {
      params: { header: { "if-match": over } },
      body: { path, content },
    });
    setPresent(undefined);
    const { message } = data?.doesNotCompile ?? {};
    if (message === undefined) toast(words.uploaded(file.name));
    else toast(`${words.uncompiled}. ${sentence(message)}`, "failed");
    onDone(folder);
  }, ["/api/fs", "/api/xsl"]);
  /**
   * Uploads the file. An existing file is replaced only after confirmation, and only the confirmed version of
   * it.
   */
  const send = (sent: Present) =>
    upload.mutate(sent, {
      onError: (problem) => {
        const { etag } = problem instanceof ApiProblem ? problem.details : {};
        if (typeof etag !== "string" || etag === sent.over) return;
        upload.reset();
        if (etag === NOTHING) send({ ...sent, over: etag }); // deleted meanwhile, so nothing is lost
        else setPresent({ ...sent, over: etag, isAnother: sent.over !== NOTHING });
      },
    });
  const install = useChange(async () => {
    const { data } = await api.POST("/api/xsl/install", { body: { targetDir: folder || "." } });
    toast(words.installed(data?.installed.length ?? 0, data?.kept.length ?? 0));
    onDone(folder);
  }, ["/api/fs", "/api/xsl"]);
  const isOver = present !== undefined && present.over !== NOTHING;
  const target = inFolder(folder, present?.file.name ?? "");
  const users = nameUsers(listUsers(target), words.imported);
  return (
    <>
      <FileButton
        accept=".xsl,.xslt"
        onChange={(it) => {
          install.reset();
          if (it) send({ file: it, over: NOTHING });
        }}
        inputProps={{
          "aria-label": words.upload,
          onClick: (it) => it.currentTarget.value = "", // otherwise choosing the same file again raises no event
        }}
      >
        {(props) => (
          <Button
            {...props}
            variant="default"
            loading={upload.isPending}
            leftSection={<Icon name="upload" />}
          >
            {words.upload}
          </Button>
        )}
      </FileButton>
      <Button
        variant="default"
        loading={install.isPending}
        onClick={() => {
          upload.reset();
          install.mutate(undefined);
        }}
      >
        {words.install}
      </Button>
      <ProblemNote problem={present ? null : upload.error ?? install.error} />
      <Dialog
        opened={present !== undefined}
        onClose={() => setPresent(undefined)}
        title={words.upload}
      >
        <Stack gap="md">
          {present?.fault !== undefined && (
            <FaultNote title={words.notCompiled} message={present.fault}>
              <Text size="sm">{words.saveAnywayHint}</Text>
            </FaultNote>
          )}
          {isOver && (
            <Text size="sm">
              {(present?.isAnother ? words.replaceOther : words.replaceText)(target)}{" "}
              {users && words.replaceUsed(users)}
            </Text>
          )}
          <ProblemNote problem={upload.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={() => setPresent(undefined)}>{cancel}</Button>
            <Button
              color="red.9"
              loading={upload.isPending}
              onClick={() => present && send(present)}
            >
              {isOver ? words.replace : words.saveAnyway}
            </Button>
          </Group>
        </Stack>
      </Dialog>
      {folder && <Text size="sm" c="dimmed">{words.applies}</Text>}
    </>
  );
}
