import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { globSync, readFileSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { httpEgress } from "#src/adapters/egress/http_egress.ts";
import { serviceAt } from "#src/adapters/http/own_ports.ts";
import { serve } from "#src/adapters/http_server/server.ts";
import { addressKind } from "#src/domain/connector/addresses.ts";
import { AppError } from "#src/kernel/errors.ts";
import { selfSigned } from "#tests/support/certificate.ts";
import type { EgressRequest, OutboundTarget } from "#src/ports/egress.ts";

interface Peer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  connections: number;
}

async function peer(listener: RequestListener): Promise<Peer> {
  const server = createServer(listener);
  const it: Peer = {
    port: 0,
    url: "",
    connections: 0,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  server.on("connection", () => void it.connections++);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return Object.assign(it, { port, url: `http://127.0.0.1:${port}` });
}

const OPEN: OutboundTarget = { hosts: ["127.0.0.1", "peer.test"] };
const PRIVATE = ["127.0.0.1", "peer.test"];

const SAID = " cannot be reached; a host in a private network must be listed in PRIVATE_HOSTS";

function request(url: string, options: Partial<EgressRequest> = {}): EgressRequest {
  return {
    method: "GET",
    url,
    headers: {},
    reach: OPEN,
    timeoutMs: 5_000,
    maxBytes: 100_000,
    secrets: [],
    ...options,
  };
}

async function toFailure(work: Promise<unknown>): Promise<AppError> {
  const error = await assertRejects(() => work);
  assert(error instanceof AppError, String(error));
  return error;
}

Deno.test("E1 no spelling of a loopback or metadata address is called unless the host is listed as private", async (t) => {
  await using canary = await peer((_, response) => void response.end("reached"));
  const { port } = canary;
  const names = new Map([
    ["localhost", ["127.0.0.1"]],
    ["localhost.", ["127.0.0.1"]],
    ["127.0.0.1.nip.test", ["127.0.0.1"]],
    ["half.test", ["93.184.215.14", "127.0.0.1"]],
    ["mapped.test", ["::ffff:127.0.0.1"]],
  ]);
  const egress = httpEgress({ resolve: (name) => Promise.resolve(names.get(name) ?? []) });
  const hosts = [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:7f00:0001]",
    "[64:ff9b::127.0.0.1]",
    "[2002:7f00:1::]",
    "0.0.0.0",
    "0",
    "[::]",
    "127。0。0。1",
    "①②⑦.0.0.1",
    ...names.keys(),
    "169.254.169.254",
    "[fd00:ec2::254]",
  ];
  for (const host of hosts) {
    await t.step(host, async () => {
      const url = `http://${host}:${port}/`;
      const listed = URL.parse(url)?.hostname ?? "";
      const reach = { hosts: [listed, "127.0.0.1", "*.test"] };
      const error = await toFailure(egress.send(request(url, { reach })));
      assertEquals([error.code, error.message.endsWith(SAID)], ["upstream", true], error.message);
    });
  }
  assertEquals(canary.connections, 0);
});

Deno.test("E1 metadata and unspecified addresses are not called even when they are listed as private", async () => {
  for (const host of ["169.254.169.254", "0.0.0.0", "[fd00:ec2::254]", "[fe80::1]"]) {
    const egress = httpEgress({ privateHosts: [host] });
    const reach = { hosts: [host] };
    const error = await toFailure(egress.send(request(`http://${host}/`, { reach })));
    assertEquals([error.code, error.message.endsWith(SAID)], ["upstream", true], error.message);
  }
});

Deno.test("a closed port, a port without HTTP, a port of the product and an unlisted host give the same sentence", async (t) => {
  await using canary = await peer((_, response) => void response.end("reached"));
  const mute = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.resume().end("SSH-2.0-x\r\n");
  });
  mute.listen(0, "127.0.0.1");
  await once(mute, "listening");
  const other = (mute.address() as AddressInfo).port;
  const product = await serve(() => new Response("metrics"), { port: 0, host: "127.0.0.1" });
  const services = serviceAt(`postgres://user@database.test:${canary.port}/passerelle`);
  const resolve = (name: string) => Promise.resolve(name === "nobody.test" ? [] : ["10.0.0.7"]);
  const listed = { privateHosts: ["127.0.0.1", "database.test"], resolve };
  const cases: Record<string, readonly [string, Parameters<typeof httpEgress>[0]]> = {
    "not listed, open": [canary.url, { resolve }],
    "not listed, closed": ["http://127.0.0.1:1", { resolve }],
    "listed, closed": ["http://127.0.0.1:1", listed],
    "listed, without HTTP": [`http://127.0.0.1:${other}`, listed],
    "the product": [product.url, listed],
    "the product by its configuration": [canary.url, {
      ...listed,
      own: { ports: [canary.port], services: [] },
    }],
    "its database": [`http://database.test:${canary.port}`, {
      ...listed,
      own: { ports: [], services },
    }],
    "a name without address": ["http://nobody.test", listed],
  };
  for (const [name, [url, options]] of Object.entries(cases)) {
    await t.step(name, async () => {
      const host = new URL(url).hostname;
      const sent = httpEgress(options).send(request(url, { reach: { hosts: [host] } }));
      const { code, message, details } = await toFailure(sent);
      assertEquals([code, message, details], ["upstream", host + SAID, {}]);
    });
  }
  assertEquals(canary.connections, 0);
  await product.close(100);
  mute.close();
});

