import { onLeft } from "../api/session.ts";

let handed: readonly File[] = [];
onLeft(() => void takeHandedFiles());

/** Files that the reader chose on one page and takes to the next. */
export function handFiles(files: readonly File[]): void {
  handed = files;
}

/** What the reader brought along; once. */
export function takeHandedFiles(): readonly File[] {
  const taken = handed;
  handed = [];
  return taken;
}
