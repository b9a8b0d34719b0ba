import { Alert, Button, Text } from "@mantine/core";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { MeProvider, useMe } from "../api/me.tsx";
import { Icon } from "../components/icon.tsx";
import { useWords } from "../i18n/language.ts";
import { SHELL } from "./words.ts";

/** What is typed to find something is no loss. */
const SOUGHT = "[role=search], [type=search]";

/**
 * A page as its reader's rights have it. Where rights are taken while something is typed the page stays with it as it was, and says
 * so: it can be read and copied, and the product refuses what may not be done any more.
 */
export function RightsOfPage({ children }: { children: ReactNode }) {
  const words = useWords(SHELL);
  const me = useMe();
  const [known, setKnown] = useState(me);
  const hasTyped = useRef(false);
  const isKept = hasTyped.current &&
    known.permissions.some((it) => !me.permissions.includes(it));
  if (known !== me && !isKept) setKnown(me);
  return (
    <MeProvider me={isKept ? known : me}>
      <div
        style={{ display: "contents" }}
        onInput={({ target }: FormEvent) => { // of its dialogs too
          if (target instanceof Element && !target.closest(SOUGHT)) hasTyped.current = true;
        }}
      >
        {children}
      </div>
      {isKept && (
        <Alert
          color="yellow"
          role="alert"
          className="ps-rights ps-no-print"
          title={words.rightsTaken}
          icon={<Icon name="lock" />}
        >
          <Text size="sm">{words.rightsTakenHint}</Text>
          <Button
            size="compact-sm"
            variant="default"
            mt="xs"
            onClick={() => {
              hasTyped.current = false;
              setKnown(me);
            }}
          >
            {words.rightsDrop}
          </Button>
        </Alert>
      )}
    </MeProvider>
  );
}