Deno.test("E1 other schemes, credentials in the address, and hosts or ports not listed are refused", async (t) => {
  await using canary = await peer((_, response) => void response.end("reached"));
  const { port } = canary;
  const reach = { hosts: ["127.0.0.1:1", "*.example.test"] };
  const urls = [
    "file:///etc/passwd",
    "gopher://127.0.0.1/",
    "data:text/plain,x",
    "unix:/var/run/docker.sock",
    "ftp://127.0.0.1/",
    `http://127.0.0.1@127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}/`,
    `http://example.test:${port}/`,
    `http://evilexample.test:${port}/`,
    "not an address",
  ];
  for (const url of urls) {
    await t.step(url, async () => {
      assertEquals(
        (await toFailure(httpEgress({ privateHosts: PRIVATE }).send(request(url, { reach })))).code,
        "refused",
      );
    });
  }
  assertEquals(canary.connections, 0);
});

Deno.test("E1 a redirect is an answer and is not followed", async () => {
  await using canary = await peer((_, response) => void response.end("reached"));
  await using it = await peer((request, response) => {
    response.writeHead(Number(request.url?.slice(1)), { location: canary.url }).end("moved");
  });
  for (const status of [301, 302, 303, 307, 308]) {
    assertEquals(
      (await httpEgress({ privateHosts: PRIVATE }).send(request(`${it.url}/${status}`))).status,
      status,
    );
  }
  assertEquals(canary.connections, 0);
});

Deno.test("E1 a name that resolves to another address a moment later is called at the address that was looked at", async () => {
  await using it = await peer((request, response) => void response.end(request.headers.host));
  let asked = 0;
  const egress = httpEgress({
    privateHosts: PRIVATE,
    resolve: () => Promise.resolve(asked++ ? ["169.254.169.254"] : ["127.0.0.1"]),
  });
  const answer = await egress.send(request(`http://peer.test:${it.port}/`));
  assertEquals([new TextDecoder().decode(answer.bytes), asked], [`peer.test:${it.port}`, 1]);
});

Deno.test("E3 an answer is bounded in size, packed or not, and in time", async (t) => {
  const steps: Record<string, { answer: RequestListener; says: RegExp }> = {
    "without end": {
      answer: (_, response) => {
        const more = () => {
          if (!response.destroyed) response.write("x".repeat(50_000), () => setImmediate(more));
        };
        more();
      },
      says: /larger than/,
    },
    "told to be 10 GB": {
      answer: (_, response) =>
        void response.writeHead(200, { "content-length": 10_737_418_240 }).write(
          "x".repeat(200_000),
        ),
      says: /larger than/,
    },
    "a gzip bomb": {
      answer: (_, response) =>
        void response.writeHead(200, { "content-encoding": "gzip" }).end(
          gzipSync(new Uint8Array(20_000_000)),
        ),
      says: /larger than/,
    },
    "packed twice in an unknown way": {
      answer: (_, response) =>
        void response.writeHead(200, { "content-encoding": "rot13" }).end("x"),
      says: /packed/,
    },
    "never": { answer: () => {}, says: /within 0.3 s/ },
    "drop by drop": {
      answer: (_, response) => {
        const timer = setInterval(() => response.write("x"), 20);
        response.on("close", () => clearInterval(timer));
      },
      says: /within 0.3 s/,
    },
    "with a million headers": {
      answer: (_, response) => {
        const lines = Array.from({ length: 20_000 }, (_, at) => `h${at}: ${"x".repeat(50)}\r\n`)
          .join("");
        response.socket?.end(`HTTP/1.1 200 OK\r\n${lines}\r\nok`);
      },
      says: /cannot be reached/,
    },
    "cut short": {
      answer: (_, response) => {
        response.writeHead(200, { "content-length": 100 }).write("x");
        setTimeout(() => response.socket?.destroy(), 20);
      },
      says: /./,
    },
    "no HTTP": { answer: (_, response) => void response.socket?.end("SSH-2.0-x\r\n"), says: /./ },
  };
  for (const [name, { answer, says }] of Object.entries(steps)) {
    await t.step(name, async () => {
      await using it = await peer(answer);
      const timeoutMs = says.source.includes("0.3") ? 300 : 5_000;
      const error = await toFailure(
        httpEgress({ privateHosts: PRIVATE }).send(request(it.url, { timeoutMs })),
      );
      assertEquals(error.code, "upstream");
      assertMatch(error.message, says);
    });
  }
});

