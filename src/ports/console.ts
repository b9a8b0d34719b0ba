/** A built file of the console. Its name carries a hash of its content, so that it may be kept for ever. */
export interface ConsoleFile {
  readonly type: string;
  readonly plain: Uint8Array;
  /** The same, packed; undefined where packing would not make it smaller. */
  readonly br: Uint8Array | undefined;
  readonly gzip: Uint8Array | undefined;
}

/** Names of the files that the page loads first. */
export interface ConsoleEntry {
  readonly script: string;
  readonly styles: readonly string[];
}

/** The console as browsers load it. */
export interface ConsoleFiles {
  /** Throws where it could not be built. */
  entry(): Promise<ConsoleEntry>;
  /** Returns undefined if no file has this name. */
  read(name: string): Promise<ConsoleFile | undefined>;
}
