import { assert, assertEquals } from "@std/assert";
import { createServer } from "node:http";
import { paClient } from "#src/adapters/pa/mod.ts";
import { LOOPBACK } from "#tests/sandbox/support.ts";
import { allFlows, findNewest, listFlows } from "#src/gateway/submission/pa/listing.ts";
import type { Pa } from "#src/ports/pa.ts";

const NOW = new Date("2026-06-02T00:00:00Z");

interface Careless extends AsyncDisposable {
  readonly pa: Pa;
  readonly searches: () => number;
}

interface Listed {
  readonly flowId: string;
  readonly updatedAt: string;
  readonly direction: "In" | "Out";
}

/** Starts a PA without cursor and order that silently truncates its answers. */
async function carelessPa(
  flows: readonly Listed[],
  page: number,
  {
    ignoresBefore = false,
    ignoresAfter = false,
    stamps = (it: string) => it,
    cursorOf = (_: number): string | undefined => undefined,
  } = {},
): Promise<Careless> {
  let searches = 0;
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    searches++;
    const { where, limit } = JSON.parse(text);
    const found = flows.filter((it) =>
      (!where.updatedAfter || ignoresAfter ||
        Date.parse(it.updatedAt) > Date.parse(where.updatedAfter)) &&
      (!where.updatedBefore || ignoresBefore ||
        Date.parse(it.updatedAt) < Date.parse(where.updatedBefore)) &&
      (!where.flowDirection || where.flowDirection.includes(it.direction)) &&
      (!where.ackStatus || where.ackStatus === "Ok")
    );
    const results = found.slice(0, Math.min(limit ?? 25, page))
      .map(({ direction: flowDirection, ...it }) => ({
        ...it,
        updatedAt: stamps(it.updatedAt),
        flowDirection,
        acknowledgement: { status: "Ok" },
      }));
    response.writeHead(200, { "content-type": "application/json" }).end(
      JSON.stringify({ results, nextCursor: cursorOf(searches) }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    pa: paClient({
      name: "careless",
      baseUrl: `http://127.0.0.1:${port}`,
      auth: { kind: "bearer", token: "t" },
      timeoutMs: 5_000,
    }, LOOPBACK),
    searches: () => searches,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readAll(pa: Pa): Promise<Set<string>> {
  const seen = new Set<string>();
  for await (const page of listFlows(pa, { updatedAfter: "2026-01-01T00:00:00.000Z", now: NOW })) {
    for (const flow of page.flows) seen.add(flow.flowId);
  }
  return seen;
}

/** Returns `n` flows in random order, `ties` of them at the same instant. */
function shuffle(n: number, ties = 1): Listed[] {
  return Array.from({ length: n }, (_, at) => at)
    .map((at) => ({
      flowId: `f${at}`,
      updatedAt: new Date(Date.UTC(2026, 5, 1) + Math.floor(at / ties) * 1_000).toISOString(),
      direction: at % 2 ? "In" as const : "Out" as const,
    }))
    .sort((a, b) =>
      (Number(a.flowId.slice(1)) * 7919) % n - (Number(b.flowId.slice(1)) * 7919) % n
    );
}

for (const page of [100, 25]) {
  Deno.test(`a listing without order or cursor, cut at ${page}, is read to its end`, async () => {
    await using careless = await carelessPa(shuffle(997), page);
    assertEquals((await readAll(careless.pa)).size, 997);
    assert(careless.searches() < 400, `${careless.searches()} searches`);
  });
}

Deno.test("a flow dated ahead of any clock cuts nothing off a listing", async () => {
  const far = { flowId: "far", updatedAt: "+275760-09-13T00:00:00.000Z", direction: "In" as const };
  await using careless = await carelessPa([far, ...shuffle(300)], 20);
  assertEquals((await readAll(careless.pa)).size, 301);
  assert(careless.searches() < 300, `${careless.searches()} searches`);
});

Deno.test("many flows of one instant are separated by their direction", async () => {
  await using careless = await carelessPa(shuffle(150, 150), 100);
  assertEquals((await readAll(careless.pa)).size, 150);
});

Deno.test("a listing shorter than any PA cuts is one search", async () => {
  await using careless = await carelessPa(shuffle(9), 100);
  assertEquals([(await readAll(careless.pa)).size, careless.searches()], [9, 1]);
});

Deno.test("a listing cut at an unannounced length is read to its end, or not called complete", async () => {
  const since = { updatedAfter: "2026-01-01T00:00:00.000Z", now: NOW };
  await using careless = await carelessPa(shuffle(70), 20);
  assertEquals((await allFlows(careless.pa, { ...since, maxPages: 50 }))?.length, 70);
  assertEquals(await allFlows(careless.pa, { ...since, maxPages: 3 }), undefined);
  await using crowded = await carelessPa(shuffle(150, 150), 20);
  assertEquals(await allFlows(crowded.pa, { ...since, maxPages: 50 }), undefined);
});

Deno.test("a PA that ignores the end of a window is not polled forever", async () => {
  const flows = shuffle(300);
  await using careless = await carelessPa(flows, 20, { ignoresBefore: true });
  const found = await allFlows(careless.pa, {
    updatedAfter: "2026-01-01T00:00:00.000Z",
    now: NOW,
    maxPages: 10_000,
  });
  assertEquals(found, undefined);
  assert(careless.searches() < 50, `${careless.searches()} searches`);
});

for (const isSorted of [true, false]) {
  Deno.test(`a PA that ignores the beginning of a window, its flows ${isSorted ? "" : "not "}sorted, is not asked for ever`, async () => {
    const flows = shuffle(300);
    if (isSorted) flows.sort((a, b) => a.updatedAt < b.updatedAt ? -1 : 1);
    await using careless = await carelessPa(flows, 20, { ignoresAfter: true });
    await readAll(careless.pa);
    assert(careless.searches() < 50, `${careless.searches()} searches`);
  });
}

Deno.test("a PA whose flows always changed just now is not polled forever", async () => {
  let now = NOW.getTime();
  const stamps = () => new Date(now++).toISOString();
  await using careless = await carelessPa(shuffle(300), 20, {
    ignoresAfter: true,
    ignoresBefore: true,
    stamps,
  });
  await readAll(careless.pa);
  assert(careless.searches() < 50, `${careless.searches()} searches`);
});

Deno.test("a PA that returns endless cursors without flows is not polled forever", async () => {
  const cursorOf = (searches: number) => searches < 50 ? `c${searches}` : undefined;
  await using careless = await carelessPa(shuffle(300), 20, { cursorOf });
  const since = { updatedAfter: "2026-01-01T00:00:00.000Z", now: NOW, maxPages: 100 };
  assertEquals(await allFlows(careless.pa, since), undefined, "it is not the whole");
  assert(careless.searches() < 5, `${careless.searches()} searches`);
});

Deno.test("the newest change of a page is the PA's own time; invalid or future times do not count", () => {
  const flow = (updatedAt: string | undefined) =>
    ({ updatedAt }) as Parameters<typeof findNewest>[0][number];
  assertEquals(
    findNewest([
      flow("2026-06-01T10:00:00Z"),
      flow("soon"),
      flow(undefined),
      flow("2026-06-01T12:00:00+02:00"),
      flow("2026-06-09T10:00:00Z"),
    ], NOW),
    Date.UTC(2026, 5, 1, 10),
  );
  assertEquals(findNewest([flow("soon")], NOW), undefined);
});
