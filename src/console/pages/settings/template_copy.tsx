import { Button, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import { useLocation } from "wouter";
import { api } from "../../api/client.ts";
import { useChange } from "../../api/queries.ts";
import { NewDialog } from "../../components/forms.tsx";
import { toast } from "../../components/toasts.tsx";
import { useWords } from "../../i18n/language.ts";
import { TEMPLATE } from "./template_words.ts";

/** Dialog that copies a template under another name. */
export function CopyTemplate({ of }: { of: string }) {
  const words = useWords(TEMPLATE);
  const [, go] = useLocation();
  const [opened, dialog] = useDisclosure();
  const [target, setTarget] = useState("");
  const copy = useChange(async () => {
    const name = target.trim();
    await api.POST("/api/config/template/copy", { body: { source: of, target: name } });
    return name;
  }, ["/api/config", "/api/templates"]);
  return (
    <>
      <Button variant="default" onClick={dialog.open}>{words.copy}</Button>
      <NewDialog
        opened={opened}
        onClose={dialog.close}
        title={words.copy}
        isTyped={target !== ""}
        work={copy}
        onDone={(name) => {
          toast(words.copied);
          go(`/settings/templates/of/${encodeURIComponent(name)}`);
        }}
      >
        <TextInput
          data-autofocus
          required
          label={words.copyName}
          value={target}
          onChange={(it) => setTarget(it.currentTarget.value)}
        />
      </NewDialog>
    </>
  );
}
