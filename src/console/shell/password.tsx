import { useState } from "react";
import { Problem } from "../api/problem.ts";
import { useChange } from "../api/queries.ts";
import { changePassword } from "../api/session.ts";
import { NewDialog } from "../components/forms.tsx";
import { Password } from "../components/password.tsx";
import { toast } from "../components/toasts.tsx";
import { useWords } from "../i18n/language.ts";
import { SHELL } from "./words.ts";

/** The reader's own. Typed twice, since nobody sees it. */
export function OwnPassword({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const words = useWords(SHELL);
  const [typed, setTyped] = useState(NOTHING);
  const work = useChange(async () => {
    if (typed.next !== typed.again) throw new Problem(words.passwordsDiffer, { status: 422 });
    await changePassword(typed.current, typed.next).catch((error) => {
      if (!(error instanceof Problem) || error.status !== 401) throw error;
      throw new Problem(words.passwordWrong, { status: 422 });
    });
  });
  const field = (key: keyof typeof NOTHING, autoComplete: string) => (
    <Password
      label={words.passwords[key]}
      autoComplete={autoComplete}
      required
      value={typed[key]}
      onChange={(it) => setTyped({ ...typed, [key]: it.currentTarget.value })}
    />
  );
  return (
    <NewDialog
      opened={opened}
      onClose={() => {
        setTyped(NOTHING);
        work.reset();
        onClose();
      }}
      title={words.password}
      isTyped={false} // it stands beside the pages, and stays where another one is gone to
      work={work}
      onDone={() => toast(words.passwordChanged)}
    >
      {field("current", "current-password")}
      {field("next", "new-password")}
      {field("again", "new-password")}
    </NewDialog>
  );
}

const NOTHING = { current: "", next: "", again: "" };
