import { once } from "node:events";
import { connect, type Socket } from "node:net";
import type SftpClient from "ssh2-sftp-client";
import { delay } from "#src/kernel/delay.ts";
import { AppError, toMessage } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { parseUrl } from "#src/kernel/url.ts";
import {
  HostKeyChanged,
  type RemoteFile,
  type Sftp,
  type SftpSession,
  type SftpSettings,
} from "#src/ports/sftp.ts";
import { reachable } from "../http/reach.ts";
import { systemResolve } from "../http/resolve.ts";
import { computeFingerprint, fingerprintsIn, isPinned } from "./host_key.ts";
import { buildPartPath, continuePart, readyParts, sizeOfPart, wholePart } from "./parts.ts";

const CONNECT_MS = 15_000;
const IDLE_MS = 60_000;
const CLOSE_MS = 2_000;

/** Algorithms that are considered strong today; a server that supports none of them is refused. */
const ALGORITHMS: NonNullable<SftpClient.ConnectOptions["algorithms"]> = {
  kex: [
    "curve25519-sha256",
    "curve25519-sha256@libssh.org",
    "ecdh-sha2-nistp256",
    "ecdh-sha2-nistp384",
    "ecdh-sha2-nistp521",
    "diffie-hellman-group16-sha512",
    "diffie-hellman-group18-sha512",
    "diffie-hellman-group14-sha256",
    "diffie-hellman-group-exchange-sha256",
  ],
  serverHostKey: [
    "ssh-ed25519",
    "ecdsa-sha2-nistp256",
    "ecdsa-sha2-nistp384",
    "ecdsa-sha2-nistp521",
    "rsa-sha2-512",
    "rsa-sha2-256",
  ],
  cipher: [
    "aes128-gcm@openssh.com",
    "aes256-gcm@openssh.com",
    "aes128-ctr",
    "aes192-ctr",
    "aes256-ctr",
  ],
  hmac: [
    "hmac-sha2-256-etm@openssh.com",
    "hmac-sha2-512-etm@openssh.com",
    "hmac-sha2-256",
    "hmac-sha2-512",
  ],
};

interface SshOptions {
  /** Folder of partial downloads, for the product alone. */
  readonly partsFolder: string;
  readonly nowMs: () => number;
  /** Timeout of the connection and of the sign-in, each; default 15 s. */
  readonly connectMs?: number;
}

/** SFTP over SSH, to servers whose host key is pinned. */
export function sshSftp({ partsFolder, nowMs, connectMs = CONNECT_MS }: SshOptions): Sftp {
  return {
    async open(settings, signal) {
      await readyParts(partsFolder, nowMs());
      const socket = await socketTo(settings, { signal, connectMs });
      const stop = () => void socket.destroy();
      signal.addEventListener("abort", stop, { once: true });
      const close = () => signal.removeEventListener("abort", stop);
      try {
        return session(await signIn(settings, { socket, connectMs }), {
          settings,
          socket,
          partsFolder,
          close,
        });
      } catch (error) {
        close();
        socket.destroy();
        throw error;
      }
    },
  };
}

/**
 * Opens the socket without delay (`TCP_NODELAY`): small packets of the protocol would each wait for an
 * acknowledgement.
 */
async function socketTo(
  { host, port }: SftpSettings,
  { signal, connectMs }: { signal: AbortSignal; connectMs: number },
): Promise<Socket> {
  const url = parseUrl(`http://${host.includes(":") ? `[${host}]` : host}:${port}`);
  if (!url) throw new AppError("refused", say`${JSON.stringify(host)} is no host`);
  const names = [url.hostname.toLowerCase()];
  const allowance = { reach: { hosts: names }, privateHosts: names, resolve: systemResolve };
  const [address = ""] = await reachable(url, allowance);
  const socket = connect({ host: address, port });
  socket.setTimeout(connectMs, () => socket.destroy(new Error("timeout")));
  try {
    await once(socket, "connect", { signal });
  } catch (cause) {
    socket.destroy();
    const why = cause instanceof Error && "code" in cause ? cause.code : "ETIMEDOUT";
    throw new AppError(
      "upstream",
      say`The SFTP server ${host}:${port} cannot be reached (${why}): check its address and port`,
      { cause },
    );
  }
  socket.setNoDelay(true);
  socket.setTimeout(IDLE_MS);
  return socket;
}

