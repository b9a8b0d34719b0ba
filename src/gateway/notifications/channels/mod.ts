import type { ChannelName } from "#src/domain/notification/mod.ts";
import type { Channel } from "./channel.ts";
import { email } from "./email/mod.ts";
import { portal } from "./portal/mod.ts";

/**
 * Channels by their property `channel.…` in the catalogue of rules. A new channel is a folder next to this file, one
 * line here and its properties in the catalogue.
 */
export const CHANNELS: Readonly<Record<ChannelName, Channel>> = { portal, email };

/** Returns a channel; undefined for deliveries of calls and of failed dispatches. */
export function findChannel(name: string): Channel | undefined {
  return Object.hasOwn(CHANNELS, name) ? CHANNELS[name as ChannelName] : undefined;
}
