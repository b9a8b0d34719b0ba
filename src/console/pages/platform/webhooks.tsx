import { Box, Button, Group, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api } from "../../api/client.ts";
import { useMay } from "../../api/me.tsx";
import { useChange, useRead } from "../../api/queries.ts";
import { Confirm } from "../../components/confirm.tsx";
import { Mark } from "../../components/mark.tsx";
import { Empty, ProblemNote } from "../../components/notes.tsx";
import { Loaded, Records } from "../../components/records.tsx";
import { useFormats, useWords } from "../../i18n/language.ts";
import { PLATFORM } from "./words.ts";

const TOUCHES = ["/api/pa/webhooks"];

export function Webhooks() {
  const words = useWords(PLATFORM);
  const { moment } = useFormats();
  const may = useMay();
  const webhooks = useRead("/api/pa/webhooks");
  const remove = useChange(
    (webhookId: string) =>
      api.DELETE("/api/pa/webhooks/{webhookId}", { params: { path: { webhookId } } }),
    TOUCHES,
  );
  return (
    <Stack gap="md">
      {may("templates:write") && webhooks.data && (
        <Register
          key={`${webhooks.data.webhooks.length === 0}`}
          isFirst={webhooks.data.webhooks.length === 0}
        />
      )}
      <Loaded of={webhooks}>
        {({ webhooks }) => (
          <Records
            label={words.webhooks}
            rows={webhooks}
            keyOf={(it) => it.webhookId}
            empty={<Empty icon="link" title={words.noWebhooks} hint={words.noWebhooksHint} />}
            columns={[
              {
                key: "address",
                label: words.address,
                cell: (it) => (
                  <Box className="ps-folds ps-wrap">
                    {it.callbackUrl}
                    {it.ofOtherPa && (
                      <div>
                        <Mark tone="warning">{words.ofOtherPa}</Mark>
                      </div>
                    )}
                  </Box>
                ),
              },
              { key: "since", label: words.since, cell: (it) => moment(it.createdAt) },
              {
                key: "last",
                label: words.lastCall,
                cell: (it) => moment(it.lastCallAt) || words.never,
              },
              {
                key: "remove",
                label: "",
                cell: (it) =>
                  may("templates:write") && (
                    <Confirm
                      size="compact-sm"
                      label={words.remove}
                      question={words.removeQuestion}
                      work={remove}
                      run={() => remove.mutateAsync(it.webhookId)}
                    />
                  ),
              },
            ]}
          />
        )}
      </Loaded>
    </Stack>
  );
}

/** Suggested address: this product as the browser reaches it. */
const OWN = `${location.origin}/api/pa/webhook`;

function Register({ isFirst }: { isFirst: boolean }) {
  const words = useWords(PLATFORM);
  const [callbackUrl, setAddress] = useState(isFirst ? OWN : "");
  const work = useChange(() => api.POST("/api/pa/webhooks", { body: { callbackUrl } }), TOUCHES);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    work.mutate(undefined, { onSuccess: () => setAddress("") });
  };
  return (
    <Stack gap="sm">
      <Group component="form" onSubmit={submit} align="flex-end">
        <TextInput
          label={words.callback}
          type="url"
          required
          miw={320}
          placeholder={OWN}
          value={callbackUrl}
          onChange={(it) => setAddress(it.currentTarget.value)}
        />
        <Button type="submit" loading={work.isPending}>{words.register}</Button>
      </Group>
      <ProblemNote problem={work.error} />
    </Stack>
  );
}