async function signIn(
  settings: SftpSettings,
  { socket, connectMs }: { socket: Socket; connectMs: number },
): Promise<SftpClient> {
  if (!fingerprintsIn(settings.hostKey).length) {
    throw new AppError(
      "refused",
      say`sftpHostKey holds no host key: SHA256:… or a public key is expected`,
    );
  }
  const { default: Client } = await import("ssh2-sftp-client"); // large, and seldom needed
  const silent = () => {}; // the running call reports the error
  const client = new Client("passerelle", {
    error: silent,
    end: silent,
    close: silent,
  });
  let stranger: string | undefined;
  try {
    await client.connect({
      sock: socket,
      username: settings.username,
      ...settings.privateKey
        ? { privateKey: settings.privateKey }
        : settings.password === undefined
        ? {}
        : { password: settings.password },
      algorithms: ALGORITHMS,
      readyTimeout: connectMs,
      hostVerifier: (key: Uint8Array) => {
        const pinned = isPinned(key, settings.hostKey);
        if (!pinned) stranger = computeFingerprint(key);
        return pinned;
      },
    });
    return client;
  } catch (cause) {
    if (stranger !== undefined) throw new HostKeyChanged(stranger);
    throw toRefusal(cause, settings);
  }
}

function session(
  client: SftpClient,
  { settings, socket, partsFolder, close }: {
    settings: SftpSettings;
    socket: Socket;
    partsFolder: string;
    close: () => void;
  },
): SftpSession {
  const source = `${settings.host}:${settings.port}`;
  const gone = new Promise<never>((_, reject) =>
    socket.once(
      "close",
      () => reject(new AppError("upstream", say`The connection to ${source} was lost`)),
    )
  );
  gone.catch(() => {});
  const query = <T>(work: Promise<T>): Promise<T> => Promise.race([work, gone]);
  return {
    async list(folder) {
      const entries = await query(client.list(folder)).catch((cause) => {
        throw cause instanceof AppError ? cause : missingOr(cause, folder);
      });
      const regular = entries.filter((it) => it.type === "-");
      const files = regular.filter((it) => isSafeName(it.name))
        .map(({ name, size, modifyTime }) => ({ name, size, modified: modifyTime }));
      return { files, unsafe: regular.length - files.length };
    },
    fetch: (folder, file) => query(fetchFile(client, { source, folder, file, partsFolder })),
    async [Symbol.asyncDispose]() {
      close();
      await Promise.race([client.end().catch(() => {}), delay(CLOSE_MS)]);
      socket.destroy();
    },
  };
}

async function fetchFile(
  client: SftpClient,
  { source, folder, file, partsFolder }: {
    source: string;
    folder: string;
    file: RemoteFile;
    partsFolder: string;
  },
) {
  const path = `${folder.replace(/\/+$/, "")}/${file.name}`;
  const part = buildPartPath(partsFolder, `${source}/${folder}`, file);
  const from = await sizeOfPart(part);
  if (from < file.size || file.size === 0) {
    const content = client.createReadStream(path, { start: from, autoClose: true });
    await continuePart(part, content, { from, size: file.size }).catch((cause) => {
      throw cause instanceof AppError ? cause : missingOr(cause, path);
    });
  }
  const now = await client.stat(path);
  if (now.size !== file.size || now.modifyTime !== file.modified) {
    throw new AppError("upstream", say`${file.name} changed while it was fetched`);
  }
  return await wholePart(part);
}

/** Checks that a name from the server is only a file name on this side. */
function isSafeName(name: string): boolean {
  // deno-lint-ignore no-control-regex -- these are the characters no file name of ours may have
  return !/[\u0000-\u001f\u007f/\\]/.test(name) && !name.startsWith(".") && name.isWellFormed() &&
    new TextEncoder().encode(name).length <= 200;
}

function missingOr(cause: unknown, path: string): AppError {
  const text = toMessage(cause);
  if (/no such file|permission denied/i.test(text)) {
    return new AppError("refused", say`The SFTP server gives no access to ${path}`, { cause });
  }
  return new AppError("upstream", say`The SFTP server broke off`, { cause });
}

function toRefusal(cause: unknown, { username, host }: SftpSettings): AppError {
  const text = toMessage(cause);
  if (/authentication/i.test(text)) {
    return new AppError("refused", say`The SFTP server ${host} refuses to sign in ${username}`, {
      cause,
    });
  }
  if (/privateKey|passphrase|key format/i.test(text)) {
    return new AppError("refused", say`sftpPrivateKey cannot be read`, { cause });
  }
  if (/no matching/i.test(text)) {
    return new AppError(
      "refused",
      say`The SFTP server ${host} offers only algorithms that are too weak`,
      { cause },
    );
  }
  return new AppError("upstream", say`The SFTP server ${host} does not answer as one`, { cause });
}
