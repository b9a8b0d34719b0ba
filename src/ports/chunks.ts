/** Bytes in numbered pieces, which are written once and never changed. */
export interface Chunks {
  readonly place: "database" | "s3";
  /** Bytes of each piece of a content but its last. */
  readonly size: number;
  /** Resolves once the piece outlives a crash; throws AppError `unavailable`. */
  put(contentId: string, number: number, bytes: Uint8Array): Promise<void>;
  /**
   * Returns a range of bytes of a piece; undefined if the piece no longer exists. Throws AppError `unavailable`.
   */
  get(
    contentId: string,
    number: number,
    range: { readonly from: number; readonly length: number },
  ): Promise<Uint8Array | undefined>;
  /** Removes all pieces of a content. */
  remove(contentId: string): Promise<void>;
}
