import { AwsClient } from "aws4fetch";
import { backoff, delay } from "#src/kernel/delay.ts";
import { AppError, toMessage } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { computeSha256 } from "#src/kernel/sha256.ts";
import type { Chunks } from "#src/ports/chunks.ts";
import { parseXml } from "#src/xml/mod.ts";

/** Bucket of any S3-compatible store, and its credentials. */
export interface S3Settings {
  /** Address of the store; by default Amazon's in the region. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  readonly bucket: string;
  /** Before every key; "" or ends with a slash. */
  readonly prefix: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
  /** Timeout of one request in ms; default 30 s. */
  readonly timeoutMs?: number;
}

/** Size of an object, 1 MiB: small enough to be sent again, large enough to keep their number low. */
const SIZE = 1024 * 1024;
const TRIES = 4;
const WAIT = { baseMs: 300, capMs: 10_000 };
/** Our own name for the SHA-256 of an object, as every S3-compatible store keeps it. */
const SUM = "x-amz-meta-sha256";

/** Pieces as objects `prefix/content/number` (Amazon S3 API, signature version 4, addresses by path). */
export function s3Chunks(settings: S3Settings): Chunks {
  const bucket = new Bucket(settings);
  return {
    place: "s3",
    size: SIZE,
    async put(contentId, number, bytes) {
      const sum = computeSha256(bytes);
      const headers = { "x-amz-content-sha256": sum, [SUM]: sum };
      const request = { method: "PUT", headers, body: new Uint8Array(bytes) };
      await bucket.ask(`${contentId}/${number}`, request, (it) => bucket.discard(it, 200, 201));
    },
    async get(contentId, number, { from, length }) {
      const headers = { range: `bytes=${from}-${from + length - 1}` };
      const request = { method: "GET", headers };
      return await bucket.ask(`${contentId}/${number}`, request, async (answer) => {
        if (answer.status === 404) {
          const code = codeIn(await answer.text());
          if (code === "NoSuchBucket") throw bucket.unusable(code);
          return undefined;
        }
        await bucket.expect(answer, 200, 206);
        const got = new Uint8Array(await answer.arrayBuffer());
        checkSum(answer, got);
        // A store without range support returns the whole object.
        const bytes = answer.status === 200 ? got.slice(from, from + length) : got;
        if (bytes.length !== length) throw new Error(`${bytes.length} bytes instead of ${length}`);
        return bytes;
      });
    },
    async remove(contentId) {
      const list = () => bucket.listKeys(`${contentId}/`);
      for (let keys = await list(); keys.length; keys = await list()) {
        for (const key of keys) {
          await bucket.ask(key, { method: "DELETE" }, (it) => bucket.discard(it, 200, 204, 404));
        }
      }
    },
  };
}

/** Bucket of a store; keys are relative to the prefix of the settings. */
class Bucket {
  readonly #settings: S3Settings;
  readonly #client: AwsClient;
  readonly #root: string;

  constructor(settings: S3Settings) {
    const { bucket, region, endpoint = `https://s3.${region}.amazonaws.com` } = settings;
    const { accessKeyId, secretAccessKey, sessionToken } = settings;
    this.#settings = settings;
    this.#root = `${endpoint.replace(/\/+$/, "")}/${encodeURIComponent(bucket)}`;
    this.#client = new AwsClient({
      accessKeyId,
      secretAccessKey,
      ...sessionToken !== undefined && { sessionToken },
      service: "s3",
      region,
      retries: 0,
    });
  }

  ask<T>(key: string, init: RequestInit, read: (answer: Response) => Promise<T>): Promise<T> {
    return this.#send(`${this.#root}/${this.#settings.prefix}${key}`, init, read);
  }

  async listKeys(folder: string): Promise<string[]> {
    const { prefix } = this.#settings;
    const own = `${prefix}${folder}`;
    const query = new URLSearchParams({ "list-type": "2", prefix: own });
    return await this.#send(`${this.#root}?${query}`, { method: "GET" }, async (answer) => {
      await this.expect(answer, 200);
      return parseKeys(await answer.text(), own).map((it) => it.slice(prefix.length));
    });
  }

  /** Throws AppError for an unexpected status. */
  async expect(answer: Response, ...statuses: readonly number[]): Promise<void> {
    if (statuses.includes(answer.status)) return;
    throw this.unusable(`HTTP ${answer.status} ${codeIn(await answer.text())}`.trim());
  }

  /** Drops the body of an answer. Throws AppError for an unexpected status. */
  async discard(answer: Response, ...statuses: readonly number[]): Promise<void> {
    await this.expect(answer, ...statuses);
    await answer.body?.cancel();
  }

  unusable(why: Sentence | string): AppError {
    const { bucket } = this.#settings;
    return new AppError("unavailable", say`The S3 bucket ${bucket} cannot be used: ${why}`);
  }

  /** Sends a request, and repeats it when the store is busy, silent or breaks off; `read` interprets the answer. */
  async #send<T>(
    url: string,
    init: RequestInit,
    read: (answer: Response) => Promise<T>,
  ): Promise<T> {
    const { timeoutMs = 30_000 } = this.#settings;
    for (let tries = 1;; tries++) {
      try {
        const request = await this.#client.sign(url, init);
        const answer = await fetch(request, { signal: AbortSignal.timeout(timeoutMs) });
        if (answer.status < 500 && answer.status !== 429) return await read(answer);
        await answer.body?.cancel();
        throw new Error(`HTTP ${answer.status}`);
      } catch (error) {
        if (error instanceof AppError) throw error;
        if (tries === TRIES) throw this.unusable(toMessage(error));
        await delay(backoff(tries, WAIT));
      }
    }
  }
}

/** Verifies the checksum; it covers whole objects only, so for a part only the length is verified. */
function checkSum(answer: Response, bytes: Uint8Array): void {
  const sum = answer.headers.get(SUM);
  const range = answer.headers.get("content-range");
  const isWhole = range ? range === `bytes 0-${bytes.length - 1}/${bytes.length}` : true;
  if (sum === null || !isWhole) return;
  const found = computeSha256(bytes);
  if (found !== sum) throw new Error("the bytes are not those that were sent (SHA-256)");
}

/** Returns the keys of S3's list of objects. Throws if others than the requested ones are among them. */
function parseKeys(text: string, prefix: string): string[] {
  const { root } = parseXml(text);
  const keys = root.elements().filter((it) => it.local === "Contents")
    .flatMap((it) => it.elements().find((part) => part.local === "Key")?.text ?? []);
  if (keys.every((it) => it.startsWith(prefix))) return keys;
  throw new Error("it lists objects outside the requested prefix");
}

/** Returns the `Code` of S3's error document. */
function codeIn(text: string): string {
  return /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(text)?.[1] ?? "";
}
