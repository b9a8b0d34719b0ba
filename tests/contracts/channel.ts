import { assertEquals, assertMatch } from "@std/assert";
import { CHANNELS } from "#src/gateway/notifications/channels/mod.ts";
import type { ChannelName } from "#src/domain/notification/mod.ts";
import type { TestNotifier } from "#tests/gateway/notifications/support.ts";

/** Product with workers, and the recipients of one channel. */
export interface ChannelSetting {
  readonly name: ChannelName;
  readonly product: TestNotifier;
  /** Properties of a rule that delivers to `addresses` by this channel alone, with the text `{ublNumber}`. */
  readonly rule: Readonly<Record<string, string>>;
  readonly addresses: readonly string[];
  /** Returns the messages that arrived; `id` contains the id of the delivery if the channel sends. */
  received(): Promise<readonly { readonly id: string; readonly text: string }[]>;
  /** Makes the peer refuse all messages, for good or for now, until `answer` is called. Every sending channel has it. */
  readonly peer?: { refuse(how: "final" | "temporary"): void; answer(): void };
}

/** Fires the rule by a status change and waits for all tasks. */
async function fire({ product, rule }: ChannelSetting): Promise<void> {
  await product.invoice();
  await product.rule("mine", { "trigger.status": "207", ...rule });
  await product.status("207", "x");
  await product.quiet();
}

const getDeliveries = ({ name, product }: ChannelSetting) => product.deliveries(`channel=${name}`);

function getPeer({ name, peer }: ChannelSetting): NonNullable<ChannelSetting["peer"]> {
  if (!peer) throw new Error(`${name} sends: its setting needs a peer that refuses`);
  return peer;
}

/** Contract of every channel. */
export const CHANNEL_CONTRACT: Readonly<Record<string, (it: ChannelSetting) => Promise<void>>> = {
  "each address receives the text of the rule once": async (setting) => {
    await fire(setting);
    const deliveries = await getDeliveries(setting);
    assertEquals(deliveries.map((it) => it.address).sort(), [...setting.addresses].sort());
    assertEquals(new Set(deliveries.map((it) => it.state)), new Set(["sent"]));
    const received = await setting.received();
    assertEquals(received.length, setting.addresses.length);
    for (const { text } of received) assertMatch(text, /Number [^{\s]/);
  },

  "a rule without the channel delivers nothing by it": async (setting) => {
    const rule = { ...setting.rule, [`channel.${setting.name}`]: "N" };
    const other = setting.name === "portal" ? "email" : "portal";
    const recipients = { [`channel.${other}`]: "Y", "email.list": "ann@example.fr" };
    await fire({ ...setting, rule: { ...rule, ...recipients } });
    assertEquals((await setting.product.deliveries(`channel=${other}`)).length > 0, true);
    assertEquals(await getDeliveries(setting), []);
  },
};

/** Contract of the channels that send messages to a peer. */
export const SENDING_CONTRACT: typeof CHANNEL_CONTRACT = {
  "a message carries the id of its delivery": async (setting) => {
    await fire(setting);
    const received = (await setting.received()).map((it) => it.id).sort();
    const deliveries = (await getDeliveries(setting)).map((it) => it.id).sort();
    assertEquals(received, deliveries);
  },

  "a message that the peer refuses for good is dead after one attempt": async (setting) => {
    getPeer(setting).refuse("final");
    await fire(setting);
    const deliveries = await getDeliveries(setting);
    const outcomes = deliveries.map((it) => [it.state, it.attempts]);
    assertEquals(outcomes, setting.addresses.map(() => ["dead", 1]));
    assertEquals(deliveries.every((it) => it.error !== null), true);
  },

  "a message that the peer refuses for now is sent later, once": async (setting) => {
    const { product } = setting;
    const peer = getPeer(setting);
    peer.refuse("temporary");
    await product.invoice();
    await product.rule("mine", { "trigger.status": "207", ...setting.rule });
    await product.status("207", "x");
    await product.tried(setting.name, setting.addresses.length);
    peer.answer();
    await product.quiet();
    const states = (await getDeliveries(setting)).map((it) => it.state);
    assertEquals(states, setting.addresses.map(() => "sent"));
    assertEquals((await setting.received()).length, setting.addresses.length);
  },

  "its owner needs the permission to read invoices": ({ name }) => {
    const channel = CHANNELS[name];
    const codes = channel.kind === "send"
      ? channel.needs({ chart: undefined }).map(({ code }) => code)
      : [];
    assertEquals(codes.includes("invoices:read"), true);
    return Promise.resolve();
  },
};
