import { say, type Sentence } from "#src/kernel/sentences/sentence.ts";
import type { PermissionSet } from "./permission_set.ts";

/** A right that something needs to act, and what for. */
export interface Need {
  readonly code: string;
  /** In a sentence: "the permission … is missing for …". */
  readonly what: Sentence;
}

/** In whose name something acts. */
export interface Acting {
  /** Empty for what nobody owns: it was saved while authentication was off. */
  readonly username: string;
  /** As of now. */
  readonly permissions: PermissionSet;
}

/** The first need that is not met. */
export function unmet({ permissions }: Acting, needs: readonly Need[]): Need | undefined {
  return needs.find(({ code }) => permissions.grantOf(code) === undefined);
}

/** Why something may not act in this name, or undefined when it may. */
export function refusalOf(acting: Acting, needs: readonly Need[]): Sentence | undefined {
  const missing = unmet(acting, needs);
  if (!missing) return undefined;
  return acting.username
    ? say`${acting.username} does not hold the permission ${missing.code} for ${missing.what}`
    : say`The permission ${missing.code} is needed for ${missing.what}, and nobody owns this: it was saved while authentication was off and is to be saved again`;
}
