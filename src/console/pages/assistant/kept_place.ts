import { type RefObject, useLayoutEffect, useRef } from "react";

/** `content` holds articles, to which earlier ones are added; `begin` is called when those are asked for: what was read stays where it is. */
export function useKeptPlace(content: RefObject<HTMLElement | null>, count: number) {
  const first = useRef<Element>(undefined);
  useLayoutEffect(() => {
    const now = content.current?.querySelector("article");
    const was = first.current;
    if (!now || !was || was === now) return;
    first.current = undefined;
    // The page itself keeps the place only of who is not at its very top, and does nothing more where it is kept already.
    if (was.isConnected) scrollBy(0, topOf(was) - topOf(now));
  }, [count]);
  return {
    begin() {
      first.current = content.current?.querySelector("article") ?? undefined;
    },
  };
}

const topOf = (it: Element) => it.getBoundingClientRect().top;
