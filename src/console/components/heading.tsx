import { Group, Title } from "@mantine/core";
import { type ReactNode, useLayoutEffect, useRef } from "react";

const PRODUCT = "Passerelle";

/** One of the names of what is shown. */
interface Shown {
  readonly name: string;
  /** Of the part of a page that is open. */
  readonly isPart?: boolean;
  /** It covers what else there is. */
  readonly isAlone?: boolean;
}

const shown = new Set<Shown>();

function show(it: Shown): () => void {
  shown.add(it);
  call();
  return () => {
    shown.delete(it);
    call();
  };
}

/** The window, its tab and its place in the history are called after what is shown in it. */
function call(): void {
  const all = [...shown];
  const page = all.findLast((it) => it.isAlone) ?? all.findLast((it) => !it.isPart);
  const part = page?.isAlone ? undefined : all.findLast((it) => it.isPart);
  document.title = [part?.name, page?.name, PRODUCT].filter(Boolean).join(" – ");
}

/**
 * The heading of a page, with what its name bears, as a status. The window is called after it: nothing else writes a heading of the
 * first level. `alone`: what the window is called instead, whatever lies below.
 */
export function Heading({ children, mark, alone }: {
  children: string;
  mark?: ReactNode;
  alone?: string;
}) {
  const name = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (alone !== undefined) return show({ name: alone, isAlone: true });
    return show({ name: name.current?.textContent ?? "" }); // as it is shown: no sign of it turns the writing
  }, [children, alone]);
  const text = <span ref={name}>{children}</span>;
  return (
    <Title order={1} size="h2" className="ps-wrap">
      {mark ? <Group gap="sm" component="span">{text}{mark}</Group> : text}
    </Title>
  );
}

/** The part of a page that is open stands before the page in what the window is called. */
export function usePartName(name: string | undefined): void {
  useLayoutEffect(() => name === undefined ? undefined : show({ name, isPart: true }), [name]);
}
