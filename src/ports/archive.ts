/** File of an archive: its name and content. */
export type ArchivedFile = readonly [name: string, content: Uint8Array];

/** Files under one name. */
export interface Archive {
  /** Creates a zip; the same files give the same bytes. */
  zip(files: ReadonlyMap<string, Uint8Array>): Promise<Uint8Array<ArrayBuffer>>;
  /** Creates a zip while it is read: each file is requested when the reader has the one before. */
  stream(files: AsyncIterable<ArchivedFile>, madeAt: Date): AsyncGenerator<Uint8Array>;
  /** Throws `refused` if the bytes are not a zip, and `too_large` before anything too big is unpacked. */
  unzip(bytes: Uint8Array): ReadonlyMap<string, Uint8Array>;
}
