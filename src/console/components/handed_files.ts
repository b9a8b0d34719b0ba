import { onLeft } from "../api/session.ts";

/** Files that the reader chose on one page for the next page. */
interface HandedFiles {
  readonly files: readonly File[];
  /** The next page shows at once what would happen to them. */
  readonly isPreviewed: boolean;
}

const NOTHING: HandedFiles = { files: [], isPreviewed: false };

let handed = NOTHING;
onLeft(clearHandedFiles);

/** Passes files that the reader chose on one page to the next page. */
export function handFiles(
  files: readonly File[],
  { isPreviewed = false }: { readonly isPreviewed?: boolean } = {},
): void {
  handed = { files, isPreviewed };
}

/** Returns the passed files. React may repeat a render, so reading them does not clear them. */
export function readHandedFiles(): HandedFiles {
  return handed;
}

/** Forgets the passed files, once the next page shows them. */
export function clearHandedFiles(): void {
  handed = NOTHING;
}
