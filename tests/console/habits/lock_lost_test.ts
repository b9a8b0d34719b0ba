import { assertEquals } from "@std/assert";
import { ADMIN } from "#tests/support/guarded.ts";
import { signIn } from "#tests/support/browser.ts";
import { eventually, until } from "#tests/support/until.ts";
import { longTestSales, PASSWORD } from "../sales.ts";

longTestSales(
  "a reader who lost a lock sees its holder, and that it is free again",
  async ({ sales, browser }) => {
    const address = `/apps/screen/sales/orders?record=${encodeURIComponent('{"order_no":"SO-6"}')}`;
    const carla = await browser.reader({ url: sales.url });
    await signIn(carla, { username: "carla", password: PASSWORD });
    await carla.page.goto(address);
    const dialog = carla.page.getByRole("dialog");
    await until(() => dialog.getByRole("button", { name: "Save" }).isEnabled(), "it to be held");
    await dialog.getByLabel("Customer").fill("Not saved yet");
    const admin = await browser.reader({ url: sales.url });
    await signIn(admin, ADMIN);
    await admin.page.goto(address);
    const other = admin.page.getByRole("dialog");
    await other.getByRole("button", { name: "Take over" }).click();
    await other.getByRole("button", { name: "Take over" }).click();
    await dialog.getByText("admin took over").waitFor();
    await dialog.getByRole("button", { name: "Lock it again" }).click();
    await dialog.getByText("admin still holds the lock").waitFor();

    await admin.page.goto("/apps/screen/sales/orders");
    await dialog.getByText("The lock ended.").waitFor();
    await dialog.getByRole("button", { name: "Lock it again" }).click();
    await until(() => dialog.getByRole("button", { name: "Save" }).isEnabled(), "held again");
    await eventually(() => dialog.getByLabel("Customer").inputValue(), "Not saved yet");
    assertEquals([...carla.complaints, ...admin.complaints], []);
  },
);
