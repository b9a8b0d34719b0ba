import { Anchor, Button, FileButton, Group, Stack, Text, TextInput, Title } from "@mantine/core";
import { useState } from "react";
import { useSearchParams } from "wouter";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import type { components } from "../../api/schema.d.ts";
import { Icon } from "../../components/icon.tsx";
import { Empty, ProblemNote } from "../../components/notes.tsx";
import { givenProperty } from "../../components/properties.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { toast } from "../../components/toasts.tsx";
import { sentence, useFormats, useWords } from "../../i18n/language.ts";
import { STYLESHEET } from "./stylesheet_words.ts";
import { SETTINGS } from "./words.ts";
import { PageLink } from "../../components/page_link.tsx";

type Item = components["schemas"]["FileListing"]["items"][number];
const isStylesheet = (name: string) => /\.xslt?$/i.test(name);
const sourceAt = (query: Record<string, string>) =>
  `/settings/stylesheets/source?${new URLSearchParams(query)}`;

/** The stylesheets of the product, and those of a folder of the data folder. */
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
  const may = useMay();
  const listed = useRead("/api/xsl");
  const templates = useRead("/api/config/templates", { query: { type: "document", limit: 500 } }, {
    when: may("templates:read"),
  });
  const usersOf = (path: string) =>
    templates.data?.templates.filter((it) => givenProperty(it.properties, "transform") === path)
      .map((it) => it.name).join(", ");
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
              { key: "used", label: words.usedBy, cell: (it) => usersOf(it.path) },
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
                      <PageLink href={sourceAt({ path: at(it.name) })}>
                        {it.name}
                      </PageLink>
                    ),
              },
              {
                key: "size",
                label: words.size,
                isRight: true,
                cell: (it) => it.size === undefined ? "" : bytes(it.size),
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

/** Into the folder that is written there, whether or not it was opened. */
function Upload({ folder, onDone }: { folder: string; onDone: (folder: string) => void }) {
  const words = useWords(STYLESHEET);
  const upload = useChange(async (file: File | null) => {
    if (!file) return;
    const { data } = await api.PUT("/api/fs/write", {
      body: { path: inFolder(folder, file.name), content: await file.text() },
    });
    toast(words.uploaded(file.name));
    const { message } = data?.doesNotCompile ?? {};
    if (message !== undefined) toast(`${words.uncompiled}. ${sentence(message)}`, "failed");
    onDone(folder);
  }, ["/api/fs"]);
  const install = useChange(async () => {
    const { data } = await api.POST("/api/xsl/install", { body: { targetDir: folder || "." } });
    toast(words.installed(data?.installed.length ?? 0, data?.kept.length ?? 0));
    onDone(folder);
  }, ["/api/fs"]);
  return (
    <>
      <FileButton
        accept=".xsl,.xslt"
        onChange={(it) => {
          install.reset();
          upload.mutate(it);
        }}
        inputProps={{ "aria-label": words.upload }}
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
      <ProblemNote problem={upload.error ?? install.error} />
      {folder && <Text size="sm" c="dimmed">{words.inForce}</Text>}
    </>
  );
}
