import { useMay } from "../api/me.tsx";
import { useRead } from "../api/queries.ts";
import { foldText } from "./fold.ts";
import { findActor, namesOfActors } from "./who.ts";

/** Most names offered; others are typed. */
const MAX_USERS = 200;

interface UserNames {
  /** Names of users to offer in a filter; none to a reader who may not list users. */
  readonly offered: readonly string[];
  /** False until the names are known. */
  readonly isReady: boolean;
  /** Returns the username of a typed name, and any other text as an actor. */
  find(typed: string): string;
  /** Returns the actor whose whole offered name was typed, and otherwise those whose name has the typed part. */
  findAll(typed: string): FoundActors;
}

export interface FoundActors {
  readonly actor?: string;
  /** Actors whose shown name has the part; the stored name of others may have it, too. */
  readonly named: readonly string[];
}

/** Returns the names of users. Readers know people by their display names, while lists store usernames. */
export function useUserNames(): UserNames {
  const canList = useMay()("users:read");
  const read = useRead("/admin/users", { query: { limit: MAX_USERS } }, { when: canList });
  const users = (read.data?.users ?? []).map(({ username, display_name: name }) => ({
    username,
    name,
    label: name && name !== username ? `${name} (${username})` : username,
  }));
  return {
    offered: users.map(({ label }) => label),
    isReady: !canList || !read.isPending,
    findAll(typed) {
      const text = foldText(typed.trim());
      const all = [
        ...users.map(({ username, label }) => ({ actor: username, shown: foldText(label) })),
        ...Object.entries(namesOfActors()).map(([actor, it]) => ({ actor, shown: foldText(it) })),
      ];
      const whole = all.find(({ shown }) => shown === text);
      if (whole) return { actor: whole.actor, named: [] };
      const named = all.filter(({ actor, shown }) =>
        shown.includes(text) && !foldText(actor).includes(text)
      );
      return { named: named.map(({ actor }) => actor) };
    },
    find(typed) {
      const text = foldText(typed.trim());
      const known = users.find((it) => [it.username, it.label].some((a) => foldText(a) === text));
      const [named, other] = users.filter(({ name }) => foldText(name) === text);
      // A part of a name stands for the only user who has it.
      const [part, more] = text ? users.filter(({ label }) => foldText(label).includes(text)) : [];
      // Labels distinguish users with the same name.
      const found = known ?? (other ? undefined : named ?? (more ? undefined : part));
      return found?.username ?? findActor(typed);
    },
  };
}
