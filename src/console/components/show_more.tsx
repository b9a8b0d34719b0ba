import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useFormats } from "../i18n/language.ts";

/** Returns how many of `length` items to show, `first` initially, and a button for up to `next` more. */
export function useShowMore(
  length: number,
  { first, next = first, words }: {
    readonly first: number;
    readonly next?: number;
    readonly words: { more(count: string): string };
  },
): { readonly count: number; readonly more: ReactNode } {
  const { number } = useFormats();
  const [count, setCount] = useState(first);
  const left = Math.min(next, length - count);
  const more = left > 0 && (
    <Button
      variant="default"
      size="xs"
      my="xs"
      className="ps-no-print"
      onClick={() => setCount(count + left)}
    >
      {words.more(number(left))}
    </Button>
  );
  return { count, more };
}
