import { onLeft } from "../api/session.ts";

let handed: readonly File[] = [];
onLeft(() => void takeHandedFiles());

/** Passes files that the reader chose on one page to the next page. */
export function handFiles(files: readonly File[]): void {
  handed = files;
}

/** Returns the passed files once. */
export function takeHandedFiles(): readonly File[] {
  const taken = handed;
  handed = [];
  return taken;
}
