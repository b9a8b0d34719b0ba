import { Alert, Button, Text } from "@mantine/core";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { MeProvider, useMe } from "../api/me.tsx";
import { Icon } from "../components/icon.tsx";
import { useWords } from "../i18n/language.ts";
import { SHELL } from "./words.ts";

/** Search fields, whose input is no loss. */
const SOUGHT = "[role=search], [type=search]";

/**
 * Page with the reader's rights. If rights are withdrawn during input, the page stays visible with a note, so
 * that the input can be copied. The API rejects forbidden changes.
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
        onInput={({ target }: FormEvent) => { // events of its dialogs arrive here too
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
