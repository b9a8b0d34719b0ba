import { useRead } from "../../../api/queries.ts";
import { Page } from "../../../components/notes.tsx";
import { ScreenGrid } from "./screen.tsx";
import { useAddressView } from "./view.ts";

/** Page of a screen; its state is in the address. */
export default function ScreenPage({ app, id }: { app: string; id: string }) {
  const view = useAddressView();
  const { data } = useRead("/api/screens/{app}/{screen_id}", { path: { app, screen_id: id } });
  return (
    <Page title={data?.label ?? id} hint={data?.description}>
      <ScreenGrid app={app} id={id} view={view} />
    </Page>
  );
}
