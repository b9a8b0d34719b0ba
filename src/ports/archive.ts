/** Files under one name. */
export interface Archive {
  /** Creates a zip; the same files give the same bytes. */
  zip(files: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array<ArrayBuffer>>;
  /** Throws `refused` if the bytes are not a zip, and `too_large` before anything too big is unpacked. */
  unzip(bytes: Uint8Array): ReadonlyMap<string, Uint8Array>;
}
