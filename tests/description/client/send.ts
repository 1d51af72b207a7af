// Sends an email by the types that openapi-typescript makes of the description.
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
