// sqs-consumer and sqs-producer, over the AWS SDK for JavaScript v3.
import { CreateQueueCommand, GetQueueAttributesCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { Consumer } from "sqs-consumer";
import { Producer } from "sqs-producer";
import { attributes, body, credentials, done, endpoint, plain, region, same, step, until, version, within } from "./steps.mjs";

version("sqs-consumer");
const sqs = new SQSClient({ endpoint, region, credentials });
const create = async (QueueName, Attributes) => (await sqs.send(new CreateQueueCommand({ QueueName, Attributes }))).QueueUrl;
const counts = async (QueueUrl) => {
  const { Attributes: a } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["All"] }));
  return [a.ApproximateNumberOfMessages, a.ApproximateNumberOfMessagesNotVisible];
};
const queueUrl = await create("jobs", { VisibilityTimeout: "60" });
const producer = Producer.create({ queueUrl, sqs });

// consume starts a consumer, and gives it with what it has seen.
function consume(options) {
  const seen = [], errors = [];
  const consumer = Consumer.create({
    queueUrl, sqs, waitTimeSeconds: 20, messageAttributeNames: ["All"], attributeNames: ["All"],
    handleMessage: async (m) => (seen.push(m), m),
    ...options,
  });
  for (const event of ["error", "processing_error", "timeout_error"]) consumer.on(event, (err) => errors.push(err));
  consumer.start();
  return { consumer, seen, errors };
}
const stop = (consumer, options) =>
  within(30000, new Promise((resolve) => (consumer.once("stopped", resolve), consumer.stop(options))), "stop");

await step("produce", async () => {
  await producer.send([{ id: "a", body, messageAttributes: attributes }, ...Array.from({ length: 24 }, (_, i) => `${i}`)]);
  same(await producer.queueSize(), 25);
});
await step("consume", async () => {
  const { consumer, seen, errors } = consume({ batchSize: 10 });
  await until("25 messages", () => seen.length === 25);
  const message = seen.find((m) => m.Body === body);
  same(plain(message?.MessageAttributes), plain(attributes));
  await until("all deleted", async () => `${await counts(queueUrl)}` === "0,0");
  await stop(consumer, { abort: true });
  same(errors, []);
});
await step("long-poll", async () => {
  const { consumer, seen, errors } = consume();
  setTimeout(() => producer.send("wake-up"), 300);
  await until("the message", () => seen.length === 1, 18000);
  await until("deleted", async () => `${await counts(queueUrl)}` === "0,0");
  await stop(consumer, { abort: true });
  same(errors, []);
});
await step("cut-off", async () => {
  const { consumer, seen } = consume();
  const polling = new Promise((resolve) => setTimeout(resolve, 500));
  await polling;
  await stop(consumer, { abort: true });
  await producer.send("next");
  const again = consume({ waitTimeSeconds: 1 });
  await until("the message", () => again.seen.length === 1, 18000);
  await until("deleted", async () => `${await counts(queueUrl)}` === "0,0");
  await stop(again.consumer, { abort: true });
  same([seen.length, again.seen[0].Attributes.ApproximateReceiveCount], [0, "1"]);
});
await step("nack", async () => {
  await producer.send("twice");
  let times = 0;
  const { consumer, errors } = consume({
    terminateVisibilityTimeout: true,
    handleMessage: async (m) => {
      if (++times === 1) throw new Error("not now");
      return m;
    },
  });
  await until("the second time", () => times === 2, 18000);
  await until("deleted", async () => `${await counts(queueUrl)}` === "0,0");
  await stop(consumer, { abort: true });
  same(errors.length, 1);
});
await step("heartbeat", async () => {
  const short = await create("short", { VisibilityTimeout: "2" });
  await sqs.send(new SendMessageCommand({ QueueUrl: short, MessageBody: "long work" }));
  let times = 0;
  const { consumer, errors } = consume({
    queueUrl: short, visibilityTimeout: 2, heartbeatInterval: 1,
    handleMessage: (m) => (times++, new Promise((resolve) => setTimeout(resolve, 3500, m))),
  });
  await until("deleted", async () => `${await counts(short)}` === "0,0");
  await stop(consumer, { abort: true });
  same([times, errors], [1, []]);
});
await step("missing-queue", async () => {
  const { consumer, errors } = consume({ queueUrl: `${endpoint}/000000000000/nothing` });
  await until("the error", () => errors.length > 0, 18000);
  await stop(consumer, { abort: true });
  same(errors[0].code, "QueueDoesNotExist");
});
done();
