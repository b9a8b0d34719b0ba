import { assertEquals, assertRejects } from "@std/assert";
import { directoryClient } from "#src/adapters/pa/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { Directory, DirectorySubject } from "#src/ports/directory.ts";
import { PaError } from "#src/ports/pa.ts";
import { LOOPBACK, type Peer, startPeer } from "#tests/sandbox/support.ts";

async function find(directory: Directory, subject: DirectorySubject): Promise<boolean> {
  return (await directory.check(subject)).found;
}

function getDirectory(peer: Peer): Directory {
  return directoryClient({ ...peer.settings, baseUrl: peer.sandbox.directoryUrl }, LOOPBACK);
}

Deno.test("a company with an active address is found by SIREN, SIRET and address", async () => {
  await using peer = await startPeer();
  const directory = getDirectory(peer);
  assertEquals(await find(directory, { siren: "702 042 755" }), true);
  assertEquals(await find(directory, { siret: "70204275500240" }), true);
  assertEquals(
    await find(directory, { identifier: "0225:702042755_70204275500240_COMPTA" }),
    true,
  );
  assertEquals(await find(directory, { identifier: "0002:448337881" }), true);
  const { messageFr, messageEn, lines } = await directory.check({ siret: "70204275500240" });
  assertEquals(lines.length, 2);
  assertEquals(
    [messageFr, messageEn],
    [
      "Le SIRET 70204275500240 peut recevoir des factures (702042755_70204275500240, 702042755_70204275500240_COMPTA)",
      "SIRET 70204275500240 can receive invoices (702042755_70204275500240, 702042755_70204275500240_COMPTA)",
    ],
  );
});

Deno.test("a company that left, is yet to come or is unknown is not found, and the sentence says so", async () => {
  await using peer = await startPeer();
  const directory = getDirectory(peer);
  const { found: left, messageEn } = await directory.check({ siren: "100000009" });
  assertEquals(left, false);
  assertEquals(
    messageEn,
    "SIREN 100000009 is in the directory without an active address (100000009: Disabled)",
  );
  assertEquals(await find(directory, { siren: "200000008" }), false);
  const unknown = await directory.check({ identifier: "0225:999999999" });
  assertEquals([unknown.found, unknown.messageFr], [
    false,
    "L'adresse 999999999 n'est pas dans l'annuaire",
  ]);
  assertEquals(await find(directory, { siren: "123456789" }), false);
});

Deno.test("an establishment without an address is reached through its company", async () => {
  await using peer = await startPeer();
  const directory = getDirectory(peer);
  const answer = await directory.check({ siret: "70204275500018" });
  assertEquals([answer.found, answer.isCompanyOnly], [true, true]);
  assertEquals(answer.lines.map((it) => it.addressingIdentifier), ["702042755"]);
  assertEquals([answer.messageFr, answer.messageEn], [
    "La société peut recevoir à l'adresse 702042755 ; cet établissement (SIRET 70204275500018) n'a pas d'adresse à lui",
    "The company can receive at the address 702042755; this establishment (SIRET 70204275500018) has no address of its own",
  ]);
  const own = await directory.check({ siret: "70204275500240" });
  assertEquals([own.found, own.isCompanyOnly], [true, false]);
  const gone = await directory.check({ siret: "10000000900017" });
  assertEquals([gone.found, gone.isCompanyOnly, gone.messageEn], [
    false,
    false,
    "SIRET 10000000900017 is not in the directory",
  ]);
});

Deno.test("a malformed number is reported without calling the PA", async () => {
  await using peer = await startPeer();
  const directory = getDirectory(peer);
  const bad: readonly DirectorySubject[] = [
    { siren: "12" },
    { siret: "7020427550024X" },
    { identifier: "702042755" },
    { identifier: "9999:1" },
  ];
  for (const subject of bad) {
    const error = await assertRejects(() => directory.check(subject), AppError);
    assertEquals(error.code, "invalid");
  }
  assertEquals((await peer.admin("GET", "journal?kind=request")).entries, []);
});

Deno.test("a failing PA does not count as a missing company", async () => {
  await using peer = await startPeer();
  const directory = getDirectory(peer);
  await peer.admin("POST", "faults", { kind: "500-before", operation: "directory" });
  const error = await assertRejects(() => directory.check({ siren: "702042755" }), PaError);
  assertEquals(error.httpStatus, 500);
  await peer.admin("POST", "faults", { kind: "garbage", operation: "directory" });
  await assertRejects(() => directory.check({ siren: "702042755" }), PaError);
});
