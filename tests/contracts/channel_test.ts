import { assertEquals } from "@std/assert";
import { CHANNEL_NAMES, type ChannelName } from "#src/domain/notification/mod.ts";
import { CHANNELS } from "#src/gateway/notifications/channels/mod.ts";
import { startSmtp } from "#tests/gateway/mail/support.ts";
import { startNotifier } from "#tests/gateway/notifications/support.ts";
import { CHANNEL_CONTRACT, type ChannelSetting, SENDING_CONTRACT } from "./channel.ts";

type Setting = Omit<ChannelSetting, "name"> & AsyncDisposable;

const REFUSALS = { final: 550, temporary: 451 };

/** Starts a product and the recipients of each channel. */
const SETTINGS: Readonly<Record<ChannelName, () => Promise<Setting>>> = {
  portal: async () => {
    const product = await startNotifier();
    return {
      product,
      rule: { "channel.portal": "Y", "portal.message": "Number {ublNumber}" },
      addresses: ["*"],
      received: async () => (await product.inbox()).map(({ id, message: text }) => ({ id, text })),
      [Symbol.asyncDispose]: () => product[Symbol.asyncDispose](),
    };
  },
  email: async () => {
    let responseCode: number | undefined;
    const refuse = () =>
      responseCode === undefined ? undefined : Object.assign(new Error("no"), { responseCode });
    await using parts = new AsyncDisposableStack();
    const smtp = parts.use(await startSmtp({ refuse }));
    const product = parts.use(await startNotifier());
    const body = { name: "global", type: "system", properties: smtp.properties };
    await product.call("PUT", "/api/templates/global", body);
    const all = parts.move();
    return {
      product,
      rule: {
        "channel.portal": "N",
        "channel.email": "Y",
        "email.list": "ann@example.fr;bob@example.fr",
        "body": "Number {ublNumber}",
        "attachPdf": "N",
      },
      addresses: ["ann@example.fr", "bob@example.fr"],
      received: () =>
        Promise.resolve(smtp.received.map(({ text }) => ({
          id: /Message-ID: <([^@]+)@/i.exec(text)?.[1] ?? "",
          text,
        }))),
      peer: {
        refuse: (how) => responseCode = REFUSALS[how],
        answer: () => responseCode = undefined,
      },
      [Symbol.asyncDispose]: () => all.disposeAsync(),
    };
  },
};

Deno.test("every channel is tested against the contract", () => {
  const names = [...CHANNEL_NAMES].sort();
  assertEquals(Object.keys(SETTINGS).sort(), names);
  assertEquals(Object.keys(CHANNELS).sort(), names);
});

for (const name of CHANNEL_NAMES) {
  const promises = {
    ...CHANNEL_CONTRACT,
    ...CHANNELS[name].kind === "send" && SENDING_CONTRACT,
  };
  for (const [promise, check] of Object.entries(promises)) {
    Deno.test(`notifications by ${name}: ${promise}`, async () => {
      await using setting = await SETTINGS[name]();
      await check({ ...setting, name });
    });
  }
}
