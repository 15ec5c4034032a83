// The package named sqs, which says everything with GET and signs as of old.
import { createRequire } from "node:module";
import { body, done, endpoint, region, same, step, until, version } from "./steps.mjs";

version("sqs");
const open = createRequire(import.meta.url)("sqs");
const queue = open({ access: "test", secret: "test", region, proxy: new URL(endpoint).host });
const seen = [], errors = [];
queue.on("error", (err) => errors.push(err));
const push = (message) => new Promise((resolve, reject) => queue.push("jobs", message, (err) => (err ? reject(err) : resolve())));

await step("push", async () => push({ text: body }));
await step("pull", async () => {
  queue.pull("jobs", (message, done) => (seen.push(message), done()));
  await until("the message", () => seen.length === 1);
  same(seen[0], { text: body });
});
await step("long-poll", async () => {
  await push("wake up");
  await until("the message", () => seen.length === 2, 18000);
  same(seen[1], "wake up");
});
await step("delete-queue", async () => {
  queue.close();
  await new Promise((resolve, reject) => queue.del("jobs", (err) => (err ? reject(err) : resolve())));
  same(errors, []);
});
done();
