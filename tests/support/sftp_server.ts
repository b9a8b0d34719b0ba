import { Buffer } from "node:buffer";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import ssh2, { type Algorithms, type Connection, type SFTPWrapper } from "ssh2";
import { computeFingerprint } from "#src/adapters/sftp/host_key.ts";

/** Real SSH server in the test's process that serves files from memory; the test may change it while it runs. */
export interface SftpServer extends AsyncDisposable {
  readonly port: number;
  readonly fingerprint: string;
  readonly files: Map<string, { content: Uint8Array; modified: number }>;
  /** Cuts each connection after this number of file bytes. */
  cutAfter: number | undefined;
  /** File reads, by name and offset. */
  readonly reads: { name: string; offset: number }[];
  readonly signIns: string[];
}

const USER = "spool";
const PASSWORD = "correct horse";
export const SFTP_SIGN_IN = { username: USER, password: PASSWORD };

export async function sftpServer(
  options: { algorithms?: Algorithms } = {},
): Promise<SftpServer> {
  const { privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "pkcs1", format: "pem" },
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
  });
  const parsed = ssh2.utils.parseKey(privateKey);
  if (parsed instanceof Error) throw parsed;
  const sockets = new Set<Socket>();
  const it: SftpServer = {
    port: 0,
    fingerprint: computeFingerprint(parsed.getPublicSSH()),
    files: new Map(),
    cutAfter: undefined,
    reads: [],
    signIns: [],
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, "close");
    },
  };
  const server = new ssh2.Server(
    { hostKeys: [privateKey], ...options },
    (client) => serve(client, it),
  );
  server.on("error", () => {});
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    server.injectSocket(socket);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  return Object.assign(it, { port: (listener.address() as AddressInfo).port });
}

function serve(client: Connection, it: SftpServer): void {
  client.on("error", () => {});
  client.on("authentication", (context) => {
    it.signIns.push(context.method);
    const good = context.method === "password" && context.username === USER &&
      context.password === PASSWORD;
    good ? context.accept() : context.reject(["password"]);
  });
  client.on(
    "ready",
    () =>
      client.on(
        "session",
        (accept) => accept().on("sftp", (accept) => files(accept(), { client, it })),
      ),
  );
}

function files(sftp: SFTPWrapper, { client, it }: { client: Connection; it: SftpServer }): void {
  const { STATUS_CODE } = ssh2.utils.sftp;
  const handles = new Map<number, { name: string; listed: boolean }>();
  let next = 0;
  let sent = 0;
  const handle = (name: string) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(next);
    handles.set(next++, { name, listed: false });
    return bytes;
  };
  const of = (bytes: Buffer) => handles.get(bytes.readUInt32BE(0));
  const baseName = (path: string) => path.slice(path.lastIndexOf("/") + 1);
  const attributesOf = ({ content, modified }: { content: Uint8Array; modified: number }) => ({
    mode: 0o100644,
    uid: 0,
    gid: 0,
    size: content.length,
    atime: modified,
    mtime: modified,
  });
  const folder = attributesOf({ content: new Uint8Array(), modified: 0 });
  const stat = (id: number, path: string) => {
    const found = it.files.get(baseName(path));
    found ? sftp.attrs(id, attributesOf(found)) : sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
  };
  sftp.on("STAT", stat).on("LSTAT", stat);
  sftp.on("FSTAT", (id: number, bytes: Buffer) => stat(id, of(bytes)?.name ?? ""));
  sftp.on(
    "REALPATH",
    (id: number, path: string) =>
      sftp.name(id, [{ filename: path, longname: path, attrs: folder }]),
  );
  sftp.on("OPENDIR", (id: number, path: string) => sftp.handle(id, handle(path)));
  sftp.on("READDIR", (id: number, bytes: Buffer) => {
    const open = of(bytes);
    if (!open || open.listed) return sftp.status(id, STATUS_CODE.EOF);
    open.listed = true;
    sftp.name(
      id,
      [...it.files].map(([filename, file]) => ({
        filename,
        longname: `-rw-r--r-- 1 root root 0 Jan 1 00:00 ${filename}`,
        attrs: attributesOf(file),
      })),
    );
  });
  sftp.on("OPEN", (id: number, path: string) => {
    it.files.has(baseName(path))
      ? sftp.handle(id, handle(baseName(path)))
      : sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
  });
  sftp.on("READ", (id: number, bytes: Buffer, offset: number, length: number) => {
    const name = of(bytes)?.name ?? "";
    const content = it.files.get(name)?.content ?? new Uint8Array();
    if (offset >= content.length) return sftp.status(id, STATUS_CODE.EOF);
    const piece = content.subarray(offset, Math.min(offset + length, content.length));
    if (it.cutAfter !== undefined && sent + piece.length > it.cutAfter) return client.end();
    sent += piece.length;
    it.reads.push({ name, offset });
    sftp.data(id, Buffer.from(piece));
  });
  sftp.on("CLOSE", (id: number) => sftp.status(id, STATUS_CODE.OK));
}

/** Properties of the template `global` that fetch from this server. */
export function sftpProperties({ port, fingerprint }: SftpServer): Record<string, string> {
  return {
    sftpHost: "127.0.0.1",
    sftpPort: String(port),
    sftpUser: SFTP_SIGN_IN.username,
    sftpPassword: SFTP_SIGN_IN.password,
    sftpHostKey: fingerprint,
  };
}