Deno.test("a name whose resolution hangs is aborted in time", async () => {
  const egress = httpEgress({ resolve: () => new Promise(() => {}) });
  const error = await toFailure(egress.send(request("http://peer.test/", { timeoutMs: 100 })));
  assertEquals([error.code, error.details], ["upstream", { timeout: true }]);
});

Deno.test("a call this process cuts is interrupted, which says that it may have taken effect", async () => {
  const ending = new AbortController();
  await using it = await peer((_, response) => {
    response.writeHead(200).write("begun");
    ending.abort();
  });
  const cut = request(it.url, { method: "POST", body: "{}", signal: ending.signal });
  const error = await toFailure(httpEgress({ privateHosts: PRIVATE }).send(cut));
  assertEquals([error.code, error.details], ["upstream", { interrupted: true }]);
  assertMatch(error.message, /was interrupted .* whether it took effect is not known/);
  const before = await toFailure(httpEgress({ privateHosts: PRIVATE }).send(cut));
  assertEquals([before.details, it.connections], [{ interrupted: true }, 1]);
});

Deno.test("packed answers are unpacked", async () => {
  await using it = await peer((_, response) =>
    void response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("hello"))
  );
  const answer = await httpEgress({ privateHosts: PRIVATE }).send(request(it.url));
  assertEquals(new TextDecoder().decode(answer.bytes), "hello");
});

Deno.test("a POST whose connection dies is sent once", async () => {
  const sockets: Socket[] = [];
  const server = createTcpServer((socket) => {
    sockets.push(socket);
    socket.on("data", () => socket.destroy());
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const error = await toFailure(
    httpEgress({ privateHosts: PRIVATE }).send(
      request(`http://127.0.0.1:${port}/`, { method: "POST", body: "{}" }),
    ),
  );
  assertEquals([error.code, sockets.length], ["upstream", 1]);
  server.close();
  await once(server, "close");
});

Deno.test("E5 an untrusted certificate, or one for another name, is refused", async () => {
  let asked = 0;
  const server = createTlsServer(selfSigned(), (_, response) => void response.end(String(asked++)));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const egress = httpEgress({
    privateHosts: PRIVATE,
    resolve: () => Promise.resolve(["127.0.0.1"]),
  });
  for (const host of ["127.0.0.1", "peer.test"]) {
    const error = await toFailure(egress.send(request(`https://${host}:${port}/`)));
    assertEquals([error.code, asked], ["upstream", 0]);
  }
  server.close();
  await once(server, "close");
});

Deno.test("E5 no code of the product looks away from a certificate", () => {
  const root = join(import.meta.dirname ?? ".", "..", "..");
  const files = globSync("{src,workers}/**/*.{ts,js}", { cwd: root });
  const careless = files.filter((file) =>
    /unsafelyIgnoreCertificateErrors|rejectUnauthorized:\s*false|NODE_TLS_REJECT/.test(
      readFileSync(join(root, file), "utf8"),
    )
  );
  assertEquals([files.length > 100, careless], [true, []]);
});

Deno.test("addresses are validated by the address they embed", () => {
  const kinds = {
    public: [
      "93.184.215.14",
      "2606:2800:21f:cb07:6820:80da:af6b:8b2c",
      "::ffff:8.8.8.8",
      "64:ff9b::8.8.8.8",
      "172.32.0.1",
      "100.128.0.1",
    ],
    private: [
      "10.1.2.3",
      "172.16.0.1",
      "172.31.255.255",
      "192.168.1.1",
      "127.8.9.1",
      "::1",
      "fc00::1",
      "fdff::1",
      "100.64.0.1",
      "::ffff:10.0.0.1",
    ],
    never: [
      "0.1.2.3",
      "169.254.1.1",
      "224.0.0.1",
      "255.255.255.255",
      "::",
      "fe80::1%eth0",
      "ff02::1",
      "2001:db8::1",
      "64:ff9b:1::1",
      "x",
      "",
      "1.2.3",
      "1:2:3",
      "::1::",
      "256.1.1.1",
    ],
  };
  for (const [kind, addresses] of Object.entries(kinds)) {
    for (const address of addresses) assertEquals(addressKind(address), kind, address);
  }
});
