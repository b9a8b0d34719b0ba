/** Values of the placeholders in a name pattern; an empty value matches any text. */
type PatternParts = Readonly<Record<"report" | "version" | "language" | "job", string>>;

/** Files to download from the SFTP server and their destination. */
export interface DownloadRequest extends PatternParts {
  /** Folder of the data folder the files go to. */
  readonly output: string;
}

/** Checks whether a file name matches a pattern such as `{report}_{version}_{job}*.xml`; case matters. */
export function fitsPattern(
  name: string,
  { pattern, parts }: { pattern: string; parts: PatternParts },
): boolean {
  const filled = pattern.replace(
    /\{(report|version|language|job)\}/g,
    (_, part: keyof PatternParts) => parts[part] || "*",
  );
  return isLike(name, filled.replace(/\*+/g, "*"));
}

/** Matches a pattern: `*` is any text, `?` one character. The time is linear in the length of both. */
function isLike(name: string, pattern: string): boolean {
  let [at, seen, star, retry] = [0, 0, -1, 0];
  while (at < name.length) {
    if (pattern[seen] === "*") {
      star = seen++;
      retry = at;
    } else if (pattern[seen] === "?" || pattern[seen] === name[at]) {
      seen++;
      at++;
    } else if (star >= 0) {
      seen = star + 1;
      at = ++retry;
    } else {
      return false;
    }
  }
  while (pattern[seen] === "*") seen++;
  return seen === pattern.length;
}
