import { makePassword } from "#src/platform/access/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence, type Text } from "#src/kernel/i18n/sentence.ts";
import { readStandardInput } from "./input.ts";
import { type Io, translate, usage } from "./io.ts";
import { type AdminClient, directAdmin, remoteAdmin } from "./admin_client.ts";
import { openProductFor, runningProduct } from "./product.ts";
import { readOptions } from "./arguments.ts";

export const USAGE: Text = {
  en: `service-admin
  show USERNAME                                    effective permissions and the roles they come from
  roles                                            roles, their members and permissions
  create-user USERNAME [--name N] [--role R]… [--stdin]
  set-password USERNAME [--stdin]                  every session of the user ends
  grant USERNAME ROLE…
  revoke USERNAME ROLE…
  rotate-keys [--forget]                           a new signing key; --forget ends the old one's tokens at once
  verify-audit                                     exit 1 when an entry was changed or removed
Without --stdin a password is made and shown once.`,
  fr: `service-admin
  show USERNAME                                    permissions effectives et rôles dont elles viennent
  roles                                            rôles, leurs membres et leurs permissions
  create-user USERNAME [--name N] [--role R]… [--stdin]
  set-password USERNAME [--stdin]                  toutes les sessions de l'utilisateur se terminent
  grant USERNAME ROLE…
  revoke USERNAME ROLE…
  rotate-keys [--forget]                           nouvelle clé de signature ; --forget termine aussitôt les jetons de l'ancienne
  verify-audit                                     code de sortie 1 quand une entrée a été modifiée ou supprimée
Sans --stdin, un mot de passe est créé et affiché une seule fois.`,
};

type Work = (admin: AdminClient, io: Io) => Promise<number>;

/** Manages users and roles, in this process or through the product that runs on the data folder. */
export async function serviceAdminCommand(args: readonly string[], io: Io): Promise<number> {
  const work = getWork(args);
  const url = await runningProduct(io);
  if (url) return await work(remoteAdmin(url, io), io);
  await using product = await openProductFor(io, { work: false });
  return await work(directAdmin(product.deps, io), io);
}

function getWork(args: readonly string[]): Work {
  const { values, positionals: [verb = "", username, ...rest] } = readOptions({
    args: [...args],
    allowPositionals: true,
    options: {
      name: { type: "string", default: "" },
      role: { type: "string", multiple: true, default: [] },
      stdin: { type: "boolean", default: false },
      forget: { type: "boolean", default: false },
    },
  });
  if (verb === "roles") return showRoles;
  if (verb === "verify-audit") return verifyAudit;
  if (verb === "rotate-keys") return (admin, io) => rotate(admin, io, values.forget);
  if (username === undefined) throw new AppError("invalid", usage(USAGE));
  if (verb === "show") return (admin, io) => show(admin, io, username);
  if (verb === "create-user") return (admin, io) => create(admin, io, { ...values, username });
  if (verb === "set-password") return (admin, io) => password(admin, io, { ...values, username });
  if (verb === "grant" && rest.length) {
    return (admin, io) =>
      changeRoles(admin, io, { username, change: (held) => [...held, ...rest] });
  }
  if (verb === "revoke" && rest.length) {
    return (admin, io) =>
      changeRoles(admin, io, {
        username,
        change: (held) => held.filter((it) => !rest.includes(it)),
      });
  }
  throw new AppError("invalid", usage(USAGE));
}

async function show(admin: AdminClient, io: Io, username: string): Promise<number> {
  const user = await admin.user(username);
  const standing = user.active ? say`active` : say`disabled`;
  io.out(translate(io, say`${user.username}  ${user.display_name}  ${standing}`));
  io.out(translate(io, say`roles: ${user.roles.length ? user.roles : say`none`}`));
  const width = Math.max(0, ...user.contributions.map((it) => it.permission.length));
  for (const { permission, roles } of user.contributions) {
    io.out(`${permission.padEnd(width)}  ${roles.join(", ")}`);
  }
  return 0;
}

async function showRoles(admin: AdminClient, io: Io): Promise<number> {
  for (
    const { name, members, inherits_from: parents, effective_permissions: codes } of await admin
      .roles()
  ) {
    const from = parents.length ? say` (inherits ${parents})` : "";
    const held = codes.join(" ") || say`nothing`;
    io.out(translate(io, say`${name}  members: ${members}${from}: ${held}`));
  }
  return 0;
}

interface Secret {
  readonly username: string;
  readonly stdin: boolean;
}

async function create(
  admin: AdminClient,
  io: Io,
  user: Secret & { name: string; role: string[] },
): Promise<number> {
  const { username, name, role: roles } = user;
  const { secret, shown } = await readPassword(user);
  await admin.create({ username, display_name: name, password: secret, roles });
  io.out(translate(io, say`${username} was created${shown}`));
  return 0;
}

async function password(admin: AdminClient, io: Io, user: Secret): Promise<number> {
  const { secret, shown } = await readPassword(user);
  await admin.setPassword(user.username, secret);
  io.out(translate(io, say`The password of ${user.username} was set${shown}`));
  return 0;
}

async function changeRoles(
  admin: AdminClient,
  io: Io,
  { username, change }: { username: string; change: (held: readonly string[]) => string[] },
): Promise<number> {
  const before = await admin.user(username);
  await admin.setRoles(username, change(before.roles));
  const { roles } = await admin.user(username);
  io.out(translate(io, say`${username}: ${roles.length ? roles : say`no roles`}`));
  return 0;
}

async function rotate(admin: AdminClient, io: Io, forget: boolean): Promise<number> {
  const key = await admin.rotateKeys({ forget });
  io.out(translate(io, say`Tokens are signed with ${key} from now on`));
  return 0;
}

async function verifyAudit(admin: AdminClient, io: Io): Promise<number> {
  const { rows, brokenAt } = await admin.verifyAudit();
  const verdict = brokenAt === undefined
    ? say`${rows} entries are whole`
    : say`The chain breaks at entry ${brokenAt}`;
  io.out(translate(io, verdict));
  return brokenAt === undefined ? 0 : 1;
}

async function readPassword(
  { stdin }: Secret,
): Promise<{ secret: string; shown: Sentence | string }> {
  if (stdin) return { secret: await readStandardInput(), shown: "" };
  const secret = makePassword();
  return { secret, shown: say`; the password, shown once: ${secret}` };
}
