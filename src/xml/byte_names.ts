const MAX_KNOWN = 10_000;

/** 1 for bytes a name may hold, 2 for those it may begin with too; all of UTF-8's higher bytes pass. */
const NAME_BYTES = nameBytes();

/** Returns the index behind the name bytes that begin at `from`. */
export function behindName(bytes: Uint8Array, from: number): number {
  let index = from;
  while (index < bytes.length && NAME_BYTES[bytes[index] as number] !== 0) index++;
  return index;
}

export function startsName(byte: number | undefined): boolean {
  return byte !== undefined && NAME_BYTES[byte] === 2;
}

/** Cache of names: repeated names are decoded once, up to a maximum number. */
export class ByteNames {
  #known = new Map<number, { bytes: Uint8Array; name: string }>();
  #decoder = new TextDecoder();

  read(bytes: Uint8Array, from: number, to: number): string {
    let hash = to - from;
    for (let index = from; index < to; index++) {
      hash = (Math.imul(hash, 31) + (bytes[index] as number)) | 0;
    }
    const known = this.#known.get(hash);
    if (known !== undefined && sameBytes(known.bytes, bytes, from, to)) return known.name;
    const own = bytes.slice(from, to);
    const name = this.#decoder.decode(own);
    if (known === undefined) {
      if (this.#known.size === MAX_KNOWN) this.#known.clear();
      this.#known.set(hash, { bytes: own, name });
    }
    return name;
  }
}

function sameBytes(name: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
  if (name.length !== to - from) return false;
  for (let index = 0; index < name.length; index++) {
    if (name[index] !== bytes[from + index]) return false;
  }
  return true;
}

function nameBytes(): Uint8Array {
  const table = new Uint8Array(256);
  for (const character of "-.0123456789") table[character.charCodeAt(0)] = 1;
  for (let byte = 0x41; byte <= 0x5a; byte++) table[byte] = table[byte + 0x20] = 2;
  table[0x3a] = table[0x5f] = 2;
  table.fill(2, 0x80);
  return table;
}
