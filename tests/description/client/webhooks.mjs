// Verifies posts of the service by npm's standardwebhooks and by the verifier of docs/events.md, and signs by standardwebhooks:
// webhooks.mjs SECRET < POSTS, where each line is a post as JSON. Each line that is written has a signature of theirs.
import { createInterface } from "node:readline";

import { Webhook } from "standardwebhooks";

import { verify } from "./verify.mjs";

const secret = process.argv[2];
const theirs = new Webhook(secret);
for await (const line of createInterface({ input: process.stdin })) {
  const { headers, body } = JSON.parse(line);
  theirs.verify(body, headers);
  // clock: as a receiver has it
  const now = Math.floor(Date.now() / 1000);
  if (!verify(secret, headers, body, now)) throw new Error("the page's verifier refuses a post");
  if (verify(secret, headers, `${body} `, now)) throw new Error("the page's verifier takes another body");
  if (verify(secret, headers, body, now + 400)) throw new Error("the page's verifier takes an old post");
  let refused = false;
  try {
    theirs.verify(`${body} `, headers);
  } catch {
    refused = true;
  }
  if (!refused) throw new Error("standardwebhooks takes another body");
  // clock: the time that a post has
  console.log(theirs.sign(headers["webhook-id"], new Date(Number(headers["webhook-timestamp"]) * 1000), body));
}
