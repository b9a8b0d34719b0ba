export { type OutgoingMail, sendMail, type SentMail } from "./send_mail.ts";
