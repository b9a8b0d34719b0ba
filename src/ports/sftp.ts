/** Address of an SFTP server and the account to use. */
export interface SftpSettings {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password?: string | undefined;
  /** PEM or OpenSSH; used instead of the password. */
  readonly privateKey?: string | undefined;
  /** `SHA256:…` as `ssh-keygen -l` prints it, or a line of a known-hosts file without the host. */
  readonly hostKey: string;
}

/** A file on the server. */
export interface RemoteFile {
  readonly name: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modified: number;
}

/** Complete remote file, stored temporarily until it is disposed of. */
export interface FetchedFile extends AsyncDisposable {
  readonly size: number;
  readonly sha256: string;
  content(): AsyncIterable<Uint8Array>;
}

/** A connection to one server. */
export interface SftpSession extends AsyncDisposable {
  /** Lists regular files; names that could lead elsewhere are omitted and counted. */
  list(folder: string): Promise<{ files: readonly RemoteFile[]; unsafe: number }>;
  /** Downloads a file and resumes an earlier download of it by any process of this data folder. */
  fetch(folder: string, file: RemoteFile): Promise<FetchedFile>;
}

/** The server showed another key than the pinned one: nothing was sent to it. */
export class HostKeyChanged extends Error {
  override readonly name = "HostKeyChanged";
  /** Fingerprint of the key that the server showed. */
  readonly fingerprint: string;

  constructor(fingerprint: string) {
    super(`The SFTP server shows the host key ${fingerprint}, which is not the pinned one`);
    this.fingerprint = fingerprint;
  }
}

/** Throws HostKeyChanged, or AppError: `refused` for errors that a retry cannot fix, `upstream` otherwise. */
export interface Sftp {
  open(settings: SftpSettings, signal: AbortSignal): Promise<SftpSession>;
}
