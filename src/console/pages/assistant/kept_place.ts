import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * Keeps the scroll position when earlier articles are added to `content`; call `begin` before loading them.
 */
export function useScrollPosition(content: RefObject<HTMLElement | null>, count: number) {
  const first = useRef<Element>(undefined);
  useLayoutEffect(() => {
    const now = content.current?.querySelector("article");
    const was = first.current;
    if (!now || !was || was === now) return;
    first.current = undefined;
    // The browser anchors the position except at the very top; where it did, the difference is zero.
    if (was.isConnected) scrollBy(0, getTop(was) - getTop(now));
  }, [count]);
  return {
    begin() {
      first.current = content.current?.querySelector("article") ?? undefined;
    },
  };
}

const getTop = (it: Element) => it.getBoundingClientRect().top;
