/** Returns two byte arrays as one; the first itself where the second is empty. */
export function joinBytes(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (second.length === 0) return first;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** Bytes that grow; past its limit it only counts. */
export class ByteBuffer {
  length = 0;
  #bytes = new Uint8Array(16 * 1024);
  #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  append(bytes: Uint8Array) {
    const end = this.length + bytes.length;
    if (end <= this.#limit) {
      if (end > this.#bytes.length) this.#grow(end);
      this.#bytes.set(bytes, this.length);
    }
    this.length = end;
  }

  truncate(length: number) {
    this.length = length;
  }

  copy(): Uint8Array {
    return this.#bytes.slice(0, this.length);
  }

  #grow(least: number) {
    const bigger = new Uint8Array(Math.max(least, this.#bytes.length * 2));
    bigger.set(this.#bytes.subarray(0, this.length));
    this.#bytes = bigger;
  }
}
