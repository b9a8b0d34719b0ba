import { type RefObject, useEffect, useRef } from "react";

/** Distance from the end, in pixels, that counts as being at the end. */
const NEAR_PX = 40;
const DEEDS = ["pointerdown", "wheel", "keydown"] as const;

interface FollowedEnd {
  /** Element that grows. */
  readonly content: RefObject<HTMLDivElement | null>;
  readonly end: RefObject<HTMLDivElement | null>;
  /** Follows the end again, wherever the reader scrolled. */
  readonly follow: () => void;
}

const furthestScroll = () => document.documentElement.scrollHeight - innerHeight;

/**
 * Keeps the end of a conversation in view while an answer arrives and is drawn, unless the reader scrolls up.
 * Afterwards, following ends with the reader's first action.
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
    /**
     * Smallest scrollable height since then: a shrinking page also lowers the position, although the reader
     * did not scroll up.
     */
    let shortest = Infinity;
    const scroll = () => {
      const furthest = furthestScroll();
      shortest = Math.min(shortest, furthest);
      if (scrollY < before) now.isFollowed &&= scrollY > shortest - NEAR_PX;
      else if (scrollY > furthest - NEAR_PX && now.isRunning) now.isFollowed = true;
      before = scrollY;
      shortest = Infinity;
    };
    const act = () => {
      if (!now.isRunning) now.isFollowed = false;
    };
    const grown = new ResizeObserver(() => {
      shortest = Math.min(shortest, furthestScroll());
      if (now.isFollowed) end.current?.scrollIntoView({ block: "end" });
    });
    if (content.current) grown.observe(content.current);
    addEventListener("scroll", scroll, { passive: true });
    // Runs before the page handles the event, since asking a question starts following again.
    for (const it of DEEDS) addEventListener(it, act, { capture: true, passive: true });
    return () => {
      grown.disconnect();
      removeEventListener("scroll", scroll);
      for (const it of DEEDS) removeEventListener(it, act, { capture: true });
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
