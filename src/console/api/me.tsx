import { createContext, type ReactNode, useContext } from "react";
import type { components } from "./schema.d.ts";

type Me = components["schemas"]["CurrentUser"];
const Context = createContext<Me | undefined>(undefined);

export function MeProvider({ me, children }: { me: Me; children: ReactNode }) {
  return <Context value={me}>{children}</Context>;
}

/** Who is signed in. */
export function useMe(): Me {
  const me = useContext(Context);
  if (!me) throw new Error("Nobody is signed in");
  return me;
}

/** Whether the reader may do what a code says. What they may not do is not shown. */
export function useMay(): (code: string) => boolean {
  const { permissions } = useMe();
  return (code) => permissions.some((it) => covers(it, code));
}

/** `*` stands for one segment, and alone for everything; in what is asked, for whichever there is. */
export function covers(grant: string, code: string): boolean {
  if (grant === "*") return true;
  const granted = grant.split(":");
  const asked = code.split(":");
  return granted.length === asked.length &&
    granted.every((it, at) => it === "*" || asked[at] === "*" || it === asked[at]);
}
