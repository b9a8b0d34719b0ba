import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { EgressAnswer } from "#src/ports/egress.ts";
import type { FilledRequest } from "./fill_request.ts";

const REDIRECTS = [301, 302, 303, 307, 308];

/**
 * Sends, and follows redirects of GET and HEAD as far as the connector allows, on the host it is for: what proves the caller is
 * shown to no other. Throws AppError `upstream` for a redirect that leads elsewhere or too far.
 */
export async function followed(
  { method, url }: FilledRequest,
  { send, most, name }: {
    send(url: string): Promise<EgressAnswer>;
    most: number;
    name: string;
  },
): Promise<EgressAnswer> {
  let at = new URL(url);
  for (let hops = 0;; hops++) {
    const answer = await send(at.href);
    const location = answer.headers.get("location");
    const isFollowed = most > 0 && location !== undefined && REDIRECTS.includes(answer.status) &&
      (method === "GET" || method === "HEAD");
    if (!isFollowed) return answer;
    if (hops >= most) {
      throw new AppError("upstream", say`${name} redirects more than ${most} times`);
    }
    const next = URL.canParse(location, at) ? new URL(location, at) : undefined;
    if (next?.origin !== at.origin) {
      const host = next?.host ?? location.slice(0, 100);
      throw new AppError("upstream", say`${name} redirects to another host: ${host}`);
    }
    at = next;
  }
}
