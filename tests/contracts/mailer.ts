import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { type Mail, type Mailer, MailError, type MailServer } from "#src/ports/mailer.ts";

/** Mailer and a server that refuses recipients at `refused.example` permanently, at `later.example` temporarily. */
export interface MailerSetting {
  readonly mailer: Mailer;
  readonly server: MailServer;
  /** Accepted messages with their recipients. */
  readonly received: readonly { readonly to: readonly string[]; readonly text: string }[];
  /** Accepts connections and sends nothing. */
  readonly silent: MailServer;
  /** Address without a server. */
  readonly nowhere: MailServer;
}

const mail = (more: Partial<Mail> = {}): Mail => ({
  messageId: "one@passerelle.example",
  from: "passerelle@example.fr",
  to: ["ann@example.fr"],
  subject: "Facture é",
  text: "Bonjour",
  date: new Date("2026-03-01T10:00:00Z"),
  ...more,
});

const readOutcome = async (work: Promise<unknown>) =>
  (await assertRejects(() => work, MailError)).outcome;

/** Contract of every mailer. */
export const MAILER_CONTRACT: Readonly<Record<string, (setting: MailerSetting) => Promise<void>>> =
  {
    "a message arrives whole, with the id it was given": async ({ mailer, server, received }) => {
      const attachments = [{
        name: "a.pdf",
        type: "application/pdf",
        content: new TextEncoder().encode("%PDF-1.7"),
      }];
      const sent = mail({ cc: ["bob@example.fr"], attachments });
      assertEquals(await mailer.send(sent, { server }), { refused: [] });
      const [{ to, text } = { to: [], text: "" }] = received;
      assertEquals(to, ["ann@example.fr", "bob@example.fr"]);
      assertStringIncludes(text, "Message-ID: <one@passerelle.example>");
      assertStringIncludes(text, btoa("%PDF-1.7"));
    },

    "a picture stands beneath the text, which no tag of it leaves": async ({ mailer }) => {
      const picture = { alt: 'a "<chart>"', content: new TextEncoder().encode("PNG") };
      const bytes = await mailer.compose(mail({ text: "<b>1</b> & 2", picture }));
      const text = new TextDecoder().decode(bytes).replace(/=\r\n/g, "").replaceAll("=3D", "=");
      assertStringIncludes(text, "Content-Type: image/png");
      assertStringIncludes(text, "&#60;b&#62;1&#60;/b&#62; &#38; 2");
      assertStringIncludes(text, 'alt="a &#34;&#60;chart&#62;&#34;"');
      const [, cid = ""] = /src="cid:([^"]+)"/.exec(text) ?? [];
      assertStringIncludes(text, `Content-Id: <${cid}>`.replace("Id", "ID"));
    },

    "the same message is composed as it would be sent": async ({ mailer }) => {
      const text = new TextDecoder().decode(await mailer.compose(mail()));
      assertStringIncludes(text, "Message-ID: <one@passerelle.example>");
      assert(!/[^\r]\n/.test(text), "lines end as RFC 5322 has them");
      const head = text.slice(0, text.indexOf("\r\n\r\n"));
      assert([...head].every((it) => it <= "~"), "headers are ASCII");
    },

    "who is refused is told while the others have it": async ({ mailer, server, received }) => {
      const to = ["ann@example.fr", "x@refused.example"];
      assertEquals(await mailer.send(mail({ to }), { server }), { refused: ["x@refused.example"] });
      assertEquals(received.map((it) => it.to), [["ann@example.fr"]]);
    },

    "a failure says whether it may pass": async ({ mailer, server, nowhere }) => {
      const to = (address: string) => mailer.send(mail({ to: [address] }), { server });
      assertEquals(await readOutcome(to("x@refused.example")), "permanent");
      assertEquals(await readOutcome(to("x@later.example")), "temporary");
      assertEquals(await readOutcome(mailer.send(mail(), { server: nowhere })), "unreachable");
      await mailer.send(mail(), { server });
    },

    "a server that says nothing is given up": async ({ mailer, silent }) => {
      assertEquals(await readOutcome(mailer.send(mail(), { server: silent })), "unreachable");
    },

    "closing ends what is open, and can be done again": async ({ mailer, server }) => {
      await mailer.send(mail(), { server });
      await mailer.close();
      await mailer.close();
    },
  };
