import { type Query, useIsFetching, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

/** Longest time to wait for the whole page; later parts appear one by one. */
export const PATIENCE_MS = 1_500;

/** Matches first reads without an answer. */
const AWAITED = {
  predicate: ({ state }: Query) => state.data === undefined && state.fetchStatus === "fetching",
};

/**
 * Reports when the page has loaded its first data. The page is shown whole, since late parts would move
 * buttons under the pointer. `isAwaited`: some first read is running, even if the page is already shown.
 */
export function useArrived(): { readonly hasArrived: boolean; readonly isAwaited: boolean } {
  const client = useQueryClient();
  const [hasArrived, setArrived] = useState(false);
  const isAwaited = useIsFetching(AWAITED) > 0;
  // Wait until all new components around and in the page have started their reads.
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
