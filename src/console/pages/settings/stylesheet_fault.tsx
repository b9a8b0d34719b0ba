import { Alert, Anchor, Button, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "../../components/icon.tsx";
import { PageLink } from "../../components/page_link.tsx";
import { sentence, useWords } from "../../i18n/language.ts";
import type { StylesheetFault } from "./stylesheet_work.ts";
import { STYLESHEET } from "./stylesheet_words.ts";

/** Error of a text, with a link to its line. */
export function FaultNote({ title, message, line, show, children }: {
  title: string;
  message: string;
  /** Line in the editor; undefined if the error is elsewhere or has no line. */
  line?: number | undefined;
  show?: () => void;
  /** Buttons and hints below. */
  children?: ReactNode;
}) {
  const words = useWords(STYLESHEET);
  return (
    <Alert
      color="yellow"
      variant="light"
      role="alert"
      title={title}
      icon={<Icon name="warning" />}
    >
      {message && <Text size="sm" className="ps-wrap">{sentence(message)}</Text>}
      {line !== undefined && (
        <Anchor component="button" type="button" size="sm" onClick={show}>
          {words.toLine(line)}
        </Anchor>
      )}
      {children}
    </Alert>
  );
}

/** Link to the error if it is in another stylesheet of the data folder. */
export function ElsewhereLink({ fault, path }: { fault: StylesheetFault; path: string }) {
  const words = useWords(STYLESHEET);
  const { file, line } = fault;
  if (file === path || file.startsWith("%")) return null;
  const query = new URLSearchParams({ path: file, ...line > 0 && { line: String(line) } });
  return (
    <Text size="sm">
      <PageLink href={`/settings/stylesheets/source?${query}`}>{words.openFile(file)}</PageLink>
    </Text>
  );
}

/** Question before a text that does not compile is saved. */
export function SaveAnyway({ run, isBusy }: { run: () => void; isBusy: boolean }) {
  const words = useWords(STYLESHEET);
  return (
    <>
      <Text size="sm">{words.saveAnywayHint}</Text>
      <Button size="compact-sm" variant="default" mt="xs" loading={isBusy} onClick={run}>
        {words.saveAnyway}
      </Button>
    </>
  );
}

interface Work {
  readonly isPending: boolean;
  mutate(revision: number): void;
}

/** Buttons for a saved version that is not in use: open it in the editor, or discard it. */
export function DraftButtons({ revision, current, isOpen, isDirty, resume, discard }: {
  revision: number;
  /** Version in use. */
  current: number | undefined;
  /** The editor contains it. */
  isOpen: boolean;
  /** The editor contains unsaved changes, which opening would replace. */
  isDirty: boolean;
  resume: Work;
  discard: Work;
}) {
  const words = useWords(STYLESHEET);
  return (
    <Group gap="xs" mt="xs">
      {!isOpen && (
        <Button
          size="compact-sm"
          variant="default"
          disabled={isDirty}
          loading={resume.isPending}
          onClick={() => resume.mutate(revision)}
        >
          {words.resume}
        </Button>
      )}
      {current !== undefined && (
        <Button
          size="compact-sm"
          variant="default"
          loading={discard.isPending}
          onClick={() => discard.mutate(current)}
        >
          {words.discard}
        </Button>
      )}
    </Group>
  );
}
