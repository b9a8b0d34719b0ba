import { Select } from "@mantine/core";
import { useRef, useState } from "react";
import { useRead } from "../../api/queries.ts";
import { useWords } from "../../i18n/language.ts";
import { PEOPLE } from "./words.ts";

/** Most users loaded at once; typing searches the others. */
const MAX_USERS = 50;

/** Choice of one user among all. */
export function UserSelect({ value, onChange, isRequired = false }: {
  value: string | null;
  onChange: (username: string | null) => void;
  isRequired?: boolean;
}) {
  const words = useWords(PEOPLE);
  const [typed, setTyped] = useState("");
  // Users found before stay choices, so that the chosen one keeps its label.
  const found = useRef(new Map<string, string>());
  const first = useRead("/admin/users", { query: { limit: MAX_USERS } });
  const search = typed.trim();
  const hasMore = (first.data?.total ?? 0) > MAX_USERS;
  const others = useRead("/admin/users", { query: { limit: MAX_USERS, search } }, {
    when: hasMore && search !== "",
  });
  for (const it of [...first.data?.users ?? [], ...others.data?.users ?? []]) {
    const label = it.display_name ? `${it.display_name} (${it.username})` : it.username;
    found.current.set(it.username, label);
  }
  return (
    <Select
      label={words.user}
      required={isRequired}
      clearable={!isRequired}
      searchable
      miw={320}
      nothingFoundMessage={words.noSuchUser}
      data={[...found.current].map(([value, label]) => ({ value, label }))}
      value={value}
      onChange={onChange}
      onSearchChange={setTyped}
    />
  );
}
