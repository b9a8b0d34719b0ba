import { createContext, type ReactNode, useContext } from "react";
import type { components } from "./schema.d.ts";

type Me = components["schemas"]["CurrentUser"];
const Context = createContext<Me | undefined>(undefined);

export function MeProvider({ me, children }: { me: Me; children: ReactNode }) {
  return <Context value={me}>{children}</Context>;
}

/** Returns the signed-in user. */
export function useMe(): Me {
  const me = useContext(Context);
  if (!me) throw new Error("Nobody is signed in");
  return me;
}

/** Returns a check of the reader's permissions by code. Actions without permission are hidden. */
export function useMay(): (code: string) => boolean {
  const { permissions } = useMe();
  return (code) => permissions.some((it) => covers(it, code));
}

/**
 * Returns true if a grant covers a code. `*` matches one segment, and alone matches everything; `*` in the
 * code matches any granted segment.
 */
export function covers(grant: string, code: string): boolean {
  if (grant === "*") return true;
  const granted = grant.split(":");
  const asked = code.split(":");
  return granted.length === asked.length &&
    granted.every((it, at) => it === "*" || asked[at] === "*" || it === asked[at]);
}
