import { useState } from "react";
import { ApiProblem } from "../api/problem.ts";
import { useChange } from "../api/queries.ts";
import { changePassword } from "../api/session.ts";
import { NewDialog } from "../components/forms.tsx";
import { Password } from "../components/password.tsx";
import { toast } from "../components/toasts.tsx";
import { useWords } from "../i18n/language.ts";
import { SHELL } from "./words.ts";

/** Dialog for the reader's own password. It is typed twice, since it is not shown. */
export function OwnPassword({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const words = useWords(SHELL);
  const [typed, setTyped] = useState(NOTHING);
  const work = useChange(async () => {
    if (typed.next !== typed.again) throw new ApiProblem(words.passwordsDiffer, { status: 422 });
    await changePassword(typed.current, typed.next).catch((error) => {
      if (!(error instanceof ApiProblem) || error.status !== 401) throw error;
      throw new ApiProblem(words.passwordWrong, { status: 422 });
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
      isTyped={false} // the dialog is outside the pages and survives navigation
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
