// squiss-ts, over the AWS SDK for JavaScript v3.
import { createRequire } from "node:module";
import { body, caught, credentials, done, endpoint, region, same, step, until, version } from "./steps.mjs";

version("squiss-ts");
const { Squiss } = createRequire(import.meta.url)("squiss-ts");
const open = (options) =>
  new Squiss({ awsConfig: { endpoint, region, credentials }, queueName: "jobs", receiveWaitTimeSecs: 20, ...options });
const squiss = open({ bodyFormat: "plain" });
const seen = [], errors = [];
squiss.on("message", (m) => seen.push(m));
squiss.on("error", (err) => errors.push(err));

await step("create", async () => {
  same(await squiss.createQueue(), `${endpoint}/000000000000/jobs`);
  same(await squiss.getQueueUrl(), `${endpoint}/000000000000/jobs`);
  same(await squiss.getQueueVisibilityTimeout(), 30);
  same((await squiss.getQueueMaximumMessageSize()) >= 262144, true);
});
await step("send", async () => {
  await squiss.sendMessage(body, 0, { text: "one", number: 2, flag: true, bytes: Buffer.from([0, 255]) });
  await squiss.sendMessages(Array.from({ length: 15 }, (_, i) => `${i}`));
});
await step("receive", async () => {
  await squiss.start();
  await until("16 messages", () => seen.length === 16);
  const message = seen.find((m) => m.body === body);
  // It reads flags as the text that it sends.
  same([message.attributes.text, message.attributes.number, message.attributes.flag], ["one", 2, "true"]);
  same(Buffer.from(message.attributes.bytes), Buffer.from([0, 255]));
  same(errors, []);
});
await step("delete", async () => {
  await Promise.all(seen.map((m) => m.del()));
  same(squiss.inFlight, 0);
});
await step("long-poll", async () => {
  seen.length = 0;
  setTimeout(() => squiss.sendMessage("wake up"), 300);
  await until("the message", () => seen.length === 1, 18000);
  await seen[0].changeVisibility(60);
  await seen[0].release();
  await until("the message again", () => seen.length === 2, 18000);
  await seen[1].del();
});
await step("cut-off", async () => {
  seen.length = 0;
  await squiss.stop(false);
  await squiss.sendMessage("next");
  await squiss.start();
  await until("the message", () => seen.length === 1, 18000);
  await seen[0].del();
});
await step("delete-queue", async () => {
  await squiss.stop(false);
  await squiss.deleteQueue();
});
await step("missing-queue", async () => {
  const err = await caught(open({ queueName: "nothing" }).getQueueUrl());
  same([err.name, err.Code ?? err.Error?.Code], ["QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue"]);
});
done();
