import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import type { PermissionSet } from "./permission_set.ts";

/** Required permission and its purpose. */
export interface Need {
  readonly code: string;
  /** Purpose of the permission within a sentence: "the permission … is missing for …". */
  readonly what: Sentence;
}

/** Account on whose behalf the product acts. */
export interface Acting {
  /** Owner; empty if it was saved while authentication was off. */
  readonly username: string;
  /** Current permissions of the account. */
  readonly permissions: PermissionSet;
}

/** Returns the first need that is not met. */
export function findUnmet({ permissions }: Acting, needs: readonly Need[]): Need | undefined {
  return needs.find(({ code }) => permissions.grantOf(code) === undefined);
}

/** Explains why something may not act in this name, or returns undefined. */
export function explainRefusal(acting: Acting, needs: readonly Need[]): Sentence | undefined {
  const missing = findUnmet(acting, needs);
  if (!missing) return undefined;
  return acting.username
    ? say`${acting.username} does not hold the permission ${missing.code} for ${missing.what}`
    : say`The permission ${missing.code} is needed for ${missing.what}, and nobody owns this: it was saved while authentication was off and is to be saved again`;
}
