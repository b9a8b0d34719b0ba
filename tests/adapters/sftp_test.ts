import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sshSftp } from "#src/adapters/sftp/ssh.ts";
import { AppError } from "#src/kernel/errors.ts";
import {
  type FetchedFile,
  HostKeyChanged,
  type RemoteFile,
  type Sftp,
  type SftpSession,
  type SftpSettings,
} from "#src/ports/sftp.ts";
import { SFTP_SIGN_IN, sftpServer } from "#tests/support/sftp_server.ts";

const NEVER = new AbortController().signal;

async function client(): Promise<AsyncDisposable & { sftp: Sftp; parts: string }> {
  const parts = await mkdtemp(join(tmpdir(), "passerelle-sftp-"));
  return {
    parts,
    sftp: sshSftp({ partsFolder: parts, nowMs: () => Date.now(), connectMs: 1_000 }),
    [Symbol.asyncDispose]: () => rm(parts, { recursive: true, force: true }),
  };
}

function settings(
  server: { port: number; fingerprint: string },
  more: Partial<SftpSettings> = {},
): SftpSettings {
  return {
    host: "127.0.0.1",
    port: server.port,
    hostKey: server.fingerprint,
    ...SFTP_SIGN_IN,
    ...more,
  };
}

async function formatText(file: FetchedFile): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.content()) chunks.push(chunk);
  return chunks.map((it) => new TextDecoder().decode(it)).join("");
}

async function only(session: SftpSession): Promise<RemoteFile> {
  const [file] = (await session.list("/spool")).files;
  if (!file) throw new Error("the server lists nothing");
  return file;
}

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("files are listed and fetched whole, with their digest", async () => {
  await using server = await sftpServer();
  await using it = await client();
  const large = "<a>" + "x".repeat(3_000_000) + "</a>";
  server.files.set("large.xml", { content: bytes(large), modified: 1_700_000_000 });
  server.files.set("empty.xml", { content: bytes(""), modified: 1_700_000_001 });
  await using session = await it.sftp.open(settings(server), NEVER);
  const { files, unsafe } = await session.list("/spool");
  assertEquals([files.map((one) => one.name), unsafe], [["large.xml", "empty.xml"], 0]);
  assertEquals(files[0], { name: "large.xml", size: 3_000_007, modified: 1_700_000_000_000 });
  for (const [at, text] of [large, ""].entries()) {
    const file = files[at] ?? await only(session);
    await using fetched = await session.fetch("/spool", file);
    assertEquals(fetched.size, text.length);
    assertEquals(fetched.sha256, createHash("sha256").update(text).digest("hex"));
    assertEquals(await formatText(fetched), text);
  }
  assertEquals(await readdir(it.parts), []);
});

Deno.test("E6 a server with another host key is not signed in to", async () => {
  await using server = await sftpServer();
  await using other = await sftpServer();
  await using it = await client();
  const error = await assertRejects(
    () => it.sftp.open(settings(server, { hostKey: other.fingerprint }), NEVER),
    HostKeyChanged,
  );
  assertEquals([error.fingerprint, server.signIns], [server.fingerprint, []]);
  const unpinned = await assertRejects(
    () => it.sftp.open(settings(server, { hostKey: "" }), NEVER),
    AppError,
  );
  assertEquals([unpinned.code, server.signIns], ["refused", []]);
  await using session = await it.sftp.open(
    settings(server, { hostKey: `${other.fingerprint}\n${server.fingerprint}` }),
    NEVER,
  );
  assert(session);
});

Deno.test("E6 names that could lead elsewhere are left out and counted", async () => {
  await using server = await sftpServer();
  await using it = await client();
  const names = [
    "../x.xml",
    "..",
    "a/b.xml",
    "/etc/passwd",
    "a\\b.xml",
    ".hidden.xml",
    "a\nb.xml",
    "good.xml",
    "x".repeat(250) + ".xml",
  ];
  for (const name of names) server.files.set(name, { content: bytes("<a/>"), modified: 1 });
  await using session = await it.sftp.open(settings(server), NEVER);
  const { files, unsafe } = await session.list("/spool");
  assertEquals(files.map((one) => one.name), ["good.xml"]);
  assert(unsafe >= 6, String(unsafe));
});

Deno.test("E6 a server that offers only weak algorithms is refused", async () => {
  await using server = await sftpServer(
    { algorithms: { kex: ["diffie-hellman-group1-sha1"] } },
  );
  await using it = await client();
  const error = await assertRejects(() => it.sftp.open(settings(server), NEVER), AppError);
  assertMatch(error.message, /too weak|does not answer/);
  assertEquals(server.signIns, []);
});

Deno.test("E6 a server that never ends its banner is given up", async () => {
  const flood = createServer((socket) => {
    const timer = setInterval(() => socket.write("x".repeat(1000) + "\r\n"), 1);
    socket.on("close", () => clearInterval(timer));
    socket.on("error", () => {});
  });
  flood.listen(0, "127.0.0.1");
  await once(flood, "listening");
  await using it = await client();
  const { port } = flood.address() as AddressInfo;
  const error = await assertRejects(
    () => it.sftp.open(settings({ port, fingerprint: `SHA256:${"a".repeat(43)}` }), NEVER),
    AppError,
  );
  assertEquals(error.code, "upstream");
  flood.close();
});

Deno.test("a wrong password is reported and not retried", async () => {
  await using server = await sftpServer();
  await using it = await client();
  const error = await assertRejects(
    () => it.sftp.open(settings(server, { password: "wrong" }), NEVER),
    AppError,
  );
  assertEquals(error.code, "refused");
  assert(!error.message.includes("wrong"));
});

Deno.test("a file cut in the middle goes on where it stopped", async () => {
  await using server = await sftpServer();
  await using it = await client();
  const text = "0123456789".repeat(200_000);
  server.files.set("a.xml", { content: bytes(text), modified: 1 });
  server.cutAfter = 700_000;
  {
    await using session = await it.sftp.open(settings(server), NEVER);
    const file = await only(session);
    const error = await assertRejects(() => session.fetch("/spool", file), AppError);
    assertEquals(error.code, "upstream");
  }
  assertEquals((await readdir(it.parts)).length, 1);
  server.cutAfter = undefined;
  server.reads.length = 0;
  await using session = await it.sftp.open(settings(server), NEVER);
  const file = await only(session);
  await using fetched = await session.fetch("/spool", file);
  assertEquals(await formatText(fetched), text);
  const first = Math.min(...server.reads.map((one) => one.offset));
  assert(first > 0, `went on at ${first}`);
});

Deno.test("a file that changed since it was cut, or while it is fetched, is never put together of two", async () => {
  await using server = await sftpServer();
  await using it = await client();
  server.files.set("a.xml", { content: bytes("a".repeat(500_000)), modified: 1 });
  server.cutAfter = 200_000;
  {
    await using session = await it.sftp.open(settings(server), NEVER);
    const file = await only(session);
    await assertRejects(() => session.fetch("/spool", file), AppError);
  }
  server.cutAfter = undefined;
  server.files.set("a.xml", { content: bytes("b".repeat(500_000)), modified: 2 });
  await using session = await it.sftp.open(settings(server), NEVER);
  const file = await only(session);
  await using fetched = await session.fetch("/spool", file);
  assertEquals(await formatText(fetched), "b".repeat(500_000));
  server.files.set("a.xml", { content: bytes("c".repeat(500_000)), modified: 3 });
  const error = await assertRejects(
    () => session.fetch("/spool", { ...file, modified: 9 }),
    AppError,
  );
  assertMatch(error.message, /changed while/);
});
