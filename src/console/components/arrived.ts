import { type Query, useIsFetching, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

/** What takes longer comes when it comes: nobody looks at an empty page for it. */
export const PATIENCE_MS = 1_500;

/** Read for the first time, and not answered yet. */
const AWAITED = {
  predicate: ({ state }: Query) => state.data === undefined && state.fetchStatus === "fetching",
};

/**
 * Whether what a page shows at first has been read. Shown part by part, what comes later would move what somebody is about to press,
 * and the press would meet something else. `isAwaited`: something is read for the first time, shown already or not.
 */
export function useArrived(): { readonly hasArrived: boolean; readonly isAwaited: boolean } {
  const client = useQueryClient();
  const [hasArrived, setArrived] = useState(false);
  const isAwaited = useIsFetching(AWAITED) > 0;
  // Once whatever was shown anew, around the page and in it, has asked for its own.
  useEffect(() => {
    if (hasArrived) return;
    const look = setTimeout(() => {
      if (client.isFetching(AWAITED) === 0) setArrived(true);
    });
    return () => clearTimeout(look);
  });
  useEffect(() => {
    const timer = setTimeout(() => setArrived(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  return { hasArrived, isAwaited };
}
