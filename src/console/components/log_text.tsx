import { Code } from "@mantine/core";
import { useLayoutEffect, useRef } from "react";

/** Who is no further from the end reads what comes. */
const NEAR_PX = 24;

/** The lines of a log. While it grows its newest line is seen, unless the reader went back to earlier ones. */
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
