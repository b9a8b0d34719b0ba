import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { isBehindDialog } from "./dialog.tsx";
import { Icon } from "./icon.tsx";

/** Number of pages that take dropped files themselves. */
let takers = 0;

/**
 * Accepts files dropped anywhere on the page, including those in folders, except while a dialog is open. With
 * `isFallback` it leaves them to a page that takes files itself. Returns true while files are dragged over the page.
 */
export function usePageDrop(
  onFiles: (files: readonly File[]) => void,
  { isFallback = false }: { readonly isFallback?: boolean } = {},
): boolean {
  const [isOver, setOver] = useState(false);
  const latest = useRef(onFiles);
  latest.current = onFiles;
  useEffect(() => {
    if (isFallback) return;
    takers++;
    return () => void takers--;
  }, [isFallback]);
  useEffect(() => {
    const isTaken = (event: globalThis.DragEvent) =>
      event.defaultPrevented || isFallback && takers > 0 || isBehindDialog();
    const over = (event: globalThis.DragEvent) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      if (isTaken(event)) return setOver(false);
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: globalThis.DragEvent) => {
      if (event.relatedTarget === null) setOver(false); // the pointer left the window
    };
    const drop = (event: globalThis.DragEvent) => {
      setOver(false);
      if (!event.dataTransfer?.types.includes("Files") || isTaken(event)) return;
      event.preventDefault();
      void readFiles(event.dataTransfer).then((it) => latest.current(it));
    };
    document.addEventListener("dragover", over);
    document.addEventListener("dragleave", leave);
    document.addEventListener("drop", drop);
    return () => {
      document.removeEventListener("dragover", over);
      document.removeEventListener("dragleave", leave);
      document.removeEventListener("drop", drop);
    };
  }, [isFallback]);
  return isOver;
}

/** Area to drop or choose files. Its buttons work from the keyboard. */
export function DropZone({ title, hint, choose, chooseFolder, accept, onFiles }: {
  title: string;
  hint: string;
  choose: string;
  /** Label of the button for whole folders; without it only files are offered. */
  chooseFolder?: string;
  accept: string;
  onFiles: (files: readonly File[]) => void;
}) {
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const isOver = usePageDrop(onFiles);
  const take = (input: HTMLInputElement) => {
    onFiles([...input.files ?? []]);
    input.value = "";
  };
  return (
    <Paper
      withBorder
      p="lg"
      style={{
        borderStyle: "dashed",
        ...isOver && { background: "var(--mantine-color-brand-light)" },
      }}
    >
      <Stack align="center" gap="xs">
        <Icon name="upload" size={30} />
        <Text fw={600} ta="center">{title}</Text>
        <Text size="sm" c="dimmed" ta="center">{hint}</Text>
        <Group gap="xs" justify="center">
          <Button variant="default" onClick={() => files.current?.click()}>{choose}</Button>
          {chooseFolder && (
            <Button variant="default" onClick={() => folder.current?.click()}>
              {chooseFolder}
            </Button>
          )}
        </Group>
        <input
          ref={files}
          type="file"
          multiple
          hidden
          accept={accept}
          aria-label={choose}
          onChange={(event) => take(event.currentTarget)}
        />
        {chooseFolder && (
          <input
            ref={(it) => {
              folder.current = it;
              it?.setAttribute("webkitdirectory", "");
            }}
            type="file"
            hidden
            aria-label={chooseFolder}
            onChange={(event) => take(event.currentTarget)}
          />
        )}
      </Stack>
    </Paper>
  );
}

/** Returns the dropped files, including those in dropped folders. */
async function readFiles(dropped: DataTransfer): Promise<File[]> {
  const entries = [...dropped.items].flatMap((it) => it.webkitGetAsEntry() ?? []);
  return entries.length ? (await Promise.all(entries.map(filesBelow))).flat() : [...dropped.files];
}

async function filesBelow(entry: FileSystemEntry): Promise<File[]> {
  if (entry.isFile) {
    return [
      await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail)),
    ];
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: File[] = [];
  for (;;) {
    // The browser returns entries in batches, and an empty batch at the end.
    const some = await new Promise<FileSystemEntry[]>((done, fail) =>
      reader.readEntries(done, fail)
    );
    if (some.length === 0) return found;
    for (const it of some) found.push(...await filesBelow(it));
  }
}
