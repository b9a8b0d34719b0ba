import { type RefObject, useEffect, useRef } from "react";

/** Who is no further from the end, in pixels, is at it. */
const NEAR_PX = 40;
const DEEDS = ["pointerdown", "wheel", "keydown"] as const;

interface FollowedEnd {
  /** What grows. */
  readonly content: RefObject<HTMLDivElement | null>;
  readonly end: RefObject<HTMLDivElement | null>;
  /** Again, whatever the reader scrolled to before. */
  readonly follow: () => void;
}

const furthestScroll = () => document.documentElement.scrollHeight - innerHeight;

/**
 * Keeps the end of a conversation in sight while something is said, and of what is still drawn behind it, unless the reader scrolled
 * up; in the rest of the time it stays where they are as soon as they do something.
 */
export function useFollowedEnd(id: string, isRunning: boolean): FollowedEnd {
  const content = useRef<HTMLDivElement>(null);
  const end = useRef<HTMLDivElement>(null);
  const state = useRef({ isFollowed: true, isRunning });
  state.current.isRunning = isRunning;
  useEffect(() => {
    const now = state.current;
    now.isFollowed = true;
    let before = scrollY;
    /** The furthest one could scroll, at the least since then: where it gets shorter nobody scrolled up, though more is there by now. */
    let shortest = Infinity;
    const scrolled = () => {
      const furthest = furthestScroll();
      shortest = Math.min(shortest, furthest);
      if (scrollY < before) now.isFollowed &&= scrollY > shortest - NEAR_PX;
      else if (scrollY > furthest - NEAR_PX && now.isRunning) now.isFollowed = true;
      before = scrollY;
      shortest = Infinity;
    };
    const acted = () => {
      if (!now.isRunning) now.isFollowed = false;
    };
    const grown = new ResizeObserver(() => {
      shortest = Math.min(shortest, furthestScroll());
      if (now.isFollowed) end.current?.scrollIntoView({ block: "end" });
    });
    if (content.current) grown.observe(content.current);
    addEventListener("scroll", scrolled, { passive: true });
    // Before the page answers it: who asks something follows from then on.
    for (const it of DEEDS) addEventListener(it, acted, { capture: true, passive: true });
    return () => {
      grown.disconnect();
      removeEventListener("scroll", scrolled);
      for (const it of DEEDS) removeEventListener(it, acted, { capture: true });
    };
  }, [id]);
  return {
    content,
    end,
    follow() {
      state.current.isFollowed = true;
      end.current?.scrollIntoView({ block: "end" });
    },
  };
}
