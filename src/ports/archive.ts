/** Files under one name. */
export interface Archive {
  /** The same files give the same bytes. */
  zip(files: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array<ArrayBuffer>>;
  /** Fails with `refused` for what is no zip, and `too_large` before anything too big is unpacked. */
  unzip(bytes: Uint8Array): ReadonlyMap<string, Uint8Array>;
}
