import { onLeft } from "../api/session.ts";

/** Files that the reader chose on one page for the next page. */
interface HandedFiles {
  readonly files: readonly File[];
  /** The next page shows at once what would happen to them. */
  readonly isPreviewed: boolean;
}

const NOTHING: HandedFiles = { files: [], isPreviewed: false };

let handed = NOTHING;
onLeft(() => void takeHandedFiles());

/** Passes files that the reader chose on one page to the next page. */
export function handFiles(
  files: readonly File[],
  { isPreviewed = false }: { readonly isPreviewed?: boolean } = {},
): void {
  handed = { files, isPreviewed };
}

/** Returns the passed files once. */
export function takeHandedFiles(): HandedFiles {
  const taken = handed;
  handed = NOTHING;
  return taken;
}
