import { Alert, Button, Code, Stack, Text } from "@mantine/core";
import { Component, type ReactNode } from "react";
import { Icon } from "../components/icon.tsx";
import { useWords } from "../i18n/language.ts";
import { SHELL } from "./words.ts";

/** A mistake in a page takes that page away and nothing else. */
export class Caught extends Component<{ children: ReactNode }, { readonly error?: Error }> {
  override state: { readonly error?: Error } = {};

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    return error ? <Failed error={error} /> : this.props.children;
  }
}

function Failed({ error }: { error: Error }) {
  const words = useWords(SHELL);
  return (
    <Alert
      color="red"
      variant="light"
      title={words.failed}
      icon={<Icon name="error" />}
      role="alert"
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{words.failedHint}</Text>
        <Code className="ps-wrap">{error.message}</Code>
        <Button variant="default" size="compact-sm" onClick={() => location.reload()}>
          {words.retry}
        </Button>
      </Stack>
    </Alert>
  );
}
