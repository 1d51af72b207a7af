// Sends an email by the types that openapi-typescript makes of the description, and reads that it was delivered.
import createClient from "openapi-fetch";

import type { paths } from "./interface.ts";

const [url, key, email] = process.argv.slice(2);
if (!url || !key || !email) throw new Error("usage: send URL KEY EMAIL");
const client = createClient<paths>({ baseUrl: url });
const { data, error, response } = await client.POST("/v4/sendMailer", {
  body: { apiKey: key, mailerID: 42, email, trackOpens: 1 },
});
if (!data) throw new Error(`HTTP ${response.status}: ${error?.detail}`);
if (String(data.code) !== "200" || !data.transactionId) throw new Error(`code ${data.code}`);
console.log(data.transactionId);

const headers = { Authorization: `Bearer ${key}` };
let after = "0";
let told = undefined;
// The email is on its way: it waits for the event.
for (let tries = 0; tries < 10 && !told; tries += 1) {
  const page = await client.GET("/events", { params: { query: { after, wait: 10 } }, headers });
  if (!page.data) throw new Error(`HTTP ${page.response.status}: ${page.error?.detail}`);
  after = page.data.next;
  told = page.data.events.find((event) => event.data.transactionId === String(data.transactionId));
}
if (told?.type !== "delivered" || told.data.recipient !== email) throw new Error(`the event is ${JSON.stringify(told)}`);
