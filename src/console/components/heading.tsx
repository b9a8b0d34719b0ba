import { Group, Title } from "@mantine/core";
import { type ReactNode, useLayoutEffect } from "react";

const PRODUCT = "Passerelle";

/** Part of the window title. */
interface Shown {
  readonly name: string;
  /** Name of the open part of a page. */
  readonly isPart?: boolean;
  /** Replaces all other names. */
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

/** Sets the title of the window from the names shown. */
function call(): void {
  const all = [...shown];
  const page = all.findLast((it) => it.isAlone) ?? all.findLast((it) => !it.isPart);
  const part = page?.isAlone ? undefined : all.findLast((it) => it.isPart);
  document.title = [part?.name, page?.name, PRODUCT].filter(Boolean).join(" – ");
}

/**
 * Heading of a page, with a mark such as its status. It also sets the window title; nothing else renders an
 * `h1`. `alone` is a title that replaces all names.
 */
export function Heading({ children, mark, alone }: {
  children: string;
  mark?: ReactNode;
  alone?: string;
}) {
  useLayoutEffect(() => {
    if (alone !== undefined) return show({ name: alone, isAlone: true });
    return show({ name: children });
  }, [children, alone]);
  const text = <bdi>{children}</bdi>;
  return (
    <Title order={1} size="h2" className="ps-wrap">
      {mark ? <Group gap="sm" component="span">{text}{mark}</Group> : text}
    </Title>
  );
}

/** Puts the name of the open part in front of the page's name in the window title. */
export function usePartName(name: string | undefined): void {
  useLayoutEffect(() => name === undefined ? undefined : show({ name, isPart: true }), [name]);
}
