import { Buffer } from "node:buffer";
import { createHash, createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import S3rver from "s3rver";
import type { S3Settings } from "#src/adapters/s3/s3_chunks.ts";

/** Faults of the proxy in front of the store. */
export type Fault =
  | "500"
  | "503"
  | "truncate"
  | "garble"
  | "hang"
  | "drop"
  | "no-ranges"
  | "no-prefix";

export interface S3Server extends AsyncDisposable {
  readonly settings: S3Settings;
  /** Applies a fault to the next `times` requests of a method. */
  fault(kind: Fault, method: string, times: number): void;
  /** Method and address of each request. */
  readonly requests: string[];
}

/** Starts an S3 store (s3rver) in this process, behind a proxy that checks signatures and can fail. */
export async function startS3(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), "passerelle-s3-"));
  const store = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    vhostBuckets: false,
    directory,
    configureBuckets: [{ name: "files", configs: [] }],
  });
  const { port } = await store.run();
  const faults: { kind: Fault; method: string }[] = [];
  const requests: string[] = [];
  const way = createServer((incoming, answer) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    const at = faults.findIndex((it) => it.method === incoming.method);
    const [fault] = at < 0 ? [] : faults.splice(at, 1);
    pass(incoming, answer, { port, fault: fault?.kind });
  });
  await new Promise<void>((resolve) => way.listen(0, "127.0.0.1", resolve));
  const { port: open } = way.address() as AddressInfo;
  return {
    settings: {
      endpoint: `http://127.0.0.1:${open}`,
      region: "us-east-1",
      bucket: "files",
      prefix: "passerelle/",
      accessKeyId: KEY.id,
      secretAccessKey: KEY.secret,
      timeoutMs: 2_000,
    },
    fault(kind, method, times) {
      faults.push(...Array.from({ length: times }, () => ({ kind, method })));
    },
    requests,
    async [Symbol.asyncDispose]() {
      way.closeAllConnections();
      await new Promise<void>((resolve) => way.close(() => resolve()));
      await store.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const KEY = { id: "S3RVER", secret: "S3RVER" };
const SCOPE =
  /^AWS4-HMAC-SHA256 Credential=S3RVER\/(\d{8})\/([\w-]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/;

/** Checks Signature version 4 ("Authenticating Requests" by Amazon), which s3rver does not. */
function isSigned({ method = "", url = "", headers }: IncomingMessage): boolean {
  const [, day = "", region = "", names = "", signature] =
    SCOPE.exec(headers.authorization ?? "") ?? [];
  const { pathname, searchParams } = new URL(url, "http://any");
  const query = [...searchParams].sort(([a], [b]) => (a < b ? -1 : 1))
    .map((pair) => pair.map(encodeURIComponent).join("=")).join("&");
  const signed = names.split(";").map((it) => `${it}:${String(headers[it]).trim()}\n`).join("");
  const canonical = [
    method,
    pathname,
    query,
    signed,
    names,
    String(headers["x-amz-content-sha256"]),
  ].join("\n");
  const hash = createHash("sha256").update(canonical).digest("hex");
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], `${day}/${region}/s3/aws4_request`, hash]
    .join("\n");
  const mac = (key: string | Uint8Array, part: string) =>
    createHmac("sha256", key).update(part).digest();
  const key = [region, "s3", "aws4_request"].reduce(mac, mac(`AWS4${KEY.secret}`, day));
  return signature === createHmac("sha256", key).update(text).digest("hex");
}

function pass(
  incoming: IncomingMessage,
  answer: ServerResponse,
  { port, fault }: { port: number; fault: Fault | undefined },
): void {
  if (fault === "hang") return;
  if (fault === "drop") return void incoming.socket.destroy();
  if (!isSigned(incoming)) {
    incoming.resume();
    return void answer.writeHead(403).end("<Error><Code>SignatureDoesNotMatch</Code></Error>");
  }
  if (fault === "500" || fault === "503") {
    incoming.resume();
    const code = fault === "503" ? "SlowDown" : "InternalError";
    return void answer.writeHead(Number(fault)).end(`<Error><Code>${code}</Code></Error>`);
  }
  const { method, url } = incoming;
  const { range: _, ...whole } = incoming.headers;
  const headers = fault === "no-ranges" ? whole : incoming.headers;
  const path = fault === "no-prefix" ? url?.replace(/(?<=[?&])prefix=[^&]*/, "") : url;
  const onward = request({ host: "127.0.0.1", port, method, path, headers }, (got) => {
    const parts: Uint8Array[] = [];
    got.on("data", (part: Uint8Array) => void parts.push(part));
    got.on("end", () => {
      const body = Buffer.concat(parts);
      if (fault === "garble") body.fill(0x21, 0, 1);
      answer.writeHead(got.statusCode ?? 500, got.headers);
      if (fault !== "truncate") return answer.end(body);
      answer.write(body.subarray(0, body.length >> 1), () => answer.destroy());
    });
  });
  onward.on("error", () => answer.destroy());
  incoming.pipe(onward);
}
