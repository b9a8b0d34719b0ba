import { Code } from "@mantine/core";
import { useLayoutEffect, useRef } from "react";

/** Distance from the end within which the log follows new lines. */
const NEAR_PX = 24;

/** Lines of a log. While it grows it scrolls to the newest line, unless the reader scrolled back. */
export function LogText({ text, isGrowing }: { text: string; isGrowing: boolean }) {
  const box = useRef<HTMLPreElement>(null);
  const isFollowed = useRef(isGrowing);
  useLayoutEffect(() => {
    const { current } = box;
    if (current && isFollowed.current) current.scrollTop = current.scrollHeight;
  }, [text]);
  return (
    <Code
      block
      ref={box}
      tabIndex={0}
      className="ps-log"
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isFollowed.current = isGrowing && scrollHeight - scrollTop - clientHeight < NEAR_PX;
      }}
    >
      {text}
    </Code>
  );
}
