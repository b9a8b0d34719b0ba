import { useRead } from "../../api/queries.ts";
import { MenuTree } from "../apps/menu.tsx";

/** Menus of the applications, for readers whose Home has no invoices. */
export default function Applications() {
  const { data } = useRead("/api/menus");
  return data && <MenuTree apps={data.apps} isWide />;
}
