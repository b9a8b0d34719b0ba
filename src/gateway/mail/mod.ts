export { parseMailSettings, readMailSettings } from "./mail_settings.ts";
export { sendMail } from "./send_mail.ts";
export { sendEmail } from "./send_email.ts";
