export interface ServerEvent {
  readonly id: string | undefined;
  readonly event: string;
  // deno-lint-ignore no-explicit-any -- an event's shape is what the test asserts
  readonly data: any;
}

/** Reads server-sent events until `enough` says so, then leaves. */
export async function readEvents(
  response: Response,
  enough: (events: readonly ServerEvent[]) => boolean,
): Promise<ServerEvent[]> {
  const events: ServerEvent[] = [];
  const reader = (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())
    .getReader();
  let rest = "";
  while (!enough(events)) {
    const { value, done } = await reader.read();
    if (done) break;
    const blocks = (rest + value).split("\n\n");
    rest = blocks.pop() ?? "";
    events.push(...blocks.filter((it) => !it.startsWith(":")).map(parse));
  }
  await reader.cancel();
  return events;
}

function parse(block: string): ServerEvent {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
  return {
    id: field("id"),
    event: field("event") ?? "message",
    data: JSON.parse(field("data") ?? "null"),
  };
}
