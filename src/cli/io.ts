/** What a command says and where: results on standard output, everything else on standard error. */
export interface Io {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Resolves to the exit code: 0 done, 1 done with a bad outcome, 2 not done. */
export type Command = (args: readonly string[], io: Io) => Promise<number>;
